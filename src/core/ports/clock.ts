// Time, as a port.

/** Time. Order never comes from it; sequence numbers give that. */
export interface Clock {
  now(): Date;
  /** Milliseconds that only ever grow, for deadlines and waiting. */
  elapsed(): number;
}
