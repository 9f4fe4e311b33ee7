// What a prompt needs: lines, one after the other, and what the one being typed can become.

export interface LineReading {
  readonly prompt: string;
  /** What the end of the line can become, where a person asks for that. */
  complete(line: string): Promise<Completion>;
}

export interface Completion {
  /** Whole words, each with the space behind it. */
  readonly matches: readonly string[];
  /** The part of the line that they replace. */
  readonly replaces: string;
}

export interface Lines extends AsyncIterable<string> {
  /** A person is at the terminal. */
  readonly areTyped: boolean;
}
