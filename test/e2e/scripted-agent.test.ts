// The scripted agent as a program: it does what its script says, and the real cadre receives its signals.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ScreenReading, StartRequest } from '../../src/agents/agent.ts';
import { scripted } from '../../src/agents/programs/scripted.ts';
import { ownPlaceOf } from '../../src/core/model/ids.ts';
import { lastLines } from '../../src/text/sanitize.ts';
import { type Bench, isLive, killIfThere, name, processBench, processesWith, tmuxBench } from '../support/hosts.ts';
import { needing } from '../support/needs.ts';
import { bringPlans, happenedTo, reachesStatus } from '../support/plans.ts';
import { eventually, MAIN, type Ran, type Repo, startEngine, temporaryRepo } from '../support/repo.ts';

const AGENT = resolve(process.env.CADRE_DIST ?? 'dist', 'scripted-agent.js');
const CADRE = [process.execPath, MAIN];

describe('the script', () => {
  test('is the file in --script, else in CADRE_SCRIPT, else the block in the prompt', () => {
    const repo = temporaryRepo();
    const [named, variable] = [scriptFile(repo, 'say named'), scriptFile(repo, 'say variable')];
    const prompt = 'Build it.\n\n```script\nsay prompt\n```\n';
    const env = { CADRE_SCRIPT: variable };
    expect(agent(repo, { argv: ['--script', named, prompt], env }).stdout).toBe('named\n');
    expect(agent(repo, { argv: [prompt], env }).stdout).toBe('variable\n');
    expect(agent(repo, { argv: [prompt] }).stdout).toBe('prompt\n');
    writeFileSync(join(repo.root, 'prompt.md'), prompt);
    expect(agent(repo, { argv: ['--prompt-file', 'prompt.md'] }).stdout).toBe('prompt\n');
  });

  test('has a section for each role and attempt', () => {
    const repo = temporaryRepo();
    const script = 'role reviewer\nsay no\nattempt 2\nsay yes\nrole planner\nsay plan';
    expect(agent(repo, { script, env: { CADRE_ROLE: 'reviewer' } }).stdout).toBe('no\n');
    expect(agent(repo, { script, env: { CADRE_ROLE: 'reviewer', CADRE_ATTEMPT: '2' } }).stdout).toBe('yes\n');
    expect(agent(repo, { script, env: { CADRE_ROLE: 'planner', CADRE_ATTEMPT: '2' } }).stdout).toBe('plan\n');
  });

  test.each([
    [
      'an unknown command',
      { script: 'edit a.txt x\ncomit' },
      /^\/.*script-\d+: Line 2: unknown command "comit"; .*\.\n$/,
    ],
    [
      'a mistake in the prompt',
      { argv: ['Do:\n```script\nsleep x\n```'] },
      /^The prompt: Line 3: "sleep" needs .*\.\n$/,
    ],
    [
      'an unclosed block',
      { argv: ['```script\nsay x'] },
      /^The block marked "script" in the prompt is not closed\.\n$/,
    ],
    ['a missing file', { argv: ['--script', 'none'] }, /^Could not read none\. It does not exist\.\n$/],
    ['an unknown option', { argv: ['--model', 'x'] }, /^Unknown option '--model'/],
    ['two prompts', { argv: ['a', 'b'] }, /^Too many arguments: "b"\. Put the prompt in quotes\.\n$/],
    ['no script and no role', {}, /^There is no script, and the role "" has no default work: .*\.\n$/],
    [
      'an attempt that is not a number',
      { script: 'say x', env: { CADRE_ATTEMPT: 'two' } },
      /^CADRE_ATTEMPT must be .*, not "two"\.\n$/,
    ],
    [
      'a CADRE_PROGRAM that is not a list',
      { script: 'say x', env: { CADRE_PROGRAM: 'cadre' } },
      /^CADRE_PROGRAM must be a JSON list .*\.\n$/,
    ],
  ])('with %s ends the agent with one sentence before it does anything', (_, given, sentence) => {
    const repo = temporaryRepo();
    const { code, stdout, stderr } = agent(repo, given);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(sentence);
    expect(existsSync(join(repo.root, 'a.txt'))).toBe(false);
  });
});

describe('files', () => {
  test('are written, appended to and deleted', () => {
    const repo = temporaryRepo();
    agent(repo, {
      script:
        'edit deep/a.txt one two\nappend deep/a.txt three\nedit b.txt x\nedit b.txt y\nedit c x\ndelete c\nwrite d\n| one\n|   two\nadd d\n|\n| three\nwrite e',
    });
    expect(readFileSync(join(repo.root, 'deep/a.txt'), 'utf8')).toBe('one two\nthree\n');
    expect(readFileSync(join(repo.root, 'b.txt'), 'utf8')).toBe('y\n');
    expect(existsSync(join(repo.root, 'c'))).toBe(false);
    expect(readFileSync(join(repo.root, 'd'), 'utf8')).toBe('one\n  two\n\nthree\n');
    expect(readFileSync(join(repo.root, 'e'), 'utf8')).toBe('');
  });

  test('are committed, except dirty ones', () => {
    const repo = temporaryRepo();
    const script =
      'edit a.txt x\nedit "[b] c.txt" x\ncommit the first\ndirty "[b] c.txt"\ndirty "new one.txt"\nedit d.txt y\ncommit "the second"';
    expect(agent(repo, { script }).code).toBe(0);
    expect(repo.git('log', '--format=%s by %an', '--name-only')).toMatch(
      /^the second by cadre-scripted-agent\n\nd\.txt\nthe first by cadre-scripted-agent\n\n(?:"?\[b\] c\.txt"?\na\.txt|a\.txt\n"?\[b\] c\.txt"?)\nstart by t\n$/,
    );
    expect(repo.git('status', '--short').split('\n').sort()).toEqual(['', ' M "[b] c.txt"', '?? "new one.txt"']);
  });

  test.each([
    ['delete none.txt', /^Could not delete none\.txt\. It does not exist\.\n$/],
    ['run rm -r .git\ncommit lost', /git add failed \(128\)\.\n$/],
    ['edit /proc/none x', /^Could not write \/proc\/none\. /],
  ])('that cannot be changed end the agent: %s', (script, sentence) => {
    const { code, stdout, stderr } = agent(temporaryRepo(), { script: `${script}\nsay more` });
    expect([code, stderr]).toEqual([1, expect.stringMatching(sentence)]);
    expect(stdout).not.toContain('more');
  });
});

describe('its signal', () => {
  test('is received: an implementer without a script changes a file, commits, and the plan continues', async () => {
    const repo = planAt('implementing');
    await startEngine(repo);
    const { code, stderr } = agent(repo, { env: session('implementer') });
    expect([code, stderr]).toEqual([0, '']);
    await reachesStatus(repo, 'search.md', 'reviewing');
    expect(repo.git('log', '-1', '--format=%s', '--name-only')).toBe(
      'the plan: attempt 1\n\ndocs/plans/search.md\nsearch.txt\n',
    );
  });

  test.each([
    ['reviewer', 'reviewing', 'done'],
    ['planner', 'planning', 'ready'],
  ])('is received: a %s without a script moves a plan from %s to %s', async (role, from, to) => {
    const repo = planAt(from);
    await startEngine(repo);
    expect(agent(repo, { env: session(role) }).code).toBe(0);
    await reachesStatus(repo, 'search.md', to);
  });

  test('has the body that the script gives it, byte for byte', async () => {
    const repo = planAt('reviewing');
    await startEngine(repo);
    agent(repo, { script: 'signal review-changes "- \\"tests\\"\\n- $(docs)"', env: session('reviewer') });
    await reachesStatus(repo, 'search.md', 'implementing');
    expect(happenedTo(repo, 'search').at(-1)?.details.feedback).toBe('- "tests"\n- $(docs)');
  });

  test('may be a file', async () => {
    const repo = planAt('implementing');
    await startEngine(repo);
    agent(repo, { script: 'sentinel implement-finished', env: { CADRE_PLAN: 'search.md' } });
    await reachesStatus(repo, 'search.md', 'reviewing');
    agent(repo, { script: 'sentinel review-changes-search.md "more tests"' });
    await reachesStatus(repo, 'search.md', 'implementing');
  });

  test('may be refused, which does not end the agent', () => {
    const repo = planAt('planning');
    const { code, stdout, stderr } = agent(repo, {
      script: 'finish-lying\nask why\nsay more',
      env: session('implementer'),
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^signal implement-finished\nexit status 2\nsignal question\nexit status 2\nmore\n$/);
    expect(stderr).not.toBe('');
    expect(repo.status('search.md')).toBe('planning');
  });

  test('goes to the cadre of the session, or to the one on the PATH', () => {
    const repo = temporaryRepo();
    const bin = join(repo.root, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'cadre'), '#!/bin/sh\necho "on the PATH: $*"; cat\n');
    chmodSync(join(bin, 'cadre'), 0o755);
    const PATH = `${bin}:${process.env.PATH}`;
    const script = 'ask what?\nrun cadre --version';
    const own = JSON.stringify(['/bin/echo', 'of the session:']);
    expect(agent(repo, { script, env: { PATH, CADRE_PROGRAM: own } }).stdout).toBe(
      'signal question\nof the session: signal question --body-file -\nrun cadre --version\nof the session: --version\n',
    );
    expect(agent(repo, { script, env: { PATH, CADRE_PROGRAM: '' } }).stdout).toBe(
      'signal question\non the PATH: signal question --body-file -\nwhat?run cadre --version\non the PATH: --version\n',
    );
  });
});

describe('its screen', () => {
  test.each<[string, ScreenReading]>([
    ['busy', { kind: 'busy' }],
    ['busy\nidle', { kind: 'idle' }],
    ['busy\nsay working\nrun echo output\nedit a.txt x', { kind: 'busy' }],
    ['idle\ngarbage', { kind: 'idle' }],
    ['asks May I delete it?', { kind: 'asks-permission', question: 'May I delete it?' }],
    ['idle\ncrash', { kind: 'crashed', message: 'Error: The script says to crash.' }],
    ['say hello', { kind: 'unreadable' }],
  ])('%j is read as %j', (script, reading) => {
    const { stdout, stderr } = agent(temporaryRepo(), { script });
    expect(scripted.readScreen(lastLines(stdout + stderr, 50))).toEqual(reading);
  });

  needing('tmux', () => {
    // Without garbage: a terminal would answer it, and the answers would mix with the lines that are sent.
    test('is the same in a terminal, and lines sent to it arrive', async () => {
      await converse(tmuxBench());
    });
  });

  test('is the same without a terminal', async () => {
    await converse(processBench());
  });

  async function converse(bench: Bench): Promise<void> {
    const host = bench.open();
    const A = name('a');
    const request = startRequest(bench, 'idle\nread-line\nbusy\nread-line\nexit 7');
    const { argv, env, files } = scripted.start(request);
    for (const { path, text } of files) writeFileSync(path, text);
    const PATH = process.env.PATH ?? '';
    await host.start({
      session: A,
      place: ownPlaceOf(A),
      argv: [process.execPath, ...argv],
      cwd: bench.work,
      env: { ...env, PATH, TERM: 'xterm' },
    });
    const looks = (kind: ScreenReading['kind'], line: string) =>
      eventually(
        () => host.screen(A),
        (screen) => scripted.readScreen(screen).kind === kind && screen.includes(line),
      );
    await looks('idle', 'read-line');
    expect(await host.send(A, 'hello there')).toEqual({ kind: 'delivered' });
    await looks('busy', 'received: ');
    expect(await host.screen(A)).toMatch(/received: .*hello there/);
    await host.send(A, 'and the end');
    const life = async () => (await host.list()).find((one) => one.session === A)?.life;
    await eventually(life, (seen) => seen?.kind === 'ended');
    expect(await life()).toEqual({ kind: 'ended', exitCode: 7, signal: null });
  }
});

describe('the agent', () => {
  test('reads lines and the end of the input', () => {
    const { stdout } = agent(temporaryRepo(), { script: 'read-line\nread-line\nread-line', input: 'one\ntwo\n' });
    expect(stdout).toBe(
      'read-line\nreceived: one\nread-line\nreceived: two\nread-line\nreceived the end of the input\n',
    );
  });

  test('waits for a file, also in a folder that does not exist yet', async () => {
    const repo = temporaryRepo();
    const waiting = start(repo, 'wait-for new/folder/file\nsay it is there');
    await waiting.line('wait-for new/folder/file');
    mkdirSync(join(repo.root, 'new/folder'), { recursive: true });
    writeFileSync(join(repo.root, 'new/folder/file'), '');
    await waiting.line('it is there');
    expect(await waiting.ended).toBe(0);
  });

  test('sleeps for the given time', () => {
    const start = performance.now();
    agent(temporaryRepo(), { script: 'sleep 300' });
    expect(performance.now() - start).toBeGreaterThan(299);
  });

  test.each(['hang', 'read-line', 'sleep 999999', 'wait-for none', 'run sleep 1'])(
    'SIGTERM ends it at once, also in: %s',
    async (script) => {
      const waiting = start(temporaryRepo(), script);
      await waiting.line(script);
      waiting.process.kill('SIGTERM');
      expect(await waiting.ended).toBe(143);
    },
  );

  test('survives SIGTERM after "ignore-sigterm"', async () => {
    const stubborn = start(temporaryRepo(), 'ignore-sigterm\nread-line\nexit 3');
    await stubborn.line('read-line');
    stubborn.process.kill('SIGTERM');
    // Without "ignore-sigterm" the agent would be gone before it could read this.
    stubborn.process.kill('SIGTERM');
    stubborn.process.stdin?.write('still here\n');
    await stubborn.line('received: still here');
    expect(await stubborn.ended).toBe(3);
  });

  test.each([
    ['exit 7\nsay more', 7],
    ['crash\nsay more', 1],
    ['say all', 0],
    ['run sh -c "exit 9"', 0],
  ])('%j ends with %i', (script, status) => {
    const { code, stdout } = agent(temporaryRepo(), { script });
    expect(code).toBe(status);
    expect(stdout).not.toContain('more');
  });

  test('shows the output and the exit status of a program that it runs', () => {
    const { stdout, stderr } = agent(temporaryRepo(), {
      script: 'run sh -c "echo out; echo err >&2; kill -9 $$"\nrun no-such-program',
    });
    expect(stdout).toBe(
      'run sh -c echo out; echo err >&2; kill -9 $$\nout\nexit status 137\nrun no-such-program\nexit status 127\n',
    );
    expect(stderr).toBe('err\n');
  });

  test.each([
    ['expect-env A one two', { A: 'one two' }, 0, ''],
    ['expect-env A unset', {}, 0, ''],
    ['expect-env A x', {}, 1, 'A is not set, but the script expects it to be "x".\n'],
    ['expect-env A unset', { A: 'y' }, 1, 'A is "y", but the script expects it to be not set.\n'],
  ])('%s with %j ends with %i', (script, env, status, sentence) => {
    const { code, stderr } = agent(temporaryRepo(), { script, env });
    expect([code, stderr]).toEqual([status, sentence]);
  });

  test('a flood has the given number of bytes', () => {
    const { stdout } = agent(temporaryRepo(), { script: 'flood 3000' });
    expect(stdout.length).toBe(3000 * 1024 + 'flood 3000\n'.length);
  });
});

needing('proc', () => {
  describe('a process it leaves behind', () => {
    test('as a fork outlives it, in the same session and with the same output', async () => {
      const mark = `CADRE_TEST_MARK=${realpathSync(temporaryRepo().root)}`;
      const parent = start(temporaryRepo(), 'fork forever', mark);
      await parent.line('fork forever');
      expect(await parent.exited).toBe(0);
      const [child = 0, ...more] = processesWith(mark);
      expect([isLive(child), more]).toEqual([true, []]);
      // While the fork runs, the output does not end.
      killIfThere(child);
      expect(await parent.ended).toBe(0);
    });

    test('as a fork with a time limit ends automatically', async () => {
      const mark = `CADRE_TEST_MARK=${realpathSync(temporaryRepo().root)}`;
      const parent = start(temporaryRepo(), 'fork 50', mark);
      expect(await parent.ended).toBe(0);
      await eventually(
        () => processesWith(mark),
        (left) => left.length === 0,
      );
    });

    test('as a daemon outlives it, in a new session without a parent', async () => {
      const mark = `CADRE_TEST_MARK=${realpathSync(temporaryRepo().root)}`;
      const parent = start(temporaryRepo(), 'daemon', mark);
      expect(await parent.ended).toBe(0);
      const [daemon = 0] = await eventually(
        () => processesWith(mark),
        (left) => left.length === 1,
      );
      const { ppid, session: its } = statOf(daemon);
      expect(its).not.toBe(statOf(process.pid).session);
      expect([parent.process.pid, process.pid, its]).not.toContain(ppid);
    });
  });
});

test('can be run by its program name', () => {
  expect(statSync(AGENT).mode & 0o111).toBe(0o111);
  const { status, stdout } = spawnSync(AGENT, ['--help'], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, expect.stringContaining('Usage: cadre-scripted-agent')]);
});

interface Given {
  readonly script?: string;
  readonly argv?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
}

function agent(repo: Repo, { script, argv = [], env = {}, input = '' }: Given): Ran {
  const named = script === undefined ? [] : ['--script', scriptFile(repo, script)];
  const { status, stdout, stderr } = spawnSync(process.execPath, [AGENT, ...named, ...argv], {
    cwd: repo.root,
    env: { ...repo.env, CADRE_PROGRAM: JSON.stringify(CADRE), ...env },
    input,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return { code: status ?? -1, stdout, stderr };
}

/** Outside of the repository, so that no commit includes it. */
function scriptFile(repo: Repo, text: string): string {
  scripts += 1;
  const path = join(repo.root, '..', `script-${scripts}`);
  writeFileSync(path, text);
  return path;
}
let scripts = 0;

interface Running {
  readonly process: ChildProcess;
  /** Resolves when a line starts with this. */
  line(prefix: string): Promise<void>;
  readonly exited: Promise<number | null>;
  /** Resolves when it has exited and its output has ended. */
  readonly ended: Promise<number | null>;
}

/** The agent is killed when the test ends, and so is every process with the mark. */
function start(repo: Repo, script: string, mark?: string): Running {
  const [variable = '', value = ''] = mark?.split('=') ?? [];
  const child = spawn(process.execPath, [AGENT, '--script', scriptFile(repo, script)], {
    cwd: repo.root,
    env: { ...repo.env, ...(mark === undefined ? {} : { [variable]: value }) },
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
    for (const pid of mark === undefined ? [] : processesWith(mark)) killIfThere(pid);
  });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  return {
    process: child,
    line: async (prefix) =>
      void (await eventually(
        () => lines,
        (seen) => seen.some((line) => line.startsWith(prefix)),
      )),
    exited: new Promise((done) => child.once('exit', done)),
    ended: new Promise((done) => child.once('close', done)),
  };
}

function planAt(status: string): Repo {
  const repo = temporaryRepo();
  bringPlans(repo, { 'search.md': status });
  return repo;
}

function session(role: string): NodeJS.ProcessEnv {
  return { CADRE_SESSION: 'a', CADRE_ROLE: role, CADRE_PLAN: 'search.md' };
}

function startRequest(bench: Bench, script: string): StartRequest {
  return {
    session: 'a',
    role: 'implementer',
    program: AGENT,
    flags: [],
    worktree: bench.work,
    folder: bench.sessions,
    messages: bench.sessions,
    reads: [],
    prompt: `Do it.\n\n\`\`\`script\n${script}\n\`\`\`\n`,
    cadre: CADRE,
    verify: null,
    writable: [],
    author: () => null,
    trusted: false,
  };
}

function statOf(pid: number): { readonly ppid: number; readonly session: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [, ppid = '', , session = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { ppid: Number(ppid), session: Number(session) };
}
