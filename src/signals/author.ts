// Who said something, as data: every sentence and prompt that repeats a text names its author from this.
import type { Role } from './registry.ts';

export type Author = 'person' | 'engine' | Role;

type Speaker = { readonly who: 'user' | 'engine' } | { readonly who: 'agent'; readonly role: Role };

export function authorOf(by: Speaker): Author {
  if (by.who === 'agent') return by.role;
  return by.who === 'user' ? 'person' : 'engine';
}

/** The author of a record. */
export function authorIn({ by, role = 'unknown' }: { readonly by: Speaker['who']; readonly role?: Role }): Author {
  return by === 'agent' ? role : authorOf({ who: by });
}

/** The author in a sentence for people. */
export function authorWords(author: Author): string {
  return WORDS[author];
}

/** The author of a text that may have been said in a journal of 0.1.0. */
export function asAuthor(by: string): Author {
  const found = AUTHORS.find((author) => by === author || by === WORDS[author] || by === `the ${author}`);
  return found ?? 'unknown';
}

const WORDS: { readonly [author in Author]: string } = {
  person: 'a person',
  engine: 'the engine',
  planner: 'the planner',
  architect: 'the architect',
  implementer: 'the implementer',
  'spec-reviewer': 'the spec reviewer',
  'quality-reviewer': 'the quality reviewer',
  reviewer: 'the reviewer of the plan',
  outside: 'an agent outside of cadre',
  unknown: 'an agent',
};

const AUTHORS = Object.keys(WORDS) as readonly Author[];
