// Checks that worlds which count as one are equivalent: the same steps lead to worlds that count as one again.
import type { Model } from './models.ts';
import { alike, identical } from './sameness.ts';
import { search, type Watch } from './search.ts';

export interface Partition {
  readonly worlds: number;
  readonly classes: number;
  /** Happenings that lead to different worlds from two worlds that count as one. */
  readonly torn: readonly { readonly one: string; readonly other: string; readonly labels: readonly string[] }[];
}

/** Searches all single worlds, and compares each with the first one that counts as the same. */
export function partition(model: Model, states: number): Partition {
  const sameness = alike(!model.sequential);
  const firsts = new Map<string, { readonly text: string; readonly steps: ReadonlyMap<string, string> }>();
  const torn: Partition['torn'][number][] = [];
  const compare: Watch = (from, taken) => {
    const steps = new Map(taken.map(({ happening, to }) => [`${happening.actor} ${sameness(to)}`, happening.label]));
    const key = sameness(from);
    const first = firsts.get(key);
    if (first === undefined) {
      firsts.set(key, { text: identical(from), steps });
      return;
    }
    const labels = [...without(steps, first.steps), ...without(first.steps, steps)];
    if (labels.length > 0) torn.push({ one: first.text, other: identical(from), labels });
  };
  const report = search({ ...model, alike: false }, { violations: 1, states }, compare);
  if (report.violations.length > 0) throw new Error(`${model.name}: ${JSON.stringify(report.violations)}`);
  return { worlds: report.states, classes: firsts.size, torn };
}

function without(steps: ReadonlyMap<string, string>, others: ReadonlyMap<string, string>): readonly string[] {
  return [...steps].flatMap(([step, label]) => (others.has(step) ? [] : [label]));
}
