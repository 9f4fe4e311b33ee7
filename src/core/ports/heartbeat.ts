// When an engine of the repository was last awake, and what keeps it from its work, as a port.

/** Survives the engine. Everything here is best effort: a beat that is lost counts as time in which no engine was awake. */
export interface Heartbeat {
  /** The last beat, in milliseconds since 1970; undefined if there never was one. */
  last(): number | undefined;
  beat(now: Date): void;
  /** What keeps an engine that runs from all of its work; undefined once nothing does. */
  complain(problem: string | undefined): void;
  complaint(): string | undefined;
}
