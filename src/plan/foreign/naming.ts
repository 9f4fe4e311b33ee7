// How remarks name the tasks of a file.
import { showName } from '../../text/show.ts';
import type { ListedTask } from './task-list.ts';

/** How a person finds it in the file. */
export function listedName({ id, name }: Pick<ListedTask, 'id' | 'name'>): string {
  if (id === '') return `"${showName(name)}"`;
  return /^\d/.test(id) ? `task ${showName(id)}` : showName(id);
}

/** One sentence about all of them, which names the first few; none where there are none. */
export function someOf(all: readonly string[], sentence: (such: string) => string): readonly string[] {
  if (all.length === 0) return [];
  const more = all.length > MOST_NAMED ? `, and ${all.length - MOST_NAMED} more` : '';
  return [sentence(`${all.slice(0, MOST_NAMED).join(', ')}${more}`)];
}

const MOST_NAMED = 5;
