// What a decision asks to be done in the world, as data. Each may be performed twice without harm.

export type Effect =
  /** Brings a sentence before a person. */
  | { readonly id: string; readonly do: 'tell'; readonly text: string }
  /** Moves a refused signal aside, with its reason beside it. The particulars stand in the world's `refused`. */
  | { readonly id: string; readonly do: 'quarantine'; readonly quarantine: string };

export function effectId(seq: number, index: number): string {
  return `e${seq}.${index}`;
}
