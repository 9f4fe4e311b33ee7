// What an agent seems to be doing: which of the available hints counts.
import { describe, expect, test } from 'vitest';
import type { Report, ScreenReading } from '../../../src/agents/agent.ts';
import { type Activity, activityOf, needsScreen, type Sight } from '../../../src/core/model/activity.ts';
import { EMPTY_WORLD } from '../../../src/core/model/world.ts';
import { viewSession } from '../../../src/core/views/session.ts';
import { NOW, newSession, sessionIn, sessionNews, after as worldAfter } from '../../support/world.ts';

const now = NOW.getTime();
const ago = (seconds: number): number => now - seconds * 1000;
const NOTHING: Sight = { reported: undefined, screen: undefined, lastOutput: undefined, lastSent: undefined };
const FINISHED: Report = { kind: 'turn-finished' };
const ASKS: Report = { kind: 'asks-permission', question: 'May I run curl?' };
const BUSY: ScreenReading = { kind: 'busy' };
const IDLE: ScreenReading = { kind: 'idle' };

const CASES: readonly [string, Partial<Sight>, Activity['doing'], Activity['source']][] = [
  ['nothing is known', {}, 'unclear', 'output'],
  ['it has just written', { lastOutput: ago(1) }, 'works', 'output'],
  ['it wrote a while ago', { lastOutput: ago(60) }, 'unclear', 'output'],
  ['the screen says busy', { screen: BUSY, lastOutput: ago(60) }, 'works', 'screen'],
  ['the screen says idle, although it was just drawn', { screen: IDLE, lastOutput: ago(0) }, 'waits', 'screen'],
  ['the screen says nothing', { screen: { kind: 'unreadable' }, lastOutput: ago(1) }, 'works', 'output'],
  ['a turn has finished', { reported: { report: FINISHED, at: ago(30) } }, 'waits', 'hook'],
  [
    'a turn has finished, and the screen was redrawn',
    { reported: { report: FINISHED, at: ago(30) }, lastOutput: ago(29), screen: BUSY },
    'waits',
    'hook',
  ],
  [
    'a turn has finished, and another is running',
    { reported: { report: FINISHED, at: ago(30) }, lastOutput: ago(1), screen: BUSY },
    'works',
    'screen',
  ],
  [
    'a turn has finished, and a person has scrolled since',
    { reported: { report: FINISHED, at: ago(30) }, lastOutput: ago(10), screen: IDLE },
    'waits',
    'screen',
  ],
  [
    'a turn has finished, and text was sent since',
    { reported: { report: FINISHED, at: ago(30) }, lastSent: ago(20), lastOutput: ago(20) },
    'unclear',
    'output',
  ],
  [
    'text was sent at the moment at which the turn finished',
    { reported: { report: FINISHED, at: ago(30) }, lastSent: ago(30) },
    'unclear',
    'output',
  ],
  [
    'text was sent before the turn finished',
    { reported: { report: FINISHED, at: ago(30) }, lastSent: ago(40) },
    'waits',
    'hook',
  ],
  ['it asks', { reported: { report: ASKS, at: ago(3) }, lastOutput: ago(3) }, 'asks-permission', 'hook'],
  [
    'it asked, and was answered',
    { reported: { report: ASKS, at: ago(30) }, lastOutput: ago(1), screen: BUSY },
    'works',
    'screen',
  ],
  ['it has only started', { reported: { report: { kind: 'session-started' }, at: ago(3) } }, 'unclear', 'output'],
  ['a trust question', { screen: { kind: 'asks-trust', question: 'Trust?' } }, 'asks-trust', 'screen'],
  [
    'a report from before the clock was set back says nothing',
    { reported: { report: FINISHED, at: ago(-3600) }, screen: { kind: 'busy' } },
    'works',
    'screen',
  ],
  [
    'text and output from before that do not hide a report from after it',
    { reported: { report: FINISHED, at: ago(30) }, lastSent: ago(-3600), lastOutput: ago(-3600) },
    'waits',
    'hook',
  ],
  ['output from before that is no sign of work', { lastOutput: ago(-3600) }, 'unclear', 'output'],
  ['no quota', { screen: { kind: 'quota', until: '5pm' } }, 'quota', 'screen'],
  ['an error', { screen: { kind: 'crashed', message: 'TypeError' } }, 'crashed', 'screen'],
];

test.each(CASES)('%s', (_, part, doing, source) => {
  const { screen, ...rest } = { ...NOTHING, ...part };
  expect(activityOf({ ...rest, screen }, now)).toMatchObject({ doing, source });
  // Reading the screen only when necessary gives the same answer.
  expect(needsScreen(rest, now)).toBe(source !== 'hook');
});

describe('the view of a session', () => {
  const started = worldAfter(EMPTY_WORLD, newSession());
  const { id } = sessionIn(started, 's1');
  const entry = sessionIn(worldAfter(started, sessionNews(id, { kind: 'up' })), 's1');
  const told = (part: Partial<Sight>) =>
    viewSession(entry, { life: { kind: 'running', pid: 7 }, sight: { ...NOTHING, ...part } }, NOW);

  test.each(CASES)('has a sentence and its source: %s', (_, part, doing, source) => {
    const view = told(part);
    expect(view).toMatchObject({ state: 'running', source, activity: { doing } });
    expect(view.sentence).toMatch(/^[A-Z].*[.?]$/s);
    expect(view.sentence).not.toMatch(/success|finished|complete|null|undefined/i);
  });

  test('has the question, and suggests how to answer it', () => {
    expect(told({ reported: { report: ASKS, at: ago(3) } })).toMatchObject({
      sentence: 'Asks for permission: May I run curl?',
      suggestions: [{ do: 'session-attach', on: 's1' }],
    });
  });

  test('says how long the agent has been silent', () => {
    expect(told({ lastOutput: ago(40) }).sentence).toContain('for 40 s.');
    expect(told({ lastOutput: ago(1200) }).sentence).toContain('for 20 min.');
  });

  test('has no activity if the program does not run', () => {
    const sight = { ...NOTHING, reported: { report: FINISHED, at: ago(1) } };
    expect(viewSession(entry, { life: { kind: 'gone' }, sight }, NOW)).toMatchObject({ state: 'gone', activity: null });
  });
});

test('after text was sent to an agent, its last report says nothing, although it has printed nothing since', () => {
  const reported = { report: FINISHED, at: ago(30) };
  expect(needsScreen({ ...NOTHING, reported, lastSent: ago(20) }, now)).toBe(true);
  expect(needsScreen({ ...NOTHING, reported, lastSent: ago(40) }, now)).toBe(false);
});
