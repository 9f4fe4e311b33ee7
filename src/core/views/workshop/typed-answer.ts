// What a person typed as the answer to a question with suggestions.

export interface TypedAnswer {
  readonly text: string;
  /** It is a number, and no suggestion has it: rather a slip than an answer. */
  readonly isDoubtful: boolean;
}

/** The number of a suggestion means its text, unless the number itself is suggested. */
export function typedAnswer(typed: string, suggestions: readonly string[]): TypedAnswer {
  const text = typed.trim();
  if (!/^\d{1,3}$/.test(text) || suggestions.length === 0 || suggestions.includes(text))
    return { text, isDoubtful: false };
  const chosen = suggestions[Number(text) - 1];
  return { text: chosen ?? text, isDoubtful: chosen === undefined };
}
