// Signals of agents, by `cadre signal` or by a file: taken once, complete and in order, or refused with a reason.
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SIGNALS } from '../../src/signals/registry.ts';
import {
  boxOf,
  bringPlans,
  everythingTakenFrom,
  happenedTo,
  logOf,
  type QuarantinedJson,
  quarantined,
  reachesStatus,
  visibleIn,
} from '../support/plans.ts';
import { type Ran, REMOVAL, type Repo, repoIn, startEngine, temporaryRepo } from '../support/repo.ts';
import { inPairs, start } from '../support/several.ts';
import { sharedEngine, whileStopped } from '../support/shared-engine.ts';

interface Refusal {
  readonly why: string;
  readonly argv: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly input?: string;
  readonly code: string;
  readonly message: string;
  /** The commands that are suggested. */
  readonly instead?: readonly string[];
}

const SIGNAL_NAMES = SIGNALS.map(({ name }) => name).join(', ');

const REVIEWER = { CADRE_SESSION: 's-rev', CADRE_ROLE: 'reviewer' };

const PIECES = Array.from({ length: 8 }, (_, index) => `Piece ${index} of what is missing.\n`);
const ATTEMPTS = Array.from({ length: 8 }, (_, index) => `attempt-${index}.md`);

const shared = sharedEngine({
  'told.md': 'planning',
  'judged.md': 'reviewing',
  'copied.md': 'reviewing',
  'repeated.md': 'reviewing',
  'rounds.md': 'reviewing',
  'disputed.md': 'reviewing',
  'touched.md': 'implementing',
  'linked.md': 'implementing',
  'relative.md': 'implementing',
  'criticised.md': 'reviewing',
  'attacked.md': 'reviewing',
  'approved-first.md': 'reviewing',
  'changes-first.md': 'reviewing',
  'often.md': 'reviewing',
  ...Object.fromEntries(ATTEMPTS.map((plan) => [plan, 'reviewing'])),
});

describe('cadre signal', () => {
  test('announces the step, and the engine takes it', async () => {
    const { repo } = shared();
    const said = repo.cadre('signal', 'planner-finished', '--plan', 'told');
    expect(said).toEqual({ code: 0, stdout: 'told.md will go from planning to ready.\n', stderr: '' });
    await reachesStatus(repo, 'told.md', 'ready');
  });

  test('takes plan, role and box from the session’s environment, and answers in JSON', async () => {
    const { repo, engine } = shared();
    const box = join(repo.state(), 'inbox', REVIEWER.CADRE_SESSION);
    const env = { ...REVIEWER, CADRE_PLAN: 'judged.md', CADRE_INBOX: box };
    const said = repo.cadreWith({ env }, 'signal', 'review-approved', '--json');
    expect(JSON.parse(said.stdout)).toEqual({
      version: 1,
      signal: 'review-approved',
      plan: 'judged.md',
      said: 'now',
      willMove: { from: 'reviewing', to: 'done' },
      engine: { pid: engine.process.pid, command: 'cadre watch' },
    });
    await reachesStatus(repo, 'judged.md', 'done');
    expect(happenedTo(repo, 'judged').at(-1)).toMatchObject({
      by: 'agent',
      session: 's-rev',
      role: 'reviewer',
      to: 'done',
    });
  });

  describe('is refused with a reason', () => {
    const refusals: readonly Refusal[] = [
      {
        why: 'an unknown name',
        argv: ['review-aproved', '--plan', 'judged'],
        code: 'unknown-signal',
        message: `There is no signal "review-aproved". The signals are: ${SIGNAL_NAMES}.`,
      },
      {
        why: 'a word of every object',
        argv: ['constructor', '--plan', 'judged'],
        code: 'unknown-signal',
        message: `There is no signal "constructor". The signals are: ${SIGNAL_NAMES}.`,
      },
      {
        why: 'a verdict of the implementer on its own work',
        argv: ['review-approved', '--plan', 'judged'],
        env: { CADRE_SESSION: 's-imp', CADRE_ROLE: 'implementer' },
        code: 'role',
        message: '"review_approved" is for the reviewer of a plan; the implementer (session s-imp) cannot send it.',
      },
      {
        why: 'a state that does not accept it',
        argv: ['review-approved', '--plan', 'built'],
        code: 'state',
        message:
          'built.md was not changed: "review_approved" is not possible while implementing. Possible: "implement_finished", "cancel".',
      },
      {
        why: 'a missing body',
        argv: ['review-changes', '--plan', 'judged'],
        code: 'no-body',
        message: '"review-changes" needs a body that says what it is about.',
      },
      {
        why: 'a body of nothing but space',
        argv: ['review-changes', '--plan', 'judged', '--body-file', '-'],
        input: ' \n\t\n',
        code: 'no-body',
        message: '"review-changes" needs a body that says what it is about.',
      },
      {
        why: 'no plan at all',
        argv: ['implement-finished'],
        code: 'no-plan',
        message: 'Which plan is the signal about? This session has none, so name it.',
      },
      {
        why: 'a plan that nobody knows and that has no file',
        argv: ['planner-finished', '--plan', 'nowhere'],
        code: 'unknown-plan',
        message: 'Plan "nowhere.md" is not registered.',
        instead: ['cadre status', 'cadre register nowhere.md'],
      },
      {
        why: 'the plan of another session',
        argv: ['review-approved', '--plan', 'judged'],
        env: { ...REVIEWER, CADRE_PLAN: 'built.md' },
        code: 'not-yours',
        message: 'This session works on built.md; it cannot speak for judged.md.',
      },
      {
        why: 'a box that is not the session’s',
        argv: ['review-approved', '--plan', 'judged'],
        env: { ...REVIEWER, CADRE_INBOX: '/tmp/s-other' },
        code: 'bad-session',
        message:
          'CADRE_SESSION is "s-rev" and CADRE_INBOX is /tmp/s-other: they do not belong together. The session\'s environment was changed.',
      },
      {
        why: 'a session whose name leads out of the inbox',
        argv: ['review-approved', '--plan', 'judged'],
        env: { CADRE_SESSION: '../../x', CADRE_ROLE: 'reviewer' },
        code: 'bad-session',
        message: expect.stringContaining('they do not belong together') as unknown as string,
      },
      {
        why: 'more than may be said at once',
        argv: ['review-changes', '--plan', 'judged', '--body-file', '-'],
        input: 'x'.repeat(300_000),
        code: 'too-large',
        message: 'The signal is larger than 262144 bytes. Shorten its body.',
      },
      ...['cancel', 'reopen', 'start-over'].map((name) => ({
        why: `the person’s decision to ${name}`,
        argv: [name, '--plan', 'judged'],
        code: 'user-only',
        message: `"${name.replace('-', '_')}" is a person's decision; an agent cannot make it.`,
      })),
      {
        why: 'a task of a plan that has no runs',
        argv: ['implement-finished', '--plan', 'built', '--task', '1'],
        code: 'no-run',
        message: '"implement-finished" is about a run, and built.md#1 has none.',
      },
    ];

    let repo: Repo;
    let outcomes: ReadonlyMap<Refusal, Ran>;
    beforeAll(async () => {
      repo = repoIn(realpathSync(mkdtempSync(join(tmpdir(), 'cadre-test-'))));
      bringPlans(repo, { 'built.md': 'implementing', 'judged.md': 'reviewing' });
      const outcomeOf = (refusal: Refusal): Promise<Ran> =>
        start(['signal', ...refusal.argv, '--json'], {
          cwd: repo.root,
          env: { ...repo.env, ...refusal.env },
          input: refusal.input ?? '',
        });
      outcomes = new Map(await inPairs(refusals, async (refusal) => [refusal, await outcomeOf(refusal)] as const));
    });
    afterAll(() => rmSync(join(repo.root, '..'), REMOVAL));

    for (const refusal of refusals)
      test(refusal.why, () => {
        const { code, message, instead = [] } = refusal;
        const outcome = outcomes.get(refusal);
        expect(outcome).toMatchObject({ code: 2, stderr: '' });
        expect(JSON.parse(outcome?.stdout ?? '')).toEqual({ version: 1, error: { code, message, try: instead } });
      });

    test('and is not dropped, except what an agent may not say, which is shown to the person', () => {
      expect(messagesIn(repo.home)).toEqual([expect.stringContaining('/inbox/s-imp/new/')]);
    });
  });

  test('waits for an engine, and status says so', async () => {
    const repo = temporaryRepo();
    bringPlans(repo, { 'one.md': 'planning', 'two.md': 'implementing', 'three.md': 'implementing' });
    const said = repo.cadre('signal', 'planner-finished', '--plan', 'one');
    expect(said.stdout).toBe(
      'one.md will go from planning to ready as soon as an engine is running ("cadre engine start"). The signal waits and is not lost.\n',
    );
    // An agent is not told to start an engine, because it may not.
    const env = { CADRE_SESSION: 's-imp', CADRE_ROLE: 'implementer', CADRE_PLAN: 'three.md' };
    expect(repo.cadreWith({ env }, 'signal', 'implement-finished').stdout).toBe(
      'three.md will go from implementing to reviewing as soon as the engine takes it. The signal waits and is not lost.\n',
    );
    drop(repo, 'implement-finished-two.md');
    expect(repo.cadre('status').stdout).toContain(
      'No engine is running, and 3 signals are waiting for one: "cadre engine start".\n',
    );
    await startEngine(repo);
    await reachesStatus(repo, 'one.md', 'ready');
    await reachesStatus(repo, 'two.md', 'reviewing');
  });

  test('counts once if the same message is in a box twice', async () => {
    const { repo, engine } = shared();
    await whileStopped(engine, () => {
      const message = askForChanges(repo, 'copied');
      copyFileSync(message, `${message}.again.json`);
    });
    await everythingTakenFrom(boxOf(repo, 'outside'));
    expect(eventsOf(repo, 'copied')).toEqual(['import', 'review_changes_requested']);
  });

  test('counts once if an agent sends it twice before it is taken', async () => {
    const { repo, engine } = shared();
    await whileStopped(engine, () => {
      expect(askForChanges(repo, 'repeated')).not.toBe(askForChanges(repo, 'repeated'));
    });
    await everythingTakenFrom(boxOf(repo, 'outside'));
    expect(eventsOf(repo, 'repeated')).toEqual(['import', 'review_changes_requested']);
  });

  test('counts again in the next round, and an old message that comes back changes nothing', async () => {
    const { repo, engine, base } = shared();
    const kept = join(base, 'kept.json');
    const message = await whileStopped(engine, () => {
      const path = askForChanges(repo, 'rounds');
      copyFileSync(path, kept);
      return path;
    });
    await reachesStatus(repo, 'rounds.md', 'implementing');
    // As a crash leaves it between the commit and the removal.
    copyFileSync(kept, message);
    await everythingTakenFrom(boxOf(repo, 'outside'));
    drop(repo, 'implement-finished-rounds.md');
    await reachesStatus(repo, 'rounds.md', 'reviewing');
    copyFileSync(kept, message);
    await everythingTakenFrom(boxOf(repo, 'outside'));
    expect(repo.status('rounds.md')).toBe('reviewing');

    askForChanges(repo, 'rounds');
    await reachesStatus(repo, 'rounds.md', 'implementing');
    const round = ['review_changes_requested', 'implement_finished', 'review_changes_requested'];
    expect(eventsOf(repo, 'rounds')).toEqual(['import', ...round]);
  });

  test('is decided by the first of two contradictory verdicts; the second is quarantined', async () => {
    const { repo, engine } = shared();
    await whileStopped(engine, () => {
      askForChanges(repo, 'disputed');
      repo.cadreWith({ env: REVIEWER }, 'signal', 'review-approved', '--plan', 'disputed');
    });
    await everythingTakenFrom(boxOf(repo, 's-rev'));
    expect(eventsOf(repo, 'disputed')).toEqual(['import', 'review_changes_requested', 'signal_refused']);
    expect(refusedFor(repo, 'disputed.md')).toMatchObject([{ code: 'stale', name: 'review-approved' }]);
  });
});

describe('a sentinel', () => {
  test('created with touch in the main checkout moves its plan and is removed', async () => {
    const { repo } = shared();
    execFileSync('touch', [join(repo.signals, 'implement-finished-touched.md')]);
    await reachesStatus(repo, 'touched.md', 'reviewing');
    await everythingTakenFrom(repo.signals);
    expect(eventsOf(repo, 'touched')).toEqual(['import', 'implement_finished']);
  });

  test('in a linked worktree, even one added while the engine runs, is taken like one in the main checkout', async () => {
    const { repo } = shared();
    const folder = linkWorktree(repo, 'side');
    writeFileSync(join(folder, 'implement-finished-linked.md'), '');
    await reachesStatus(repo, 'linked.md', 'reviewing');
    await everythingTakenFrom(folder);
  });

  test('is taken in a worktree that git linked by a relative path', async () => {
    const { repo } = shared();
    const folder = linkWorktree(repo, 'nearby');
    const link = join(repo.root, '.git', 'worktrees', 'nearby');
    const target = join(repo.root, '..', 'nearby', '.git');
    writeFileSync(join(link, 'gitdir'), `${relative(link, target)}\n`);
    writeFileSync(join(folder, 'implement-finished-relative.md'), '');
    await reachesStatus(repo, 'relative.md', 'reviewing');
  });

  test('registers an unknown plan file, and is quarantined if there is no such file', async () => {
    const { repo } = shared();
    repo.writePlan('written.md');
    drop(repo, 'planner-finished-written.md');
    drop(repo, 'planner-finished-dreamt.md');
    await reachesStatus(repo, 'written.md', 'ready');
    await everythingTakenFrom(repo.signals);
    expect(repo.status('dreamt.md')).toBeUndefined();
    expect(refusedFor(repo, 'dreamt.md')).toMatchObject([{ code: 'unknown-plan', name: 'planner-finished' }]);
  });

  test('is removed once its feedback is in the journal, and why shows the feedback', async () => {
    const { repo } = shared();
    const feedback = 'The parser drops empty phases.\nSee line 12.\n';
    drop(repo, 'review-changes-criticised.md', feedback);
    await everythingTakenFrom(repo.signals);
    expect(happenedTo(repo, 'criticised').at(-1)).toMatchObject({
      by: 'agent',
      event: 'review_changes_requested',
      signal: { name: 'review-changes', body: feedback },
      details: { feedback },
    });
    expect(repo.cadre('why', 'criticised').stdout).toContain(
      `An agent outside of cadre asked for: ${feedback.trimEnd()}\n`,
    );
  });

  test('cannot send control characters to the terminal through its feedback', async () => {
    const { repo, engine } = shared();
    drop(repo, 'review-changes-attacked.md', 'see \x1b]0;owned\x07\x1b[2J here\x9b31m \u202edne\n');
    await reachesStatus(repo, 'attacked.md', 'implementing');
    const texts = [...engine.lines, repo.cadre('why', 'attacked').stdout, repo.cadre('log', 'attacked').stdout];
    expect(texts.filter((text) => /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]/.test(text))).toEqual([]);
  });

  test('that is written in pieces is taken once and complete', async () => {
    const { repo } = shared();
    const plan = await writeInPieces(repo);
    await reachesStatus(repo, plan, 'implementing');
    await everythingTakenFrom(repo.signals);
    const requests = logOf(repo, plan).filter((record) => record.event === 'review_changes_requested');
    expect(requests.map((record) => record.details.feedback)).toEqual([PIECES.join('')]);
  });

  for (const [first, second, status] of [
    ['review-approved', 'review-changes', 'done'],
    ['review-changes', 'review-approved', 'implementing'],
  ] as const)
    test(`${first} is taken if ${second} came after it, and the later one is quarantined`, async () => {
      const { repo, engine } = shared();
      const plan = first === 'review-approved' ? 'approved-first.md' : 'changes-first.md';
      await whileStopped(engine, () => {
        drop(repo, `${first}-${plan}`, 'because');
        drop(repo, `${second}-${plan}`, 'because');
        utimesSync(join(repo.signals, `${first}-${plan}`), 1_700_000_000, 1_700_000_000);
      });
      await everythingTakenFrom(repo.signals);
      expect(repo.status(plan)).toBe(status);
      expect(refusedFor(repo, plan)).toMatchObject([{ code: 'state', name: second }]);
    });

  test('counts again if it is dropped again in the next round', async () => {
    const { repo } = shared();
    for (const status of ['implementing', 'reviewing', 'implementing']) {
      const name = status === 'implementing' ? 'review-changes' : 'implement-finished';
      drop(repo, `${name}-often.md`, 'the same words');
      await reachesStatus(repo, 'often.md', status);
      await everythingTakenFrom(repo.signals);
    }
    const round = ['review_changes_requested', 'implement_finished', 'review_changes_requested'];
    expect(eventsOf(repo, 'often')).toEqual(['import', ...round]);
  });
});

test('git shows none of cadre’s files except those in docs/plans', async () => {
  const repo = temporaryRepo();
  repo.writePlan('a.md');
  repo.git('add', '.');
  repo.git('-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-qm', 'plan');
  const worktree = linkWorktree(repo, 'side');
  await startEngine(repo);
  drop(repo, 'planner-finished-a.md');
  await reachesStatus(repo, 'a.md', 'ready');
  await everythingTakenFrom(repo.signals);
  drop(repo, '.left alone');
  writeFileSync(join(worktree, '.left alone'), '');
  const excluded = readFileSync(join(repo.root, '.git', 'info', 'exclude'), 'utf8').split('\n');
  expect(excluded).toEqual(expect.arrayContaining(['docs/plans/.signals/', 'docs/plans/.plan-state.lock']));
  const entries = excluded.filter((line) => line.startsWith('docs/'));
  expect(entries).toEqual([...new Set(entries)]);
  expect(repo.git('status', '--porcelain', '--untracked-files=all')).toBe('?? docs/plans/plan-state.json\n');
  expect(repo.git('-C', join(repo.root, '..', 'side'), 'status', '--porcelain', '--untracked-files=all')).toBe('');
});

function drop(repo: Repo, name: string, body = ''): void {
  if (!existsSync(repo.signals)) mkdirSync(repo.signals);
  writeFileSync(join(repo.signals, name), body);
}

/** Returns the path of the message, until the engine has taken it. */
function askForChanges(repo: Repo, plan: string): string {
  const box = boxOf(repo, 'outside');
  const before = new Set(visibleIn(box).map(String));
  const argv = ['signal', 'review-changes', '--plan', plan, '--body-file', '-'];
  expect(repo.cadreWith({ input: 'tests are missing' }, ...argv)).toMatchObject({ code: 0, stderr: '' });
  const name = visibleIn(box)
    .map(String)
    .find((one) => !before.has(one));
  return join(box, name ?? 'taken already');
}

function eventsOf(repo: Repo, plan: string): readonly string[] {
  return happenedTo(repo, plan).map((record) => record.event);
}

function refusedFor(repo: Repo, plan: string): readonly QuarantinedJson[] {
  return quarantined(repo).filter((one) => one.plan === plan);
}

/**
 * Writes feedback piece by piece and returns the plan it was for. On a busy machine the writer may pause for so long that
 * the file counts as complete in between; then it tries the next plan.
 */
async function writeInPieces(repo: Repo): Promise<string> {
  for (const plan of ATTEMPTS) {
    let longest = 0;
    for (const piece of PIECES) {
      const before = performance.now();
      appendFileSync(join(repo.signals, `review-changes-${plan}`), piece);
      await pause(30);
      longest = Math.max(longest, performance.now() - before);
    }
    if (longest < 150) return plan;
  }
  throw new Error('This machine is too busy: a writer never ran for a quarter of a second without a long pause.');
}

function messagesIn(home: string): readonly string[] {
  if (!existsSync(home)) return [];
  return readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((path) => /inbox\/.*\.json$/.test(path));
}

/** A worktree beside the repository; returns the folder for its sentinels. */
function linkWorktree(repo: Repo, name: string): string {
  repo.git('worktree', 'add', '-q', '--detach', join('..', name));
  const folder = join(repo.root, '..', name, 'docs', 'plans', '.signals');
  mkdirSync(folder, { recursive: true });
  return folder;
}
