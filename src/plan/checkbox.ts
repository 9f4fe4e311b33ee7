// A checkbox at the start of a list entry: "[ ] open", "[x] done", "[-] started".
import type { Block } from './markdown/blocks.ts';

export interface Checkbox {
  /** What is between the brackets; empty for "[]". */
  readonly mark: string;
  /** A "*" follows the brackets, as Kiro marks optional tasks. */
  readonly starred: boolean;
  /** The offset of the text after it. */
  readonly end: number;
}

/** Undefined for a block that does not start with a checkbox, or is not in a list of its own file. */
export function checkboxOf(text: string, block: Block): Checkbox | undefined {
  const [span] = block.kind === 'paragraph' && block.depth > 0 && !block.quoted ? block.spans : [];
  if (span === undefined) return undefined;
  const found = BOX.exec(text.slice(span.from, Math.min(span.to, span.from + LONGEST)));
  if (found === null) return undefined;
  const [whole, mark = '', star] = found;
  return { mark, starred: star !== undefined, end: span.from + whole.length };
}

/**
 * What people put into the brackets. A letter other than x is a reference or a label. The space after them may be missing
 * before a word.
 */
const BOX = /^\[([ xX✓✔✅☑√~/>!?-]?\ufe0f?)\](\\?\*(?!\*))?(?:[ \t]+|$|(?<=^\[[ xX]\])(?=[^\s!-/:-@[-^{-~]|\*\*))/u;
const LONGEST = 40;
