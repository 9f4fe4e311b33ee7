// Who said something, in a sentence for an agent.
import { type Author, authorWords } from '../../../signals/author.ts';

export function promptWords(author: Author): string {
  if (author === 'person') return 'the person who runs this plan';
  return author === 'engine' ? 'cadre' : authorWords(author);
}

export function promptSubject(author: Author): string {
  const who = promptWords(author);
  return who.charAt(0).toUpperCase() + who.slice(1);
}
