// The graph of worlds and steps: shortest paths, worlds from which a goal cannot be reached, and cycles.
import type { Actor } from './environment.ts';

export type Goal = 'done' | 'cancelled';

const ACTORS: readonly Actor[] = ['user', 'engine', 'agent'];

export class Graph {
  readonly #parents: number[] = [];
  readonly #labels: string[] = [];
  readonly #goals: (Goal | null)[] = [];
  readonly #from: number[] = [];
  readonly #to: number[] = [];
  readonly #actors: number[] = [];

  get edges(): number {
    return this.#from.length;
  }

  add(id: number, parent: number, label: string, goal: Goal | null): void {
    this.#parents[id] = parent;
    this.#labels[id] = label;
    this.#goals[id] = goal;
  }

  connect(from: number, to: number, actor: Actor): void {
    this.#from.push(from);
    this.#to.push(to);
    this.#actors.push(ACTORS.indexOf(actor));
  }

  traceTo(id: number): readonly string[] {
    const trace: string[] = [];
    for (let at = id; at > 0; at = this.#parents[at] ?? 0) trace.unshift(this.#labels[at] ?? '');
    return trace;
  }

  /** A world from which a goal cannot be reached, and a world on a cycle without a person. */
  problems(): readonly { readonly id: number; readonly what: string }[] {
    const stuck = this.#withoutWayTo('done', ['user', 'engine']);
    const uncancelled = this.#withoutWayTo('cancelled', ['user']);
    const cycle = this.#onCycle();
    return [
      ...(stuck === undefined ? [] : [{ id: stuck, what: 'C9 done cannot be reached' }]),
      ...(uncancelled === undefined ? [] : [{ id: uncancelled, what: 'C9 cancelled cannot be reached' }]),
      ...(cycle === undefined ? [] : [{ id: cycle, what: 'C10 a cycle without a person' }]),
    ];
  }

  #withoutWayTo(goal: Goal, actors: readonly Actor[]): number | undefined {
    const allowed = new Set(actors.map((actor) => ACTORS.indexOf(actor)));
    const { starts, targets } = this.#neighbours(this.#to, this.#from, (edge) => allowed.has(this.#actors[edge] ?? -1));
    const seen = new Uint8Array(this.#parents.length);
    const queue: number[] = [];
    for (const [id, one] of this.#goals.entries())
      if (one === goal) {
        seen[id] = 1;
        queue.push(id);
      }
    for (let id = queue.pop(); id !== undefined; id = queue.pop())
      for (let at = starts[id] ?? 0; at < (starts[id + 1] ?? 0); at++) {
        const other = targets[at] ?? 0;
        if (seen[other]) continue;
        seen[other] = 1;
        queue.push(other);
      }
    const missing = seen.indexOf(0);
    return missing === -1 ? undefined : missing;
  }

  /** What is left after repeatedly removing all nodes without incoming edges is on a cycle, or behind one. */
  #onCycle(): number | undefined {
    const user = ACTORS.indexOf('user');
    const { starts, targets } = this.#neighbours(this.#from, this.#to, (edge) => this.#actors[edge] !== user);
    const incoming = new Int32Array(this.#parents.length);
    for (const target of targets) incoming[target] = (incoming[target] ?? 0) + 1;
    const queue = [...incoming.keys()].filter((id) => incoming[id] === 0);
    for (let id = queue.pop(); id !== undefined; id = queue.pop())
      for (let at = starts[id] ?? 0; at < (starts[id + 1] ?? 0); at++) {
        const other = targets[at] ?? 0;
        const left = (incoming[other] ?? 0) - 1;
        incoming[other] = left;
        if (left === 0) queue.push(other);
      }
    const cycle = incoming.findIndex((count) => count > 0);
    return cycle === -1 ? undefined : cycle;
  }

  /** The edges by their source, packed: those of `id` are `targets[starts[id]]` up to `targets[starts[id + 1]]`. */
  #neighbours(
    begins: readonly number[],
    ends: readonly number[],
    counts: (edge: number) => boolean,
  ): { readonly starts: Int32Array; readonly targets: Int32Array } {
    const starts = new Int32Array(this.#parents.length + 1);
    for (let edge = 0; edge < begins.length; edge++)
      if (counts(edge)) starts[(begins[edge] ?? 0) + 1] = (starts[(begins[edge] ?? 0) + 1] ?? 0) + 1;
    for (let id = 0; id < this.#parents.length; id++) starts[id + 1] = (starts[id + 1] ?? 0) + (starts[id] ?? 0);
    const next = starts.slice();
    const targets = new Int32Array(starts.at(-1) ?? 0);
    for (let edge = 0; edge < begins.length; edge++) {
      if (!counts(edge)) continue;
      const begin = begins[edge] ?? 0;
      targets[next[begin] ?? 0] = ends[edge] ?? 0;
      next[begin] = (next[begin] ?? 0) + 1;
    }
    return { starts, targets };
  }
}
