// What an agent seems to be doing, computed from everything that gives a hint, with the source of the answer.
// The program's own report counts most, then its screen, then whether it writes at all. None of them is ever a verdict.
import type { Report, ScreenReading } from '../../agents/agent.ts';

/** All times are in milliseconds since 1970. */
export interface Sight {
  /** What the program last reported through its hooks. */
  readonly reported: { readonly report: Report; readonly at: number } | undefined;
  /** What its screen shows; undefined where nobody has read it. */
  readonly screen: ScreenReading | undefined;
  readonly lastOutput: number | undefined;
  /** When text was last sent to it. */
  readonly lastSent: number | undefined;
}

export interface Activity {
  readonly doing: 'works' | 'waits' | 'asks-permission' | 'asks-trust' | 'quota' | 'crashed' | 'unclear';
  /** The question, the error, or when the quota is available again. */
  readonly about: string | null;
  readonly source: 'hook' | 'screen' | 'output';
}

export function activityOf(sight: Sight, now: number): Activity {
  return fromReport(sight, now) ?? fromScreen(sight.screen) ?? fromOutput(sight.lastOutput, now);
}

/** The screen need not be read where the program's own report is enough. */
export function needsScreen(sight: Omit<Sight, 'screen'>, now: number): boolean {
  return fromReport(sight, now) === undefined;
}

/** A program redraws its screen right after it has reported; output after this long is new activity. */
const REDRAWN_WITHIN = 2_000;

function fromReport({ reported, lastOutput, lastSent }: Omit<Sight, 'screen'>, now: number): Activity | undefined {
  if (reported === undefined || isAhead(reported.at, now)) return undefined;
  const { report, at } = reported;
  const isAfter = (time: number | undefined, limit: number): boolean =>
    time !== undefined && time >= limit && !isAhead(time, now);
  if (isAfter(lastSent, at) || isAfter(lastOutput, at + REDRAWN_WITHIN + 1)) return undefined;
  switch (report.kind) {
    case 'turn-finished':
      return { doing: 'waits', about: null, source: 'hook' };
    case 'asks-permission':
      return { doing: 'asks-permission', about: report.question, source: 'hook' };
    default:
      return undefined;
  }
}

/** What is dated in the future is from before the clock was set back, and says nothing about now. */
function isAhead(time: number, now: number): boolean {
  return time > now + REDRAWN_WITHIN;
}

function fromScreen(reading: ScreenReading | undefined): Activity | undefined {
  switch (reading?.kind) {
    case 'busy':
      return { doing: 'works', about: null, source: 'screen' };
    case 'idle':
      return { doing: 'waits', about: null, source: 'screen' };
    case 'asks-permission':
    case 'asks-trust':
      return { doing: reading.kind, about: reading.question, source: 'screen' };
    case 'quota':
      return { doing: 'quota', about: reading.until, source: 'screen' };
    case 'crashed':
      return { doing: 'crashed', about: reading.message, source: 'screen' };
    default:
      return undefined;
  }
}

/** A program that has just written something is working; a silent one may be thinking, waiting or hanging. */
const WRITES_WITHIN = 5_000;

function fromOutput(lastOutput: number | undefined, now: number): Activity {
  const isWriting = lastOutput !== undefined && now - lastOutput <= WRITES_WITHIN && !isAhead(lastOutput, now);
  return { doing: isWriting ? 'works' : 'unclear', about: null, source: 'output' };
}

/** Whether it waits for an answer of a person. */
export function needsAnswer({ doing }: Activity): boolean {
  return doing === 'asks-permission' || doing === 'asks-trust';
}
