// What a decision asks to be done in the world, as data. Each may be performed twice without harm.

import type { Refused } from './refused.ts';

export type Effect =
  /** Brings a sentence before a person. */
  | { readonly id: string; readonly do: 'tell'; readonly text: string }
  /** Moves a refused signal aside, with its reason beside it. The particulars stand in the world's `refused`. */
  | { readonly id: string; readonly do: 'quarantine'; readonly quarantine: string }
  /** Puts a refused signal back where it came from, to be heard as if it were said now. */
  | { readonly id: string; readonly do: 'release'; readonly refused: Refused; readonly entered: number }
  /** Deletes a refused signal, at a person's word. */
  | { readonly id: string; readonly do: 'discard'; readonly refused: Refused };

export function effectId(seq: number, index: number): string {
  return `e${seq}.${index}`;
}
