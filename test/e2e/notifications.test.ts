// How a person is notified of what a plan needs and of its end: with a command of theirs, over restarts, and at a terminal.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { NotificationKind } from '../../src/core/settings/notify.ts';
import { NOTIFICATION_INPUT } from '../../src/surfaces/cli/json/answers.ts';
import { atTerminal } from '../support/at-terminal.ts';
import { textOf } from '../support/hosts.ts';
import { implementing, PLAN, type PlanRepo, type PlanRepoOptions, planRepo, tasksOf } from '../support/plan-runs.ts';
import { eventually, MAIN, startEngine, temporaryRepo } from '../support/repo.ts';

interface Notified {
  readonly id: string;
  readonly kind: NotificationKind;
  readonly task: string | null;
  readonly title: string;
  readonly text: string;
  readonly repo: string;
  readonly commands: readonly string[];
}

interface NotifiedRepo extends PlanRepo {
  notified(): readonly Notified[];
  kinds(): readonly string[];
  /** Waits until there are so many notifications. */
  untilNotified(count: number): Promise<readonly Notified[]>;
}

/** A repository whose person has a command that appends each notification to a file. */
function notifiedRepo({ notify = {}, ...options }: PlanRepoOptions & { notify?: object } = {}): NotifiedRepo {
  const repo = planRepo(options);
  const file = repo.at('notified');
  mkdirSync(repo.home, { recursive: true });
  const settings = { notify: { command: ['sh', '-c', 'cat >>"$0"', file], desktop: 'off', ...notify } };
  writeFileSync(join(repo.home, 'config.json'), JSON.stringify(settings));
  const notified = (): readonly Notified[] =>
    textOf(file)
      .split('\n')
      .flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Notified]));
  return {
    ...repo,
    notified,
    kinds: () => notified().map(({ kind }) => kind),
    untilNotified: (count) => eventually(notified, (all) => all.length >= count, 40_000),
  };
}

/** The first agent of the task asks something, the next one does the work. */
const ASKING = tasksOf([`role implementer\nrun sh -c 'sh "$HOME/ask.sh"'\n${implementing()}`]);

/** `first`: what the agent does before it asks. */
function installAsk(repo: PlanRepo, first = ':'): void {
  repo.script(
    'ask.sh',
    `[ ! -e "$HOME/asked" ] || exit 0
    touch "$HOME/asked"
    ${first}
    printf 'Which \\033]0;evil\\007colour?\\n' | '${process.execPath}' '${MAIN}' signal question --body-file -
    exec sleep 600`,
  );
}

/** The engine needs nobody to follow it. */
function landed(repo: PlanRepo): Promise<unknown> {
  return repo.until((world) => world.plans.get(PLAN)?.work?.landed != null);
}

test('a question, and then the end of the plan, are announced once each, also over a stop and a kill of the engine', async () => {
  const repo = notifiedRepo({ plan: ASKING, settings: { land: 'local' } });
  installAsk(repo);
  expect((await repo.run()).code).toBe(3);
  const [question, ...others] = await repo.untilNotified(1);
  expect(others).toEqual([]);
  expect(question).toMatchObject({
    kind: 'question',
    plan: PLAN,
    task: '1',
    title: 'build-it#1 needs an answer',
    text: 'Question: Which \\u{1b}]0;evil\\u{7}colour?',
    repo: repo.root,
    commands: expect.arrayContaining(['cadre answer build-it#1 "..."']),
  });
  await repo.start('engine', 'stop');
  await repo.start('engine', 'start');
  await repo.killEngine();
  await repo.start('engine', 'start');
  // The new engine has seen the question before it starts an agent with the answer.
  await repo.start('answer', 'build-it#1', 'red');
  await landed(repo);
  await repo.untilNotified(2);
  await repo.start('engine', 'stop');
  await repo.start('engine', 'start');
  await repo.start('engine', 'stop');
  expect(repo.kinds()).toEqual(['question', 'done']);
  expect(repo.notified()[1]).toMatchObject({ title: 'build-it is done', task: null });
  for (const one of repo.notified()) expect(NOTIFICATION_INPUT.safeParse(one)).toMatchObject({ success: true });
});

test('a plan that is to be merged by hand is ready to land', async () => {
  const repo = notifiedRepo({ plan: tasksOf(['']) });
  await repo.built();
  const [ready] = await repo.untilNotified(1);
  expect(ready).toMatchObject({ kind: 'land', title: 'build-it is ready to land' });
  expect(ready?.text).toContain('git merge plan/build-it');
  await repo.start('engine', 'stop');
  expect(repo.kinds()).toEqual(['land']);
});

test('agents that die and are restarted are not announced, the one that is not is', async () => {
  const repo = notifiedRepo({ plan: tasksOf(['role implementer\nexit 1']), settings: { limits: { relaunches: 1 } } });
  expect([3, 4]).toContain((await repo.run()).code);
  await repo.untilNotified(1);
  await repo.start('engine', 'stop');
  expect(repo.kinds()).toEqual(['halted']);
  expect(repo.records().filter(({ event }) => event === 'session_begun').length).toBeGreaterThan(1);
});

test('a program that keeps asking for permission is announced with its text, and is what its task waits for', async () => {
  const repo = notifiedRepo({ plan: tasksOf(['role implementer\nreport asks: May I delete everything?\nhang']) });
  repo.run().catch(() => undefined);
  const [asked] = await repo.untilNotified(1);
  const session = repo.runOf('1').session?.id;
  expect(asked).toMatchObject({
    id: `${session} permission`,
    kind: 'permission',
    task: '1',
    text: `The implementer (${session}) asks for permission: May I delete everything?`,
    commands: [`cadre session attach ${session}`],
  });
  expect(repo.json('why', 'build-it#1')).toMatchObject({ owner: 'user', sentence: asked?.text });
  expect(repo.cadre('status').stdout).toContain(`Needs you:\n  build-it.md#1 Part 1: ${asked?.text}\n`);
  await repo.killEngine();
  await repo.start('engine', 'start');
  await repo.start('cancel', 'build-it', '--yes');
  await repo.start('engine', 'stop');
  expect(repo.kinds()).toEqual(['permission']);
});

test('only what the settings name is announced, and what they leave out is not made up for', async () => {
  const repo = notifiedRepo({ plan: ASKING, settings: { land: 'local' }, notify: { for: ['done'] } });
  installAsk(repo);
  expect((await repo.run()).code).toBe(3);
  await repo.start('answer', 'build-it#1', 'red');
  await landed(repo);
  await repo.untilNotified(1);
  expect(repo.kinds()).toEqual(['done']);
});

test('a command that a file names while a plan is built is not run before a person accepts it', async () => {
  const repo = notifiedRepo({ plan: ASKING });
  const evil = repo.at('evil');
  const settings = JSON.stringify({ notify: { desktop: 'off', command: ['touch', evil] } });
  // An agent without a wall can do that.
  installAsk(repo, `echo '${settings}' >'${join(repo.home, 'config.json')}'`);
  expect((await repo.run()).code).toBe(3);
  await eventually(repo.kinds, (kinds) => kinds.includes('question') && kinds.includes('decision'));
  expect(existsSync(evil)).toBe(false);
  expect(repo.cadre('status').stdout).toContain('notify.command is touch');
});

test('a command that fails is a warning once, and the plan is built', async () => {
  const repo = notifiedRepo({ plan: ASKING, notify: { command: 'false' } });
  installAsk(repo);
  expect((await repo.run()).code).toBe(3);
  await repo.start('answer', 'build-it#1', 'red');
  await landed(repo);
  const log = await eventually(
    () => textOf(join(repo.state(), 'engine.log')),
    (text) => text.match(/"notification":/g)?.length === 2,
  );
  await repo.start('engine', 'stop');
  expect(log.match(/"warning":"The command for notifications \(false\) exited with 1\."/g)).toHaveLength(1);
});

test('a repository that is new to it, or whose file was deleted, hears nothing of what held before', async () => {
  const repo = notifiedRepo({ plan: ASKING });
  installAsk(repo);
  expect((await repo.run()).code).toBe(3);
  await repo.untilNotified(1);
  await repo.start('engine', 'stop');
  rmSync(join(repo.state(), 'announced.json'));
  await repo.start('engine', 'start');
  await eventually(
    () => existsSync(join(repo.state(), 'announced.json')),
    (isThere) => isThere,
  );
  await repo.start('engine', 'stop');
  expect(repo.kinds()).toEqual(['question']);
});

test('the terminal that follows a build rings when it ends with something for the person, and not in advance', async () => {
  const repo = notifiedRepo({ plan: ASKING });
  installAsk(repo);
  const ran = await atTerminal(repo, 'run', PLAN);
  expect([ran.code, ran.rung]).toEqual([
    3,
    ['build-it#1 needs an answer: Question: Which \\u{1b}]0;evil\\u{7}colour?'],
  ]);
  // It waits already, and the person who types this knows.
  expect(await atTerminal(repo, 'run', PLAN)).toMatchObject({ code: 3, rung: [] });
});

test('the terminal that follows a build rings at its end', async () => {
  const repo = notifiedRepo({ plan: tasksOf(['']) });
  expect(await atTerminal(repo, 'run', PLAN)).toMatchObject({
    code: 0,
    rung: [expect.stringMatching(/^build-it is ready to land: /)],
  });
});

test.each<[string, object, readonly string[]]>([
  ['with --json', {}, ['--json']],
  ['for what the settings leave out', { for: ['land'] }, []],
])('the terminal stays silent %s', async (_what, notify, flags) => {
  const repo = notifiedRepo({ plan: ASKING, notify });
  installAsk(repo);
  expect(await atTerminal(repo, 'run', PLAN, ...flags)).toMatchObject({ code: 3, rung: [] });
});

test('an engine in the foreground shows it', async () => {
  const repo = notifiedRepo({ plan: ASKING });
  installAsk(repo);
  const engine = await startEngine(repo);
  repo.run().catch(() => undefined);
  expect(await engine.line(/^>> build-it#1 needs an answer/)).toBe(
    '>> build-it#1 needs an answer: Question: Which \\u{1b}]0;evil\\u{7}colour?',
  );
  expect(engine.lines.join('')).not.toContain('\u0007');
});

test('"notify test" shows what works, anywhere and for a person only', () => {
  const repo = temporaryRepo();
  const heard = join(repo.root, '..', 'heard');
  mkdirSync(repo.home, { recursive: true });
  const configure = (notify: object): void =>
    writeFileSync(join(repo.home, 'config.json'), JSON.stringify({ notify: { desktop: 'off', ...notify } }));
  configure({ command: ['sh', '-c', 'cat >"$0"', heard] });
  const results = (answer: unknown) =>
    (answer as { deliveries: { channel: string; result: string }[] }).deliveries.map(
      ({ channel, result }) => `${channel} ${result}`,
    );
  expect(results(repo.json('notify', 'test'))).toEqual(['bell missing', 'osc9 missing', 'desktop off', 'command sent']);
  expect(JSON.parse(textOf(heard))).toMatchObject({ version: 1, kind: 'test', repo: repo.root });
  const elsewhere = repo.cadreWith({ cwd: join(repo.root, '..') }, 'notify', 'test');
  expect(elsewhere).toMatchObject({ code: 0, stderr: '' });
  expect(elsewhere.stdout).toMatch(/^command {2}ok {3}Given to the command: sh -c/m);
  expect(JSON.parse(textOf(heard))).toMatchObject({ repo: null });
  configure({ command: 'no-such-program' });
  expect(repo.cadre('notify', 'test')).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(
      /^command {2}FAILED {2}The command for notifications \(no-such-program\) could not be/m,
    ),
  });
  configure({ command: '"' });
  expect(repo.cadre('notify', 'test')).toMatchObject({ code: 2, stdout: '' });
  configure({ command: ['touch', `${heard}-by-agent`] });
  const env = { CADRE_SESSION: 's1', CADRE_ROLE: 'implementer' };
  expect(repo.cadreWith({ env }, 'notify', 'test')).toMatchObject({ code: 2, stdout: '' });
  expect(existsSync(`${heard}-by-agent`)).toBe(false);
});
