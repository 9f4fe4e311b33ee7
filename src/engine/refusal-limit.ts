// How many refused signals of one source are recorded and kept one by one. Beyond that they are only counted, so that an
// agent that floods cadre with them delays nobody.

/** So many at once, and after that so many a minute. */
const BURST = 50;
const PER_MINUTE = 60;
const MINUTE = 60_000;

/** A source that floods is read only this often, in milliseconds: every look at it takes time from the work of others. */
const FLOOD_PAUSE = 1_000;

export class RefusalLimit {
  readonly #burst: number;
  readonly #pausedUntil = new Map<string, number>();
  readonly #sources = new Map<string, { left: number; at: number }>();

  constructor(burst = BURST) {
    this.#burst = burst;
  }

  /** Whether one more refusal of the source is recorded. `elapsed`: milliseconds of the monotonic clock. */
  takes(source: string, elapsed: number): boolean {
    const before = this.#sources.get(source) ?? { left: this.#burst, at: elapsed };
    const left = Math.min(this.#burst, before.left + ((elapsed - before.at) / MINUTE) * PER_MINUTE);
    const isTaken = left >= 1;
    this.#sources.set(source, { left: isTaken ? left - 1 : left, at: elapsed });
    return isTaken;
  }

  /** Refusals of the source had to be counted. */
  flooded(source: string, elapsed: number): void {
    this.#pausedUntil.set(source, elapsed + FLOOD_PAUSE);
  }

  /** The sources that are not read now, and after how many milliseconds the first of them is again. */
  paused(elapsed: number): { readonly sources: ReadonlySet<string>; readonly lookAgainIn: number | undefined } {
    for (const [source, until] of this.#pausedUntil) if (until <= elapsed) this.#pausedUntil.delete(source);
    const ends = [...this.#pausedUntil.values()];
    return {
      sources: new Set(this.#pausedUntil.keys()),
      lookAgainIn: ends.length === 0 ? undefined : Math.max(1, Math.min(...ends) - elapsed),
    };
  }
}
