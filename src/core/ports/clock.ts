// Time, as a port.

/** Never used to order events: sequence numbers do that. */
export interface Clock {
  now(): Date;
  /** Monotonic milliseconds, for deadlines and waiting. */
  elapsed(): number;
}
