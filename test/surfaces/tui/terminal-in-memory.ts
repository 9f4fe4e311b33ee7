// A terminal without a screen: what is written to it is kept, and a test types on its keyboard.
import type { Terminal, TerminalListener } from '../../../src/surfaces/tui/terminal/person-terminal.ts';

export interface TerminalInMemory {
  readonly terminal: Terminal;
  /** Everything that was written, in order. */
  readonly written: readonly string[];
  readonly state: { readonly isOpen: boolean; readonly isLent: boolean };
  keyboard(): TerminalListener;
}

/** `sizeAt`: its size when it is asked for so many times. */
export function terminalInMemory(
  sizeAt: (count: number) => ReturnType<Terminal['size']> = () => ({ columns: 120, rows: 40 }),
): TerminalInMemory {
  const state = { isOpen: false, isLent: false };
  const written: string[] = [];
  let listener: TerminalListener | undefined;
  let asked = 0;
  const terminal: Terminal = {
    env: {},
    size: () => sizeAt(asked++),
    open(given) {
      listener = given;
      state.isOpen = true;
    },
    write: (text) => void written.push(text),
    close() {
      state.isOpen = false;
    },
    async lend(use) {
      state.isLent = true;
      try {
        return await use();
      } finally {
        state.isLent = false;
        listener?.disturbed();
      }
    },
    suspend: () => undefined,
  };
  return {
    terminal,
    written,
    state,
    keyboard() {
      if (listener === undefined || !state.isOpen) throw new Error('The interface does not listen.');
      return listener;
    },
  };
}
