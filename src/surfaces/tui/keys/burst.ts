// Keys that come faster than a person presses them were pasted, or meant for another program: they are text, not commands.
import type { Model } from '../model/model.ts';
import type { Input } from '../terminal/input.ts';

/** What came at once. Where a line is typed, or the first key opens one, it is taken key by key. */
export function burst(inputs: readonly Input[], { mode }: Model): readonly Input[] {
  const names = inputs.flatMap((input) => (input.kind === 'key' ? [input.name] : []));
  const acting = names.filter((name) => isPrintable(name) && !MOVES.has(name));
  if (mode.kind === 'type' || acting.length < MOST_AT_ONCE || OPENS.has(names[0] ?? '')) return inputs;
  return [{ kind: 'paste', text: names.map((name) => (isPrintable(name) ? textOf(name) : ' ')).join('') }];
}

/** More than anybody presses between two reads of a terminal. */
const MOST_AT_ONCE = 6;

/** A held key repeats. */
const MOVES: ReadonlySet<string> = new Set(['j', 'k', 'h', 'l', 'J', 'K']);

/** What opens a line to type: the rest is for that line. */
const OPENS: ReadonlySet<string> = new Set([':', '/', 'n', 'N', 'a', 'i']);

function isPrintable(name: string): boolean {
  return name === 'space' || [...name].length === 1;
}

function textOf(name: string): string {
  return name === 'space' ? ' ' : name;
}
