// What a person does to tasks and runs on the command line, and what cadre shows of them: the built program, real git, and
// the scripted agent.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import type { PlanView } from '../../src/core/views/plan.ts';
import { textOf } from '../support/hosts.ts';
import { implementing, PLAN, PLAN_BRANCH, type PlanRepo, planRepo, tasksOf } from '../support/plan-runs.ts';
import { quarantined } from '../support/plans.ts';
import { MAIN } from '../support/repo.ts';

/** The program, as a shell calls it. */
const CADRE = `'${process.execPath}' '${MAIN}'`;
const HANGING_REVIEWERS = 'role spec-reviewer\nhang\nrole quality-reviewer\nhang';

/** Starts the build and returns; tests wait for what they need. */
async function startBuild(repo: PlanRepo): Promise<void> {
  const ran = repo.run();
  await repo.until((world) => world.plans.get(PLAN)?.work?.going === true);
  ran.catch(() => undefined);
}

async function accepted(repo: PlanRepo, ...argv: readonly string[]): Promise<string> {
  const ran = await repo.start(...argv);
  expect({ argv, ...ran }).toMatchObject({ code: 0, stderr: '' });
  return ran.stdout;
}

async function refused(repo: PlanRepo, ...argv: readonly string[]): Promise<string> {
  const ran = await repo.start(...argv);
  expect({ argv, ...ran }).toMatchObject({ code: 2, stdout: '' });
  return ran.stderr;
}

interface Status {
  readonly plans: readonly PlanView[];
  readonly needsYou: readonly { readonly task: string | null; readonly commands: readonly string[] }[];
  readonly frozen: boolean;
}

function statusOf(repo: PlanRepo): Status {
  return repo.json('status');
}

/** The commands that `why` suggests for a task. */
function commandsFor(repo: PlanRepo, task: string): readonly string[] {
  return (repo.json('why', `build-it#${task}`) as { commands: readonly string[] }).commands;
}

test('a question on the screen of a program is shown by "run" and by "questions"', async () => {
  const repo = planRepo({ plan: tasksOf(['role implementer\nreport asks: May I delete everything?\nhang']) });
  const follower = spawn(process.execPath, [MAIN, 'run', PLAN, '--json'], { cwd: repo.root, env: repo.env });
  const asked = { session: expect.any(String), plan: PLAN, task: '1', question: 'May I delete everything?' };
  for await (const line of createInterface({ input: follower.stdout })) {
    if (!line.includes('"asks"')) continue;
    expect(JSON.parse(line)).toMatchObject({ asks: asked });
    break;
  }
  follower.kill('SIGINT');
  await once(follower, 'exit');
  expect(repo.json('questions')).toMatchObject({ questions: [], asks: [asked] });
  const session = repo.runOf('1').session?.id;
  expect(await accepted(repo, 'questions')).toBe(
    `! ${session} of task 1 asks: May I delete everything?\n    answer with: cadre session attach ${session}\n`,
  );
});

test('a question is shown in full, and the task continues with the answer', async () => {
  const repo = planRepo({
    plan: tasksOf([`role implementer\nrun sh -c 'sh "$HOME/ask.sh"'\n${implementing()}`, '']),
  });
  writeFileSync(
    repo.at('ask.sh'),
    `[ ! -e "$HOME/asked" ] || exit 0
    touch "$HOME/asked"
    printf 'Which colour?\\n\\033[31mRed\\n' | ${CADRE} signal question --body-file -
    exec sleep 600\n`,
  );
  await startBuild(repo);
  await repo.reaches('1', 'QUESTION');
  expect(await accepted(repo, 'questions')).toMatch(
    /^build-it#1 {2}Part 1 {2}since .*\n {2}Which colour\?\n {2}\\u\{1b\}\[31mRed\n {2}> cadre answer build-it#1 "\.\.\."\n$/,
  );
  const { questions } = repo.json('questions') as { questions: readonly object[] };
  expect(questions).toMatchObject([
    { id: 'build-it#1', task: '1', kind: 'ordinary', text: 'Which colour?\n\x1b[31mRed\n', answers: [] },
  ]);
  expect(statusOf(repo).needsYou).toMatchObject([
    { task: '1', commands: expect.arrayContaining(['cadre answer build-it#1 "..."']) },
  ]);
  const status = await accepted(repo, 'status');
  expect(status).toContain('QUESTION, attempt 1, owner user');
  expect(status).toContain('Needs you:\n  build-it.md#1 Part 1: Question: Which colour?\n');
  expect(await refused(repo, 'answer', 'build-it#1')).toBe(
    'The answer to build-it.md#1 is empty.\n  try: cadre answer build-it#1 "..."\n',
  );
  expect(await refused(repo, 'answer', 'build-it#1', 'blue', '--file', 'x')).toContain(
    'given both as words and as a file',
  );
  expect(await accepted(repo, 'answer', '#1', 'Blue.')).toBe('build-it.md#1 is answered: QUESTION -> CODING.\n');
  await repo.until((world) => world.plans.get(PLAN)?.tasks[0]?.state === 'done');
  expect(await accepted(repo, 'questions')).toBe('No open questions.\n');
  expect(await refused(repo, 'answer', 'build-it#1', 'Blue.')).toContain(
    'build-it.md#1 is DONE: it has not asked anything.',
  );
});

test('a task that has used up its turns asks how to continue, and does what the answer says', async () => {
  const repo = planRepo({
    settings: { limits: { coding_iterations: 1, checkins: 2 } },
    plan: tasksOf(
      [
        `role implementer\nreport turn-finished\nhang\n${HANGING_REVIEWERS}`,
        `role implementer\nappend two.txt made\ncommit made\nreport asks: no\nidle\nreport turn-finished\nhang\n${HANGING_REVIEWERS}`,
      ],
      'parallel',
    ),
  });
  await startBuild(repo);
  await repo.reaches('1', 'QUESTION');
  expect(await accepted(repo, 'questions')).toContain(
    'check-in\n  The limit for coding turns (1) is reached. CONTINUE, PIVOT, ESCALATE or ABANDON?\n  > cadre answer build-it#1 CONTINUE|PIVOT|ESCALATE|ABANDON ["reason"]\n',
  );
  expect(commandsFor(repo, '1')).toContain('cadre answer build-it#1 CONTINUE');
  expect(await refused(repo, 'answer', 'build-it#1', 'Go on.')).toBe(
    'build-it.md#1 has used up its turns: the answer has to start with CONTINUE, PIVOT, ESCALATE or ABANDON.\n',
  );
  expect(await refused(repo, 'answer', 'build-it#1', 'ESCALATE')).toBe(
    'The branch of build-it.md#1 has no commits yet, so there is nothing to verify. Commit the work first.\n',
  );
  expect(await accepted(repo, 'answer', 'build-it#1', 'continue, but quicker')).toContain('QUESTION -> CODING');
  await repo.reaches('1', 'QUESTION');
  const worktree = repo.worktree('1');
  writeFileSync(join(worktree, 'one.txt'), 'made\n');
  expect(await refused(repo, 'answer', 'build-it#1', 'ESCALATE')).toContain('has uncommitted changes');
  repo.gitIn(worktree, 'add', 'one.txt');
  repo.gitIn(worktree, 'commit', '--quiet', '-m', 'one');
  expect(await accepted(repo, 'answer', 'build-it#1', 'ESCALATE')).toContain('QUESTION -> CODE_REVIEW');
  expect(await accepted(repo, 'approve', 'build-it#1')).toBe(
    'build-it.md#1 passed the spec review; the quality review is next.\n',
  );
  expect(await accepted(repo, 'status')).toContain('CODE_REVIEW (quality review, not verified), attempt 1');
  expect(commandsFor(repo, '1')).toContain('cadre approve build-it#1 --override');
  expect(commandsFor(repo, '1')).not.toContain('cadre approve build-it#1');
  expect(await refused(repo, 'approve', 'build-it#1')).toBe(
    'build-it.md#1 has not passed verification.\n  try: cadre approve build-it#1 --override\n',
  );
  expect(await accepted(repo, 'approve', 'build-it#1', '--override')).toBe(
    'build-it.md#1 is approved without having passed verification: CODE_REVIEW -> AWAIT_MERGE.\n',
  );
  await repo.until((world) => world.plans.get(PLAN)?.tasks[0]?.state === 'done');
  expect(repo.git('show', `${PLAN_BRANCH}:one.txt`)).toBe('made\n');
});

test('where reviewers hang, a person approves and rejects in their place, from one task to the whole plan', async () => {
  const repo = planRepo({
    settings: { profiles: { reviewer: { program: 'sh', flags: ['-c', 'exec sleep 600'] } } },
    plan: tasksOf([`role implementer\n${implementing()}\nhang\n${HANGING_REVIEWERS}`]),
  });
  await startBuild(repo);
  await repo.reaches('1', 'CODE_REVIEW');
  expect(await refused(repo, 'reject', 'build-it#1')).toBe(
    'Rejecting build-it.md#1 needs feedback: say what has to change.\n  try: cadre reject build-it#1 --feedback "..."\n',
  );
  expect(await refused(repo, 'next', 'build-it#1')).toContain('approve it, request changes, or abandon it');
  expect(await refused(repo, 'revert', 'build-it#1')).toContain('try: cadre back build-it#1');
  expect(await refused(repo, 'mark-done', 'build-it#1')).toContain('try: cadre back build-it#1');
  expect(await refused(repo, 'approve', 'build-it#1', '--override')).toContain('has nothing to override');
  const diff = await accepted(repo, 'diff', 'build-it#1');
  expect(diff).toContain('+++ b/made.txt\n@@ -0,0 +1 @@\n+made\n');
  expect(await accepted(repo, 'diff', 'build-it#1', '--stat')).toContain('made.txt | 1 +');
  expect(await accepted(repo, 'reject', 'build-it#1', '--feedback', 'It is not tested.\nTest it.')).toBe(
    'build-it.md#1 goes back to the implementer: CODE_REVIEW -> FIXING.\n',
  );
  await repo.reaches('1', 'CODE_REVIEW', 'spec');
  expect(await accepted(repo, 'why', '#1')).toMatch(
    /^Run: CODE_REVIEW \(spec review\) since .*, attempt 1, on cadre\/build-it\/t1-a1\.\nUsed: coding 1\/8, fixing 1\/3, .*\nNot verified: the project has no verify command\.\nLast feedback \(from a person\): "It is not tested\."\nThe spec-reviewer \(s\d+\) is working: review-spec\. \(owner: spec-reviewer, until .*, then a new agent is started\)$/m,
  );
  // A commit that is added during the review was not verified.
  repo.gitIn(repo.worktree('1'), 'commit', '--quiet', '--allow-empty', '-m', 'late');
  expect(await refused(repo, 'approve', 'build-it#1')).toMatch(
    /^build-it\.md#1 was not approved and goes back to the implementer\. The branch moved on to /,
  );
  await repo.reaches('1', 'CODE_REVIEW', 'spec');
  await accepted(repo, 'approve', 'build-it#1');
  expect(await accepted(repo, 'back', 'build-it#1', '--feedback', 'Once more.')).toContain('CODE_REVIEW -> FIXING');
  await repo.reaches('1', 'CODE_REVIEW', 'spec');
  await accepted(repo, 'approve', 'build-it', '1');
  expect(await accepted(repo, 'approve', 'build-it#1')).toBe(
    'build-it.md#1 is approved: CODE_REVIEW -> AWAIT_MERGE.\n',
  );
  await repo.until((world) => world.plans.get(PLAN)?.status === 'reviewing');
  const merged = repo.json('diff', 'build-it#1') as { merged: boolean; to: string; files: readonly object[] };
  expect(merged).toMatchObject({ merged: true, to: repo.commit(PLAN_BRANCH) });
  expect(merged.files).toEqual([{ path: 'made.txt', added: 4, removed: 0 }]);
  expect(await accepted(repo, 'diff', 'build-it', '--stat')).toContain('1 file changed, 4 insertions(+)');
  expect(await refused(repo, 'reject', 'build-it')).toContain('Rejecting build-it.md needs feedback');
  // The script keeps the new task with its implementer until the person marks it done.
  const feedback = 'No words about it.\n\n```script\nhang\n```\n';
  expect(await accepted(repo, 'reject', 'build-it', '--feedback', feedback)).toContain(
    'build-it.md: reviewing -> implementing',
  );
  expect(repo.task('R1')).toMatchObject({ feedback });
  expect(await accepted(repo, 'mark-done', 'build-it#R1')).toContain('is marked done. Nothing was merged.');
  await repo.until((world) => world.plans.get(PLAN)?.status === 'reviewing');
  expect(await accepted(repo, 'status')).toContain('done, marked done, nothing merged');
  expect(await accepted(repo, 'approve', 'build-it')).toContain('build-it.md: reviewing -> done');
  const log = await accepted(repo, 'log');
  expect(log).toMatch(
    /build-it\.md#1 {2}spec_review -> implementing, run CODE_REVIEW -> FIXING {2}\(changes\) {2}"It is not tested\."$/m,
  );
  expect(log).toMatch(/build-it\.md#1 {2}spec_review -> quality_review {2}\(stage_passed\)$/m);
  expect(log).toMatch(
    /settings: up to 4 runs in parallel; verified by the engine; .*programs: cadre-scripted-agent, sh$/m,
  );
  expect(log).toMatch(/s\d+ {2}starting cadre-scripted-agent \(spec-reviewer of build-it\.md#1\)$/m);
  expect(log).toMatch(/build-it\.md#1 {2}quality_review -> done, run AWAIT_MERGE -> DONE {2}\(merged\)$/m);
});

test('a task that went wrong is retried, reverted, abandoned or marked done', async () => {
  const repo = planRepo({
    plan: tasksOf([`role implementer\nask What now?\nhang\nattempt 3\n${implementing()}`, 'hang']),
  });
  await startBuild(repo);
  await repo.reaches('1', 'QUESTION');
  expect(await refused(repo, 'retry', 'build-it#1')).toContain('is QUESTION and not halted');
  expect(await refused(repo, 'launch', 'build-it#1')).toContain('is implementing, so it cannot be launched');
  expect(await refused(repo, 'launch', 'build-it#2')).toContain('waits for 1, which must be done first');
  expect(await accepted(repo, 'abandon', 'build-it#1')).toBe('build-it.md#1 is abandoned: QUESTION -> ERROR.\n');
  expect(await accepted(repo, 'status')).toMatch(/1 {2}Part 1 {2}implementing, halted +ERROR, attempt 1, owner user$/m);
  expect(commandsFor(repo, '1')).toEqual([
    'cadre retry build-it#1',
    'cadre revert build-it#1',
    'cadre mark-done build-it#1',
  ]);
  expect(await accepted(repo, 'retry', 'build-it#1')).toBe(
    'build-it.md#1 is launched: attempt 2, on cadre/build-it/t1-a2.\n',
  );
  await repo.reaches('1', 'QUESTION');
  expect(await accepted(repo, 'revert', 'build-it#1')).toBe(
    'build-it.md#1 is planned again; it will not be launched automatically. What was built is kept on cadre/build-it/t1-a2.\n',
  );
  expect(await accepted(repo, 'status')).toMatch(/1 {2}Part 1 {2}planned, held$/m);
  expect(statusOf(repo).needsYou).toMatchObject([{ task: '1', commands: ['cadre launch build-it#1'] }]);
  await accepted(repo, 'launch', 'build-it', '1');
  await repo.reaches('1', 'DONE');
  await repo.reaches('2', 'CODING');
  expect(await refused(repo, 'back', 'build-it#2')).toContain('it is not under review, so it cannot be sent back');
  expect(await refused(repo, 'next', 'build-it#2')).toContain('has no commits yet');
  expect(await accepted(repo, 'mark-done', 'build-it#2')).toBe(
    'build-it.md#2 is marked done. Nothing was merged. What was built is kept on cadre/build-it/t2-a1.\n',
  );
  expect(await refused(repo, 'merge-anyway', 'build-it#1')).toContain(
    'only an approved task that was removed from the plan file',
  );
});

test('a frozen repository starts nothing until it is thawed', async () => {
  const repo = planRepo({ plan: tasksOf(['hang']) });
  expect(await accepted(repo, 'register', PLAN)).toContain('is ready');
  expect(await accepted(repo, 'freeze')).toContain('Frozen: running work continues, nothing new starts until');
  expect(await accepted(repo, 'freeze')).toContain('cadre is already frozen');
  await accepted(repo, 'move', PLAN, 'implement_start');
  expect(await refused(repo, 'launch', 'build-it#1')).toContain('is not launched, because cadre is frozen');
  expect(await accepted(repo, 'status')).toContain('cadre is frozen: nothing new starts until "cadre thaw".');
  expect(repo.json('thaw')).toEqual({ version: 1, frozen: false, engine: null });
  expect(await accepted(repo, 'thaw')).toContain('cadre is not frozen.');
  const launched = await accepted(repo, 'launch', 'build-it#1');
  expect(launched).toBe(
    'build-it.md#1 is launched: attempt 1, on cadre/build-it/t1-a1.\nNo engine is running, so nothing happens until one does: "cadre engine start".\n',
  );
  expect(repo.plan().work?.going).toBe(false);
  expect(await refused(repo, 'diff', 'build-it#1')).toContain('has no branch');
  expect(repo.json('revert', 'build-it#1')).toMatchObject({
    version: 1,
    plan: { plan: PLAN },
    task: { task: '1', state: 'planned', held: true, run: null, waysOut: ['launch'] },
    record: { event: 'revert' },
    engine: null,
  });
});

const BY_AGENTS: readonly (readonly string[])[] = [
  ['approve', 'build-it#1'],
  ['approve', 'build-it#1', '--override'],
  ['approve', 'build-it'],
  ['reject', 'build-it#1', '--feedback', 'x'],
  ['reject', 'build-it', '--feedback', 'x'],
  ['next', 'build-it#1'],
  ['back', 'build-it#1'],
  ['abandon', 'build-it#1'],
  ['retry', 'build-it#1'],
  ['launch', 'build-it#1'],
  ['revert', 'build-it#1'],
  ['mark-done', 'build-it#1'],
  ['merge-anyway', 'build-it#1'],
  ['answer', 'build-it#1', 'CONTINUE'],
  ['freeze'],
  ['thaw'],
];

test('an agent can do none of this: every attempt from its shell is refused and shown to the person, and nothing moves', async () => {
  const tries = BY_AGENTS.map((argv) => argv.map((word) => `'${word}'`).join(' '));
  const repo = planRepo({
    plan: tasksOf([
      `role implementer\n${implementing()}\nrole spec-reviewer\nrun sh -c 'sh "$HOME/tries.sh"'\nrun touch ../../../../../../tried\nhang`,
    ]),
  });
  // Also without its environment, as an agent would do that wants to pass for a person.
  const lines = tries.flatMap((argv) => [
    `${CADRE} ${argv} 2>>"$HOME/said"; echo "code $?" >>"$HOME/said"`,
    `env -i PATH="$PATH" HOME="$HOME" CADRE_HOME="$HOME/home" ${CADRE} ${argv} 2>>"$HOME/said"; echo "code $?" >>"$HOME/said"`,
  ]);
  writeFileSync(repo.at('tries.sh'), `cd ${repo.root}\n${lines.join('\n')}\n`);
  await startBuild(repo);
  await repo.appears('tried');
  const said = textOf(repo.at('said')).trimEnd().split('\n');
  expect(said.filter((line) => line.startsWith('code '))).toEqual(lines.map(() => 'code 2'));
  expect(said.filter((line) => !line.startsWith('code '))).toEqual(
    lines.map(() =>
      expect.stringMatching(/^"[a-z-]+" is a person's decision; the spec-reviewer \(session s\d+\) cannot make it\.$/),
    ),
  );
  await repo.until((world) => world.refused.size >= lines.length);
  expect(quarantined(repo).map(({ name, code }) => `${name}: ${code}`)).toEqual(
    BY_AGENTS.flatMap(([command]) => Array(2).fill(`cadre ${command}: user-only`)),
  );
  expect(repo.runOf('1')).toMatchObject({ state: 'CODE_REVIEW', stage: 'spec' });
  expect(repo.world().frozen).toBe(false);
  expect(
    repo
      .records()
      .filter(({ by }) => by === 'user')
      .map(({ event }) => event),
  ).toEqual(['register', 'implement_start']);
});
