// What an agent seems to be doing, put together from everything that tells something about it, with what it is known from.
// The program's own word counts most, then its screen, then that it writes at all; none of them is ever a verdict.
import type { Report, ScreenReading } from '../../agents/agent.ts';

/** All times are in milliseconds since 1970. */
export interface Sight {
  /** What the program last reported by itself. */
  readonly reported: { readonly report: Report; readonly at: number } | undefined;
  /** What its screen says; nothing where nobody has looked. */
  readonly screen: ScreenReading | undefined;
  readonly lastOutput: number | undefined;
  /** When it was last told something. */
  readonly lastSent: number | undefined;
}

export interface Activity {
  readonly doing: 'works' | 'waits' | 'asks-permission' | 'asks-trust' | 'quota' | 'crashed' | 'unclear';
  /** The question, the error, or until when it has nothing left to use. */
  readonly about: string | null;
  readonly source: 'hook' | 'screen' | 'output';
}

export function activityOf(sight: Sight, now: number): Activity {
  return fromReport(sight) ?? fromScreen(sight.screen) ?? fromOutput(sight.lastOutput, now);
}

/** A screen is looked at only where the program has not said it by itself. */
export function needsScreen(sight: Omit<Sight, 'screen'>): boolean {
  return fromReport(sight) === undefined;
}

/** A program draws its screen once more right after it has reported; what it writes later is something new. */
const REDRAWN_WITHIN = 2_000;

function fromReport({ reported, lastOutput, lastSent }: Omit<Sight, 'screen'>): Activity | undefined {
  if (reported === undefined) return undefined;
  const { report, at } = reported;
  if ((lastSent ?? 0) >= at || (lastOutput ?? 0) > at + REDRAWN_WITHIN) return undefined;
  switch (report.kind) {
    case 'turn-finished':
      return { doing: 'waits', about: null, source: 'hook' };
    case 'asks-permission':
      return { doing: 'asks-permission', about: report.question, source: 'hook' };
    default:
      return undefined;
  }
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

/** Whoever has just written something works; whoever has been silent may think, wait or hang. */
const WRITES_WITHIN = 5_000;

function fromOutput(lastOutput: number | undefined, now: number): Activity {
  const isWriting = lastOutput !== undefined && now - lastOutput <= WRITES_WITHIN;
  return { doing: isWriting ? 'works' : 'unclear', about: null, source: 'output' };
}

/** Whether it waits for a person, whatever else is going on. */
export function needsAnswer({ doing }: Activity): boolean {
  return doing === 'asks-permission' || doing === 'asks-trust';
}
