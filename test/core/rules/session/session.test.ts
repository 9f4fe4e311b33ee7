// Who may do what with sessions in which situation, which effects follow, and how sessions are shown.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { restoreWorld, storeWorld } from '../../../../src/core/journal/checkpoint-format.ts';
import { fold } from '../../../../src/core/journal/fold.ts';
import type { By, Event, SessionNews } from '../../../../src/core/model/event.ts';
import {
  LAUNCH_FAILED_WITHIN,
  type Life,
  lastDelivery,
  type SessionEntry,
} from '../../../../src/core/model/session.ts';
import { EMPTY_WORLD, type World } from '../../../../src/core/model/world.ts';
import { decide } from '../../../../src/core/rules/decide.ts';
import { viewSession } from '../../../../src/core/views/session.ts';
import { ROLES } from '../../../../src/signals/registry.ts';
import { ENGINE, NOW, newSession, sessionIn, sessionNews, USER, after as worldAfter } from '../../../support/world.ts';

type Act = 'switch' | 'resume' | 'stop' | 'pause' | 'send';
const ACTS: readonly Act[] = ['switch', 'resume', 'stop', 'pause', 'send'];

function act(what: Act, session = 's1', by: By = USER): Event {
  switch (what) {
    case 'switch':
      return {
        ...newSession({ role: 'reviewer', program: 'codex', prompt: 'look' }),
        kind: 'session-switch',
        by,
        session,
      };
    case 'resume':
      return { kind: 'session-resume', by, session, prompt: 'continue' };
    case 'send':
      return { kind: 'session-send', by, session, text: 'hello' };
    default:
      return { kind: `session-${what}`, by, session };
  }
}

const STARTED = worldAfter(EMPTY_WORLD, newSession());
const { id: S1 } = sessionIn(STARTED, 's1');
const withNews = (world: World, news: SessionNews): World => worldAfter(world, sessionNews(S1, news));
const RUNNING = withNews(STARTED, { kind: 'up' });
const ENDED = withNews(RUNNING, { kind: 'ended', life: { kind: 'ended', exitCode: 0, signal: null } });

const SITUATIONS = {
  'not up yet': STARTED,
  running: RUNNING,
  ended: ENDED,
  gone: withNews(RUNNING, { kind: 'ended', life: { kind: 'gone' } }),
  'not to be started': withNews(STARTED, { kind: 'failed', why: 'No room.' }),
  stopped: worldAfter(RUNNING, act('stop')),
  paused: worldAfter(RUNNING, act('pause')),
  followed: worldAfter(RUNNING, act('switch')),
} satisfies Record<string, World>;
type Situation = keyof typeof SITUATIONS;

describe('only a person', () => {
  const events = [newSession(), ...ACTS.map((what) => act(what))];

  test.each(events.map((event) => [event.kind, event] as const))('causes %s', (_kind, event) => {
    expect(decide(RUNNING, { ...event, by: USER } as Event, NOW).kind).toBe('accepted');
    for (const role of ROLES)
      for (const session of [{}, { session: 's1' }]) {
        const by: By = { who: 'agent', role, ...session };
        expect(decide(RUNNING, { ...event, by } as Event, NOW), role).toEqual({
          kind: 'refused',
          code: 'source',
          why: expect.stringMatching(/^Only a person may start and stop sessions; .+ cannot\.$/),
          try: [],
          records: [],
        });
      }
  });

  test('learns whether a session exists: an agent does not', () => {
    const by: By = { who: 'agent', role: 'reviewer' };
    for (const what of ACTS) {
      expect(decide(RUNNING, act(what, 's9'), NOW)).toMatchObject({
        kind: 'refused',
        code: 'unknown-session',
        why: 'There is no session "s9".',
      });
      expect(decide(RUNNING, act(what, 's9', by), NOW)).toMatchObject({ code: 'source' });
    }
  });
});

/** The answer to each act: the reason of a refusal, or undefined if it is accepted. */
const ANSWERS: Readonly<Record<Situation, Readonly<Record<Act, RegExp | undefined>>>> = {
  'not up yet': { switch: undefined, resume: undefined, stop: undefined, pause: undefined, send: undefined },
  running: { switch: undefined, resume: undefined, stop: undefined, pause: undefined, send: undefined },
  ended: { switch: undefined, resume: undefined, stop: undefined, pause: undefined, send: /is not running/ },
  gone: { switch: undefined, resume: undefined, stop: undefined, pause: undefined, send: /is not running/ },
  'not to be started': {
    switch: undefined,
    resume: undefined,
    stop: undefined,
    pause: undefined,
    send: /is not running/,
  },
  stopped: { switch: undefined, resume: undefined, stop: /already stopped/, pause: undefined, send: /is not running/ },
  paused: { switch: /is paused/, resume: undefined, stop: undefined, pause: /already paused/, send: /is not running/ },
  followed: {
    switch: /was replaced by s3/,
    resume: /was replaced by s3/,
    stop: /replaced by s3|already stopped/,
    pause: /replaced by s3/,
    send: /replaced by s3|is not running/,
  },
};

describe.each(Object.entries(ANSWERS) as [Situation, (typeof ANSWERS)[Situation]][])('%s', (situation, answers) => {
  test.each(ACTS)('a session accepts or refuses "%s" as the table says', (what) => {
    const decision = decide(SITUATIONS[situation], act(what), NOW);
    const sentence = answers[what];
    if (sentence === undefined) expect(decision.kind).toBe('accepted');
    else
      expect(decision).toMatchObject({
        kind: 'refused',
        code: 'state',
        why: expect.stringMatching(new RegExp(`^s1 .*(?:${sentence.source}).*\\.$`)),
        records: [],
      });
  });
});

describe('a decision has its effect:', () => {
  test.each<[Event, object]>([
    [newSession({ prompt: 'dig' }), { do: 'start-session', session: 's3', prompt: 'dig', resume: false }],
    [act('switch'), { do: 'start-session', session: 's3', prompt: 'look', resume: false }],
    [act('resume'), { do: 'start-session', session: 's3', prompt: 'continue', resume: true }],
    [act('stop'), { do: 'stop-session', session: 's1' }],
    [act('pause'), { do: 'pause-session', session: 's1' }],
    [act('send'), { do: 'send-to-session', session: 's1', text: 'hello' }],
  ])('%o', (event, effect) => {
    const decision = decide(RUNNING, event, NOW);
    expect(decision.records.map(({ effects }) => effects)).toEqual([[{ id: 'e3.0', ...effect }]]);
    expect(worldAfter(RUNNING, event).outbox.get('e3.0')).toEqual({ id: 'e3.0', ...effect });
  });
});

test('a session that replaces another keeps its place, branch, title and starting commit', () => {
  const [before, switched] = [sessionIn(RUNNING, 's1'), sessionIn(worldAfter(RUNNING, act('switch')), 's3')];
  const { place, branch, title, from } = before;
  expect(switched).toMatchObject({ place, branch, title, from, role: 'reviewer', program: 'codex', wanted: 'running' });
  const resumed = sessionIn(worldAfter(SITUATIONS.paused, act('resume')), 's4');
  expect(resumed).toMatchObject({ place, branch, title, from, role: before.role, program: before.program });
  expect(resumed).not.toHaveProperty('up');
});

test('a replaced session is no longer wanted, and names its successor', () => {
  expect(sessionIn(worldAfter(RUNNING, act('switch')), 's1')).toMatchObject({ wanted: 'stopped', followedBy: 's3' });
});

test('news of one session do not change another', () => {
  const world = worldAfter(RUNNING, newSession());
  const changed = worldAfter(world, act('stop', 's3'));
  expect(sessionIn(changed, 's1')).toEqual(sessionIn(world, 's1'));
});

describe('news', () => {
  const up: SessionNews = { kind: 'up' };
  const failed: SessionNews = { kind: 'failed', why: 'No room.' };
  const ended: SessionNews = { kind: 'ended', life: { kind: 'ended', exitCode: 1, signal: null } };

  test('is kept with its time', () => {
    const at = NOW.toISOString();
    expect(sessionIn(withNews(STARTED, up), 's1')).toMatchObject({ up: at, since: at });
    expect(sessionIn(withNews(STARTED, failed), 's1')).toMatchObject({ failure: 'No room.' });
    expect(sessionIn(withNews(RUNNING, ended), 's1')).toMatchObject({ ended: { life: { exitCode: 1 }, at } });
    expect(sessionIn(withNews(RUNNING, { kind: 'sent', problem: 'Full.' }), 's1')).toMatchObject({
      lastSent: { at, problem: 'Full.' },
    });
  });

  test('of text that was not delivered keeps when text last was', () => {
    const at = NOW.toISOString();
    const delivered = withNews(RUNNING, { kind: 'sent', problem: null });
    expect(lastDelivery(sessionIn(delivered, 's1'))).toBe(at);
    const refused = withNews(withNews(delivered, { kind: 'sent', problem: 'Full.' }), {
      kind: 'sent',
      problem: 'Full.',
    });
    expect(lastDelivery(sessionIn(refused, 's1'))).toBe(at);
    expect(lastDelivery(sessionIn(withNews(RUNNING, { kind: 'sent', problem: 'Full.' }), 's1'))).toBeUndefined();
  });

  test.each([up, failed, ended])('that is already known is ignored: $kind', (news) => {
    expect(decide(withNews(STARTED, news), sessionNews(S1, news), NOW)).toEqual({
      kind: 'ignored',
      keep: false,
      records: [],
    });
  });

  test('of an end counts once, even if the second differs', () => {
    const second: SessionNews = { kind: 'ended', life: { kind: 'gone' } };
    expect(decide(withNews(RUNNING, ended), sessionNews(S1, second), NOW).kind).toBe('ignored');
  });

  test('of sent text counts every time', () => {
    const sent: SessionNews = { kind: 'sent', problem: null };
    expect(decide(withNews(RUNNING, sent), sessionNews(S1, sent), NOW).kind).toBe('accepted');
  });

  test('of an unknown session is ignored', () => {
    for (const news of [up, failed, ended])
      expect(decide(EMPTY_WORLD, sessionNews(S1, news), NOW).kind).toBe('ignored');
  });

  test('is recorded for the engine', () => {
    expect(decide(STARTED, sessionNews(S1, up), NOW).records).toMatchObject([{ by: ENGINE.who, about: 's1' }]);
  });
});

describe('names', () => {
  test('of sessions never repeat', () => {
    const step = fc.record({ what: fc.constantFrom('new' as const, ...ACTS), which: fc.nat(30) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const ids: string[] = [];
        steps.reduce((world, { what, which }) => {
          const { records } = decide(world, what === 'new' ? newSession() : act(what, `s${which}`), NOW);
          for (const record of records) if ('begun' in record) ids.push(record.begun.id);
          return fold(world, records);
        }, EMPTY_WORLD);
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });

  test('of branches are valid for git, for any title', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...TITLES)), (title) => {
        const { branch } = sessionIn(worldAfter(EMPTY_WORLD, newSession({ title })), 's1');
        expect(whyGitRefuses(branch)).toBeUndefined();
        expect(branch.length).toBeLessThan(80);
        expect(branch).toMatch(/^cadre\/adhoc\//);
      }),
      { examples: TITLES.map((title) => [title] as [string]), numRuns: 1_000 },
    );
  });

  test('of branches are unique, also for sessions with the same title, and none is a folder of another', () => {
    const titles = [...TITLES, ...TITLES, 's1', 'x-s2'];
    const world = worldAfter(EMPTY_WORLD, ...titles.map((title) => newSession({ title })));
    const branches = [...world.sessions.values()].map(({ branch }) => branch.toLowerCase());
    expect(new Set(branches).size).toBe(titles.length);
    for (const branch of branches) expect(branches.filter((other) => other.startsWith(`${branch}/`))).toEqual([]);
  });
});

const TITLES = [
  '',
  '.',
  '..',
  '-',
  '@',
  '@{-1}',
  'a..b',
  'x.lock',
  '/a//b/',
  '~^:?*[\\',
  'HEAD',
  '\x00\x1b\x7f',
  'żółw 漢字',
  'ﬁne ½ Å',
  'x'.repeat(5_000),
  `${'a'.repeat(39)}-b`,
  '$(touch canary)',
  '--help',
];

/** The rules of git-check-ref-format(1), and that it does not look like an option. */
function whyGitRefuses(branch: string): string | undefined {
  const rules: Readonly<Record<string, boolean>> = {
    'a part begins with "." or ends in ".lock"': branch.split('/').some((part) => /^\.|\.lock$/.test(part)),
    '".."': branch.includes('..'),
    'a control character, a space or one of ~^:?*[\\': /[\0-\x20\x7f~^:?*[\\]/.test(branch),
    'an empty part': branch.split('/').includes(''),
    'a "." at its end': branch.endsWith('.'),
    '"@{" or "@"': branch.includes('@{') || branch === '@',
    'a "-" at its beginning': branch.startsWith('-'),
    'no ASCII': !/^[ -~]*$/.test(branch),
  };
  return Object.keys(rules).find((rule) => rules[rule]);
}

describe('the world', () => {
  test.each(Object.entries(SITUATIONS))(
    'is restored as it was stored, with a session that is %s',
    (_situation, world) => {
      expect(restoreWorld(JSON.parse(JSON.stringify(storeWorld(world))))).toEqual(world);
    },
  );

  test('remembers at most 200 replaced sessions, and all others', () => {
    let world = worldAfter(EMPTY_WORLD, newSession({ title: 'stays' }), newSession());
    for (let count = 0; count < 250; count++)
      world = worldAfter(world, act('switch', [...world.sessions.keys()].at(-1)));
    const all = [...world.sessions.values()];
    expect(all.filter(({ followedBy }) => followedBy !== undefined)).toHaveLength(200);
    expect(all.filter(({ followedBy }) => followedBy === undefined).map(({ title }) => title)).toEqual([
      'stays',
      'Dig',
    ]);
    expect(all.map(({ id }) => id)).not.toContain('s2');
  });
});

describe('the view of a session', () => {
  const LIVES: readonly (Life | undefined)[] = [
    undefined,
    { kind: 'running', pid: 7 },
    { kind: 'ended', exitCode: 0, signal: null },
    { kind: 'ended', exitCode: 3, signal: null },
    { kind: 'ended', exitCode: null, signal: 'SIGKILL' },
    { kind: 'gone' },
    { kind: 'unknown', why: 'The server does not answer.' },
  ];
  const combinations = Object.entries(SITUATIONS).flatMap(([situation, world]) =>
    LIVES.map((life) => ({ situation, entry: sessionIn(world, 's1'), life, shown: JSON.stringify(life) ?? 'nothing' })),
  );
  const view = (entry: SessionEntry, life: Life | undefined) =>
    viewSession(entry, life === undefined ? undefined : { life }, NOW);
  const seenAs = (entry: SessionEntry, life: Life | undefined) => view(entry, life).state;
  const running = sessionIn(RUNNING, 's1');

  test.each(combinations)('has a sentence that never claims success: $situation, seen $shown', ({ entry, life }) => {
    const { sentence, state } = view(entry, life);
    expect(sentence).toMatch(/^[A-Z].*\.$/s);
    expect(sentence).not.toMatch(/success|finished|complete/i);
    if (state === 'ended') expect(sentence).toContain('says nothing about its work.');
  });

  test.each(combinations.filter(({ life }) => life?.kind === 'running'))(
    'says that it runs if the host sees it run and no end is recorded: $situation',
    ({ situation, entry, life }) => {
      const hasEnd = ['ended', 'gone', 'not to be started', 'not up yet'].includes(situation);
      if (hasEnd) expect(seenAs(entry, life)).not.toBe('stopped');
      else expect(seenAs(entry, life)).toBe('running');
    },
  );

  test.each(combinations.filter(({ life }) => life?.kind === 'unknown'))(
    'does not say that it ended if the host does not answer and no end is recorded: $situation',
    ({ situation, entry, life }) => {
      const hasEnd = ['ended', 'gone', 'not to be started'].includes(situation);
      if (!hasEnd) expect(['unknown', 'starting']).toContain(seenAs(entry, life));
      else expect(['ended', 'gone', 'failed']).toContain(seenAs(entry, life));
    },
  );

  test.each<[Life, string]>([
    [
      { kind: 'ended', exitCode: 0, signal: null },
      'The program exited (exit code 0), which says nothing about its work.',
    ],
    [{ kind: 'gone' }, 'Its terminal is gone. Its worktree is kept.'],
  ])('says what the host sees now, before the journal has it: %o', (life, sentence) => {
    const seen = view(running, life);
    expect(seen).toMatchObject({ state: life.kind, source: 'host' });
    expect(seen.sentence).toContain(sentence);
    expect(seen.suggestions).toEqual([{ do: 'session-resume', on: 's1' }]);
  });

  test.each<[number, number | null, string | null, string]>([
    [0, 3, null, 'failed'],
    [LAUNCH_FAILED_WITHIN - 1, 1, null, 'failed'],
    [LAUNCH_FAILED_WITHIN - 1, null, 'SIGSEGV', 'failed'],
    [LAUNCH_FAILED_WITHIN, 3, null, 'ended'],
    [0, 0, null, 'ended'],
  ])(
    'of a program that ends after %i ms with exit code %j or signal %j is %s',
    (milliseconds, exitCode, signal, state) => {
      const at = new Date(NOW.getTime() + milliseconds).toISOString();
      const entry: SessionEntry = { ...running, ended: { life: { kind: 'ended', exitCode, signal }, at } };
      const seen = view(entry, undefined);
      expect(seen).toMatchObject({ state, source: 'journal' });
      expect(seen.sentence).toContain(signal ?? `exit code ${exitCode}`);
    },
  );

  test('says why it could not be started', () => {
    expect(view(sessionIn(SITUATIONS['not to be started'], 's1'), undefined)).toMatchObject({
      state: 'failed',
      sentence: 'Failed to start: No room.',
    });
  });

  test('does not name a worktree for a paused session', () => {
    const stopped = worldAfter(SITUATIONS.paused, act('stop'));
    expect(view(sessionIn(stopped, 's1'), undefined).sentence).not.toContain('in its worktree');
  });
});
