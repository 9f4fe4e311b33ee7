// Messages to a person, as a port.

/** Brings sentences before a person. */
export interface Notify {
  /** A step that waits for them, or an end that was reached. */
  tell(text: string): void;
  /** Something that stands in the way. */
  warn(text: string): void;
}
