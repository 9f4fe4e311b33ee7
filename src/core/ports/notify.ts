// Messages to a person, as a port.

/** Shows sentences to a person. */
export interface Notify {
  /** Something waits for them, or is finished. */
  tell(text: string): void;
  /** Something prevents progress. */
  warn(text: string): void;
}
