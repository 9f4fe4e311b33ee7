// Sessions as a person uses them: the built program, real worktrees, and real programs in both hosts.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { repoName } from '../../src/adapters/repo/repo.ts';
import type { SessionView } from '../../src/core/views/session.ts';
import { isLive, killIfThere, processesWith, textOf, tmux, written } from '../support/hosts.ts';
import { needing } from '../support/needs.ts';
import { contentsOf } from '../support/pieces.ts';
import { ndjson } from '../support/plans.ts';
import { eventually, MAIN, startEngine } from '../support/repo.ts';
import {
  clerkIn,
  type HostKind,
  heardBy,
  inSh,
  program,
  type SessionRepo,
  sessionRepo,
} from '../support/session-repo.ts';

needing('tmux', () => describe('in tmux', () => claims('tmux')));
describe('as plain processes', () => claims('process'));

/** How soon a session's real state must be shown, in milliseconds. */
const SOON = 5_000;
const CONTROL = /[\0-\x08\x0b-\x1f\x7f-\x9f]/;

function claims(host: HostKind): void {
  describe.each([
    ['without an engine', false],
    ['with an engine running', true],
  ])('%s', (_how, withEngine) => {
    test('a session can be started, listed, sent to, switched, stopped, paused and resumed', async () => {
      const repo = sessionRepo(host);
      if (withEngine) await startEngine(repo);
      const { view, report, pid } = await clerkIn(repo, 'clerk');
      expect(view).toMatchObject({ title: 'clerk', state: 'running', role: 'unknown' });
      // A program that has been silent for a few seconds is not called busy.
      expect(repo.sessions()).toEqual([{ ...view, activity: expect.anything(), sentence: expect.any(String) }]);
      expect((await repo.view('send', view.session, 'hello there')).state).toBe('running');
      await eventually(
        () => heardBy(report),
        (received) => received.includes('hello there'),
      );

      const next = await repo.view('switch', view.session, '--role', 'reviewer', '-p', inSh('echo next; exec cat'));
      expect(next).toMatchObject({ title: 'clerk', role: 'reviewer', state: 'running', branch: view.branch });
      expect(isLive(pid)).toBe(false);
      expect(repo.sessions().map(({ session }) => session)).toEqual([next.session]);
      expect(repo.sessions('--all').map(({ session, state }) => [session, state])).toEqual([
        [view.session, 'stopped'],
        [next.session, 'running'],
      ]);
      expect(await repo.view('stop', next.session)).toMatchObject({ state: 'stopped' });
      const again = await repo.view('resume', next.session);
      expect(again).toMatchObject({ state: 'running', role: 'reviewer', branch: view.branch });
      expect(await repo.view('pause', again.session)).toMatchObject({ state: 'paused' });
      expect(await repo.view('resume', again.session)).toMatchObject({ state: 'running', branch: view.branch });
    });

    test('a program that fails at once is a failed start, and its last output can be shown', async () => {
      const repo = sessionRepo(host);
      if (withEngine) await startEngine(repo);
      const ran = await repo.session('new', '--title', 'bad', '-p', inSh('echo the last words; exit 3'));
      expect(ran).toMatchObject({ code: 2, stdout: '' });
      expect(ran.stderr).toMatch(
        /^(s\d+): The program exited right after it started \(exit code 3\)\.\n {2}try: cadre session screen \1\n$/,
      );
      expect(repo.cadre('session', 'screen', 'bad').stdout).toContain('the last words');
      expect(repo.sessions()).toMatchObject([{ title: 'bad', state: 'failed' }]);
    });

    test('two sessions started at the same time do not interfere', async () => {
      const repo = sessionRepo(host);
      if (withEngine) await startEngine(repo);
      const [one, other] = await Promise.all([clerkIn(repo, 'one'), clerkIn(repo, 'other')]);
      expect(one.view.session).not.toBe(other.view.session);
      await Promise.all([
        repo.view('send', one.view.session, 'for one'),
        repo.view('send', other.view.session, 'for other'),
      ]);
      await eventually(
        () => heardBy(one.report),
        (received) => received.includes('for one'),
      );
      await eventually(
        () => heardBy(other.report),
        (received) => received.includes('for other'),
      );
      await repo.view('stop', one.view.session);
      expect([isLive(one.pid), isLive(other.pid)]).toEqual([false, true]);
      expect([heardBy(one.report), heardBy(other.report)]).toEqual([['for one'], ['for other']]);
    });
  });

  test('in a repository without plans a session has its own worktree, branch and terminal', async () => {
    const repo = sessionRepo(host);
    rmSync(join(repo.root, 'docs'), { recursive: true });
    const report = join(repo.outside, 'seen');
    const view = await repo.view('new', '--title', 'Fix the flaky test', '-p', program('witness.mjs', report, 'stay'));
    const { cwd } = JSON.parse(await written(report));
    expect(cwd).toBe(repo.worktreeOf(view.session));
    expect(view.branch).toBe('cadre/adhoc/fix-the-flaky-test-s1');
    expect(repo.git('-C', cwd, 'branch', '--show-current').trim()).toBe(view.branch);
    expect(repo.git('rev-parse', view.branch)).toBe(repo.git('rev-parse', 'HEAD'));
    expect(repo.git('branch', '--show-current').trim()).toBe('main');
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(repo.json('status')).toMatchObject({ plans: [], sessions: [{ session: 's1', state: 'running' }] });
  });

  test('the program knows its session, and gets only the usual variables and the named ones', async () => {
    const repo = sessionRepo(host);
    const canaries = Array.from({ length: 20 }, (_, number) => `CANARY_${number}`);
    for (const canary of canaries) repo.env[canary] = 'secret';
    const report = join(repo.outside, 'seen');
    await repo.view('new', '--env', 'CANARY_3,CANARY_7', '-p', program('witness.mjs', report, 'stay'));
    const { env } = JSON.parse(await written(report));
    expect(env).toMatchObject({
      CADRE_SESSION: 's1',
      CADRE_ROLE: 'unknown',
      CADRE_INBOX: join(repo.state(), 'inbox', 's1'),
      CADRE_HOME: repo.home,
      PATH: repo.env.PATH,
    });
    expect(
      Object.keys(env)
        .filter((name) => name.startsWith('CANARY_'))
        .sort(),
    ).toEqual(['CANARY_3', 'CANARY_7']);
  });

  test('a command that the program runs has the role of the session', async () => {
    const repo = sessionRepo(host);
    repo.writePlan('search.md');
    repo.cadre('register', 'search');
    repo.cadre('move', 'search', 'plan_start');
    const { session } = await repo.view('new', '--title', 'planner', '-p', 'cat');
    const says = inSh(`'${process.execPath}' '${MAIN}' signal planner-finished --plan search; exec cat`);
    await repo.view('switch', session, '--role', 'planner', '-p', says);
    await eventually(
      () => repo.cadre('session', 'screen', 'planner').stdout,
      (screen) => screen.includes('search.md will go from planning to ready'),
    );
  });

  test('named variables apply to the sessions that follow, too', async () => {
    const repo = sessionRepo(host);
    repo.env.TOKEN = 'secret';
    const [first, second] = [join(repo.outside, 'first'), join(repo.outside, 'second')];
    await repo.view('new', '--env', 'TOKEN', '-p', program('witness.mjs', first, 'stay'));
    await repo.view('switch', 's1', '-p', program('witness.mjs', second, 'stay'));
    expect(JSON.parse(await written(second)).env).toMatchObject({ TOKEN: 'secret' });
  });

  test('every command answers a person in one line', async () => {
    const repo = sessionRepo(host);
    await clerkIn(repo, 'clerk');
    const ran = (...argv: readonly string[]) => repo.cadre('session', ...argv);
    expect(ran('list').stdout).toMatch(
      /^session +state +since.*\ns1 +(?:working|running) .* clerk +(?:Working|Running; no output for \d+ s)\.\n$/,
    );
    await eventually(
      () => ran('screen', 'clerk').stdout,
      (screen) => screen.includes('the clerk listens'),
    );
    expect(ran('send', 'clerk', 'hello')).toEqual({ code: 0, stdout: 's1 (clerk): delivered\n', stderr: '' });
    expect(ran('stop', 'clerk').stdout).toMatch(/^s1 \(clerk\): stopped\. Its work is /);
    expect(ran('resume', 'clerk').stdout).toMatch(/^s\d+ \(clerk\): running\. /);
    expect(ran('pause', 'clerk').stdout).toMatch(/^s\d+ \(clerk\): paused\. Its work is on cadre\/adhoc\/clerk-s1\./);
    expect(
      ran('log', 'clerk')
        .stdout.split('\n')
        .filter((line) => line.includes(' user ')),
    ).toMatchObject([
      expect.stringContaining('s1  starting'),
      expect.stringContaining('s1  sending text'),
      expect.stringContaining('s1  stopping'),
      expect.stringContaining('resuming'),
      expect.stringContaining('pausing'),
    ]);
    const records = ndjson(ran('log', 'clerk', '--json').stdout);
    expect(records[0]).toMatchObject({ version: 1, seq: 1, event: 'session_begun' });
  });

  test('the screen is also available as JSON', async () => {
    const repo = sessionRepo(host);
    await clerkIn(repo, 'clerk');
    const seen = await eventually(
      async () => JSON.parse((await repo.session('screen', 's1', '--json')).stdout),
      ({ screen }) => screen.includes('the clerk listens'),
    );
    expect(seen).toEqual({ version: 1, session: 's1', screen: 'the clerk listens' });
  });

  test('of the titles a, ab and abc, only the named session is stopped', async () => {
    const repo = sessionRepo(host);
    const clerks = await Promise.all(['a', 'ab', 'abc'].map((title) => clerkIn(repo, title)));
    for (const [index, title] of ['abc', 'ab', 'a'].entries()) {
      expect(await repo.session('stop', title)).toMatchObject({ code: 0 });
      expect(clerks.map(({ pid }) => isLive(pid))).toEqual([index < 2, index < 1, false]);
    }
  });

  test('a session whose id is a prefix of another is stopped alone', async () => {
    const repo = sessionRepo(host);
    const clerks = [];
    for (const title of ['first', 'second', 'third', 'fourth']) clerks.push(await clerkIn(repo, title));
    expect(clerks.map(({ view }) => view.session)).toEqual(['s1', 's4', 's7', 's10']);
    await repo.view('stop', 's1');
    expect(clerks.map(({ pid }) => isLive(pid))).toEqual([false, true, true, true]);
  });

  test.each([
    ['without an engine', false],
    ['with an engine running', true],
  ])('a killed program has ended by a signal, and nothing is called a success: %s', async (_how, withEngine) => {
    const repo = sessionRepo(host);
    if (withEngine) await startEngine(repo);
    const { pid, view } = await clerkIn(repo, 'clerk');
    killIfThere(pid);
    // So soon after its start it may also count as a failed start.
    const seen = await soonNot(repo, view.session, 'running');
    expect(['ended', 'failed']).toContain(seen.state);
    expect(seen.sentence).toContain('SIGKILL');
    expect(seen.sentence).not.toMatch(/success|done|finished/i);
  });

  test('kill -9 of the engine ends no session, and the next engine starts nothing twice', async () => {
    const repo = sessionRepo(host);
    const engine = await startEngine(repo);
    const [lives, dies] = [join(repo.outside, 'lives'), join(repo.outside, 'dies')];
    await repo.view('new', '--title', 'lives', '-p', program('witness.mjs', lives, 'stay'));
    await repo.view('new', '--title', 'dies', '-p', program('witness.mjs', dies, 'stay'));
    await engine.kill();
    expect(repo.sessions().map(({ state }) => state)).toEqual(['running', 'running']);
    killIfThere(JSON.parse(await written(dies)).pid);
    const next = await startEngine(repo, '--json');
    await next.line(/"session_news".*"ended"/);
    expect(repo.sessions().map(({ title, state }) => [title, state === 'running'])).toEqual([
      ['lives', true],
      ['dies', false],
    ]);
    expect([textOf(`${lives}.starts`), textOf(`${dies}.starts`)]).toEqual(['x', 'x']);
  });

  test.each<[string, (state: string) => boolean]>([
    ['decided', (state) => [...journalOf(state)].some((text) => text.includes('session_begun'))],
    ['created its worktree', (state) => existsSync(join(state, 'worktrees', 'adhoc', 's1', '.git'))],
    ['started its program', (state) => existsSync(join(state, 'sessions', 's1', 'begun'))],
  ])(
    'a cadre that is killed once it has %s leaves the rest to the next engine, which starts the program once',
    async (_what, has) => {
      const repo = sessionRepo(host);
      const report = join(repo.outside, 'seen');
      const argv = [MAIN, 'session', 'new', '--title', 'x', '-p', program('witness.mjs', report, 'stay')];
      const child = spawn(process.execPath, argv, { cwd: repo.root, env: repo.env, stdio: 'ignore' });
      const ended = new Promise((done) => child.once('exit', done));
      await eventually(() => has(join(repo.home, 'repos', repoName(repo.root))), Boolean);
      child.kill('SIGKILL');
      await ended;
      await startEngine(repo);
      await written(report);
      await eventually(
        () => repo.sessions()[0]?.state,
        (state) => state === 'running',
      );
      expect(textOf(`${report}.starts`)).toBe('x');
      expect(processesWith(`CADRE_SESSION_FOLDER=${repo.state()}/sessions/s1`).filter(isWitness)).toHaveLength(1);
    },
  );

  test('after its worktree was removed by hand the program keeps running, and resuming restores the branch', async () => {
    const repo = sessionRepo(host);
    const { view } = await clerkIn(repo, 'clerk');
    const worktree = repo.worktreeOf('s1');
    writeFileSync(join(worktree, 'committed'), 'kept\n');
    repo.git('-C', worktree, 'add', '--all');
    commit(repo, worktree);
    rmSync(worktree, { recursive: true });
    expect(repo.json('status')).toMatchObject({ sessions: [{ session: 's1', state: 'running' }] });
    expect(repo.sessions()).toMatchObject([{ state: 'running' }]);
    expect(await repo.view('resume', 's1')).toMatchObject({ state: 'running', branch: view.branch });
    expect(textOf(join(worktree, 'committed'))).toBe('kept\n');
  });

  test('a conversation is resumed in the form of its host: in a terminal, or with one prompt', async () => {
    const repo = sessionRepo(host);
    const bin = join(repo.outside, 'bin');
    mkdirSync(bin);
    writeFileSync(
      join(bin, 'claude'),
      '#!/bin/sh\nprintf "%s\\n" "$@" >"$HOME/$CADRE_SESSION.part"\nmv "$HOME/$CADRE_SESSION.part" "$HOME/$CADRE_SESSION"\nexec sleep 600\n',
      { mode: 0o755 },
    );
    repo.env.PATH = `${bin}:${repo.env.PATH}`;
    const { session } = await repo.view('new', '-p', 'claude', 'Begin with it');
    const again = await repo.view('resume', session, 'Go on with it');
    const words = (await written(join(repo.outside, again.session))).split('\n');
    expect(words).toEqual(expect.arrayContaining(['--continue', 'Go on with it']));
    expect(words.includes('-p')).toBe(host === 'process');
  });

  test('a program that is not installed is named, and nothing is created', () => {
    const repo = sessionRepo(host);
    const ran = repo.cadre('session', 'new', '-p', 'no-such-agent --fast', 'Fix it');
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toBe(
      'no-such-agent is not installed. Install it, or choose another program.\n  try: cadre session new --program <program>\n       cadre config set default_program <program>\n',
    );
    expect(repo.git('branch', '--list', 'cadre/*')).toBe('');
    expect(repo.git('worktree', 'list').trim().split('\n')).toHaveLength(1);
    expect(existsSync(repo.home) ? [...contentsOf(repo.home).keys()] : []).toEqual([]);
    expect(repo.sessions()).toEqual([]);
  });

  test('sending to a stopped session is refused at once', async () => {
    const repo = sessionRepo(host);
    await clerkIn(repo, 'clerk');
    await repo.view('stop', 's1');
    expect(await repo.session('send', 's1', 'hello')).toEqual({
      code: 2,
      stdout: '',
      stderr: 's1 is not running, so nothing can be sent to it.\n',
    });
  });

  test('sending to a session that ended unnoticed is refused, and nothing stays pending', async () => {
    const repo = sessionRepo(host);
    const { pid } = await clerkIn(repo, 'clerk');
    killIfThere(pid);
    await eventually(
      () => isLive(pid),
      (live) => !live,
    );
    const ran = await repo.session('send', 's1', 'hello');
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain('s1');
    const log = ndjson(repo.cadre('log', '--json').stdout) as {
      effects: { id: string }[];
      details: { effect?: string };
    }[];
    const decided = log.flatMap(({ effects }) => effects.map(({ id }) => id));
    expect(log.flatMap(({ details }) => details.effect ?? [])).toEqual(decided);
  });

  test('an agent inside a session cannot control sessions', async () => {
    const repo = sessionRepo(host);
    const { pid } = await clerkIn(repo, 'clerk');
    const report = join(repo.outside, 'refusals');
    const tries = ['new -p sh', 'stop s1', 'pause s1', 'send s1 hello', 'switch s1', 'resume s1'];
    const lines = tries.map((words) => `"${process.execPath}" "${MAIN}" session ${words}; echo "code $?"`);
    const script = `{ ${lines.join('; ')}; } >"${report}.part" 2>&1; mv "${report}.part" "${report}"; exec cat`;
    await repo.view('new', '--title', 'agent', '-p', inSh(script));
    const answers = (await written(report)).trim().split('\n');
    expect(answers).toEqual(
      tries.flatMap(() => [
        'Only a person may start and stop sessions; an agent whose role is not known (session s4) cannot.',
        'code 2',
      ]),
    );
    expect(isLive(pid)).toBe(true);
    expect(repo.sessions().map(({ session, state }) => [session, state])).toEqual([
      ['s1', 'running'],
      ['s4', 'running'],
    ]);
  });

  test('an agent that clears its environment cannot control sessions either', async () => {
    const repo = sessionRepo(host);
    const report = join(repo.outside, 'refusals');
    const clear = `env -i PATH="$PATH" HOME="$HOME" CADRE_HOME="${repo.home}" CADRE_HOST=${host}`;
    const script = `${clear} "${process.execPath}" "${MAIN}" session new -p sh >"${report}.part" 2>&1; mv "${report}.part" "${report}"; exec cat`;
    await repo.view('new', '--title', 'agent', '-p', inSh(script));
    expect(await written(report)).toMatch(/^Only a person may start and stop sessions/);
    expect(repo.sessions()).toHaveLength(1);
  });

  test('pausing commits uncommitted work and frees the branch; resuming restores it byte for byte', async () => {
    const repo = sessionRepo(host);
    const { view, pid } = await clerkIn(repo, 'clerk');
    const worktree = repo.worktreeOf('s1');
    litter(worktree);
    const before = filesIn(worktree);
    await repo.view('pause', 's1');
    expect(isLive(pid)).toBe(false);
    expect(existsSync(worktree)).toBe(false);
    repo.git('checkout', '-q', view.branch);
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(filesIn(repo.root)).toEqual(before);
    repo.git('checkout', '-q', 'main');
    await repo.view('resume', 's1');
    expect(filesIn(worktree)).toEqual(before);
    expect(repo.git('-C', worktree, 'branch', '--show-current').trim()).toBe(view.branch);
  });

  test('a session whose branch is checked out elsewhere is not resumed, and the message says where', async () => {
    const repo = sessionRepo(host);
    const { view } = await clerkIn(repo, 'clerk');
    await repo.view('pause', 's1');
    repo.git('checkout', '-q', view.branch);
    const ran = await repo.session('resume', 's1');
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(repo.root);
    expect(ran.stderr).toContain(view.branch);
    // Once the person has freed the branch, the session can be resumed.
    repo.git('checkout', '-q', 'main');
    expect(await repo.view('resume', 'clerk')).toMatchObject({ state: 'running' });
  });

  test('pausing a session that was replaced leaves its successor and the worktree alone', async () => {
    const repo = sessionRepo(host);
    await clerkIn(repo, 'clerk');
    const next = await repo.view('switch', 's1', '-p', inSh('exec cat'));
    writeFileSync(join(repo.worktreeOf('s1'), 'half-done'), 'x');
    const ran = await repo.session('pause', 's1');
    expect(existsSync(join(repo.worktreeOf('s1'), 'half-done'))).toBe(true);
    expect(repo.git('-C', repo.worktreeOf('s1'), 'branch', '--show-current').trim()).toBe(next.branch);
    expect(repo.sessions()).toMatchObject([{ session: next.session, state: 'running' }]);
    expect(ran).toMatchObject({ code: 2, stdout: '' });
    expect(ran.stderr).toContain(next.session);
  });

  test('switching keeps uncommitted files, and leaves no process of the old program', async () => {
    const repo = sessionRepo(host);
    const report = join(repo.outside, 'pids');
    await repo.view('new', '--title', 'stubborn', '-p', program('stubborn.mjs', report));
    const pids = (await written(report, (text) => text.split('\n').length === 4)).trim().split('\n').map(Number);
    const worktree = repo.worktreeOf('s1');
    litter(worktree);
    repo.git('-C', worktree, 'add', 'staged');
    const before = [filesIn(worktree), repo.git('-C', worktree, 'status', '--porcelain')];
    const next = await repo.view('switch', 's1', '-p', inSh('exec cat'));
    expect(next.state).toBe('running');
    expect(pids.filter(isLive)).toEqual([]);
    expect(processesWith(`CADRE_SESSION_FOLDER=${repo.state()}/sessions/s1`)).toEqual([]);
    expect([filesIn(worktree), repo.git('-C', worktree, 'status', '--porcelain')]).toEqual(before);
  });

  test('switching to a program that is not installed leaves the running one alone', async () => {
    const repo = sessionRepo(host);
    const { pid } = await clerkIn(repo, 'clerk');
    expect(await repo.session('switch', 's1', '-p', 'no-such-agent')).toMatchObject({ code: 2, stdout: '' });
    expect(isLive(pid)).toBe(true);
    expect(repo.sessions()).toMatchObject([{ session: 's1', state: 'running' }]);
  });

  test('any title is only a title, and any prompt reaches the program unchanged', async () => {
    const repo = sessionRepo(host);
    const views: SessionView[] = [];
    for (const [index, text] of HOSTILE.entries()) {
      const report = join(repo.outside, `prompt-${index}`);
      const witness = program('witness.mjs', report, 'stay');
      views.push(await repo.view('new', `--title=${text}`, '-p', witness, '--', text));
      // As an argument, or in a file that it is asked to read.
      const [, , word = ''] = JSON.parse(await written(report)).argv as readonly string[];
      const [, file] = /^Read (\S+)(?: in full, in parts if it gets cut off,)? and do what it says\.$/.exec(word) ?? [];
      expect(file === undefined ? word : readFileSync(file, 'utf8')).toBe(text);
    }
    expect(views.map(({ title, state }) => [title, state])).toEqual(HOSTILE.map((title) => [title, 'running']));
    for (const { branch } of views) expect(repo.git('check-ref-format', '--branch', branch).trim()).toBe(branch);
    expect(repo.git('for-each-ref', '--format=%(refname:short)', 'refs/heads/cadre').trim().split('\n')).toHaveLength(
      new Set(views.map(({ branch }) => branch)).size,
    );
    for (const argv of [['session', 'list'], ['status'], ['status', '--explain'], ['log'], ['session', 'log', 's1']]) {
      const { code, stdout, stderr } = repo.cadre(...argv);
      expect({ argv, code, raw: CONTROL.test(stdout + stderr) }).toEqual({ argv, code: 0, raw: false });
    }
    expect(CONTROL.test(repo.cadre('session', 'stop', 's1').stdout)).toBe(false);
    expect(canariesOf(repo)).toEqual([]);
  });

  test('a very long title does not fill the screen', async () => {
    const repo = sessionRepo(host);
    const shown = await repo.session('new', `--title=${'x'.repeat(100_000)}`, '-p', inSh('exec cat'));
    expect(shown.code).toBe(0);
    for (const { stdout } of [shown, repo.cadre('session', 'list'), repo.cadre('status')])
      expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThan(1_000);
  });

  test('any text is delivered or refused with a reason, and none is executed', async () => {
    const repo = sessionRepo(host);
    const { report } = await clerkIn(repo, 'clerk');
    for (const text of HOSTILE) {
      const ran = await repo.session('send', 's1', '--', text);
      expect(CONTROL.test(ran.stdout + ran.stderr)).toBe(false);
      expect(ran.code === 0 ? ran.stdout : ran.stderr).toMatch(/\S/);
    }
    expect(await repo.session('send', 's1', '--', 'the end')).toMatchObject({ code: 0 });
    const received = await eventually(
      () => heardBy(report),
      (lines) => lines.includes('the end'),
    );
    expect(received.filter((line) => CONTROL.test(line))).toEqual([]);
    expect(canariesOf(repo)).toEqual([]);
  });

  test('the output of a program is shown as plain text', async () => {
    const repo = sessionRepo(host);
    const script = `printf '\\033]0;title\\007\\033[31mred\\033[0m \\033]52;c;eA==\\007plain\\n'; exec cat`;
    await repo.view('new', '--title', 'x', '-p', inSh(script));
    const seen = await eventually(
      () => repo.session('screen', 's1'),
      ({ stdout }) => stdout.includes('plain'),
    );
    expect(CONTROL.test(seen.stdout)).toBe(false);
    expect(seen.stdout).toContain('red');
  });

  if (host === 'process')
    test('a session without a terminal cannot be attached, and its output is suggested instead', async () => {
      const repo = sessionRepo(host);
      await clerkIn(repo, 'clerk');
      expect(repo.cadre('session', 'attach', 's1')).toEqual({
        code: 2,
        stdout: '',
        stderr: 's1 has no terminal.\n  try: cadre session screen s1\n',
      });
    });
  else inTerminals();
}

/** What only the tmux host has, and can lose. */
function inTerminals(): void {
  test('attaching names the terminal of the session, on the server of this repository', async () => {
    const repo = sessionRepo('tmux');
    await clerkIn(repo, 'clerk');
    const answer = repo.json('session', 'attach', 's1') as { version: 1; session: string; attach: readonly string[] };
    expect(answer).toMatchObject({ version: 1, session: 's1' });
    expect(answer.attach.slice(-5, -3)).toEqual(['-t', '=s1']);
    expect(answer.attach).toContain(repo.server);
    expect(tmux(repo.server, 'has-session', '-t', '=s1')).toBe('');
  });

  test.each([
    ['the server is killed', (repo: SessionRepo) => tmux(repo.server, 'kill-server'), ['gone', 'gone']],
    [
      'its terminal is killed',
      (repo: SessionRepo, session: string) => tmux(repo.server, 'kill-session', '-t', `=${session}`),
      ['gone', 'running'],
    ],
    [
      'its pane is killed',
      (repo: SessionRepo, session: string) => tmux(repo.server, 'kill-pane', '-t', `=${session}:`),
      ['gone', 'running'],
    ],
  ])('when %s, that is shown, with and without an engine, and nothing is restarted', async (_what, harm, states) => {
    for (const withEngine of [false, true]) {
      const repo = sessionRepo('tmux');
      if (withEngine) await startEngine(repo);
      const one = await clerkIn(repo, 'one');
      const clerks = [one, await clerkIn(repo, 'two')];
      harm(repo, one.view.session);
      await soonNot(repo, one.view.session, 'running');
      expect(repo.sessions().map(({ state }) => state)).toEqual(states);
      expect((repo.json('status') as { sessions: readonly SessionView[] }).sessions.map(({ state }) => state)).toEqual(
        states,
      );
      const next = await repo.view('resume', one.view.session);
      expect(next.state).toBe('running');
      // Resuming has ended the processes that lost their terminal; looking at them does not.
      const wanted = JSON.stringify([false, states[1] === 'running']);
      await eventually(
        () => JSON.stringify(clerks.map(({ pid }) => isLive(pid))),
        (seen) => seen === wanted,
      );
    }
  });

  test('a session whose terminal is gone has no screen and no terminal, and the messages say so', async () => {
    const repo = sessionRepo('tmux');
    await clerkIn(repo, 'clerk');
    tmux(repo.server, 'kill-server');
    for (const command of ['screen', 'attach', 'send']) {
      const ran = repo.cadre('session', command, 's1', ...(command === 'send' ? ['hello'] : []));
      expect(ran, command).toMatchObject({ code: 2, stdout: '' });
      expect(ran.stderr, command).toMatch(/^[^\n]*no terminal[^\n]*\.\n(?: {2}try: cadre session resume s1\n)?$/);
    }
  });
}

const HOSTILE = [
  '\x1b[31mred\x1b]0;owned\x07',
  '$(touch canary)',
  '`touch canary`; touch canary',
  '#(touch canary) #{pane_id}',
  '-rf --help',
  '--json',
  'two\nlines\r\nand a third',
  'quo\'te"s \\ and \\\\',
  '../../../etc/passwd',
  'refs/heads/x.lock @{-1} ~^: ?*[',
  'żółw 漢字 🐢 \u202e reversed',
  '%1 =x: @0 ;',
  'x'.repeat(100_000),
];

function journalOf(state: string): Iterable<string> {
  const folder = join(state, 'journal');
  return existsSync(folder) ? contentsOf(folder).values() : [];
}

function isWitness(pid: number): boolean {
  return textOf(`/proc/${pid}/cmdline`).startsWith(`${process.execPath}\0`);
}

/** Files of that name in the neighbourhood: a text was executed. */
function canariesOf(repo: SessionRepo): readonly string[] {
  return readdirSync(repo.outside, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('canary'));
}

/** The session in list and status, once both show another state. */
async function soonNot(repo: SessionRepo, session: string, state: SessionView['state']): Promise<SessionView> {
  const listed = await eventually(
    () => repo.sessions().find((one) => one.session === session),
    (seen) => seen?.state !== state,
    SOON,
  );
  const told = (repo.json('status') as { sessions: readonly SessionView[] }).sessions;
  expect(told.find((one) => one.session === session)?.state).not.toBe(state);
  if (listed === undefined) throw new Error(`${session} is not listed.`);
  return listed;
}

/** Files as an agent leaves them in the middle of its work. */
function litter(worktree: string): void {
  mkdirSync(join(worktree, 'with space', 'żółw'), { recursive: true });
  writeFileSync(join(worktree, 'with space', 'żółw', 'untracked'), 'a\r\nb\n');
  writeFileSync(join(worktree, 'staged'), Buffer.from([0, 1, 2, 255, 254]));
  writeFileSync(join(worktree, 'no end of line'), 'x');
}

/** Without `.git`, which is a folder in one place and a file in the other. */
function filesIn(folder: string): ReadonlyMap<string, string> {
  return new Map(
    [...contentsOf(folder)]
      .map(([path, bytes]) => [path.slice(folder.length), bytes] as const)
      .filter(([path]) => !path.startsWith('/.git')),
  );
}

function commit(repo: SessionRepo, worktree: string): void {
  repo.git('-C', worktree, '-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-q', '-m', 'work');
}
