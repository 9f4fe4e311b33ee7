// Git, the verify command and the files of runs on the simulated computer. They are not on the simulated disk: what they did
// stays done, even if the cadre process that asked for it is killed.
import type { Tree } from '../../src/core/model/run-name.ts';
import type { FinishAnswer, Merging } from '../../src/core/ports/merging.ts';
import type { PullRequests } from '../../src/core/ports/pull-requests.ts';
import type { Verifier } from '../../src/core/ports/verifier.ts';
import type { RunFiles, RunWorktrees } from '../../src/core/ports/worktrees.ts';

const BASE = 'commit-0';

interface SimulatedCommit {
  readonly parent: string;
  /** The commit that it merged; null for a commit that cadre did not make. */
  readonly merged: string | null;
}

export class SimulatedRuns {
  /** The commit of each worktree. */
  readonly heads = new Map<string, string>();
  /** The commit that each plan branch is at. */
  readonly tips = new Map<string, string>();
  /** The commits that were made for plan branches. */
  readonly #made = new Map<string, SimulatedCommit>();
  /** Merges that were refused once because of a checkout: every other one is. */
  readonly #occupied = new Set<string>();
  /** Worktrees with files that differ from their commit although git calls them clean: those of every other commit. */
  readonly #deceptive = new Set<string>();
  /** Worktrees that were verified with such files. */
  readonly deceived: string[] = [];
  #commits = 0;

  /** The commits of runs that were merged into this commit of a plan's branch. */
  mergedInto(tip: string | null): readonly string[] {
    const merged: string[] = [];
    for (let at = this.#made.get(tip ?? ''); at !== undefined; at = this.#made.get(at.parent))
      if (at.merged !== null) merged.unshift(at.merged);
    return merged;
  }

  /** Plans whose branch somebody else moved or deleted. */
  readonly touched = new Set<string>();

  deleteBranch(plan: string): void {
    if (this.tips.delete(plan)) this.touched.add(plan);
  }

  /** Somebody commits to the plan's branch. */
  moveBranch(plan: string): void {
    const parent = this.tips.get(plan);
    if (parent === undefined) return;
    this.touched.add(plan);
    const commit = `commit-${++this.#commits}`;
    this.#made.set(commit, { parent, merged: null });
    this.tips.set(plan, commit);
  }

  #contains(head: string, commit: string): boolean {
    for (let at: string | undefined = head; at !== undefined; at = this.#made.get(at)?.parent)
      if (at === commit) return true;
    return false;
  }

  /** An agent commits something in its worktree. */
  commit(tree: Tree): void {
    this.heads.set(nameOf(tree), `commit-${++this.#commits}`);
    if (this.#commits % 2 === 0) this.#deceptive.add(nameOf(tree));
  }

  /** `alive` throws if the calling process is dead. */
  seenBy(alive: () => void): {
    readonly trees: RunWorktrees;
    readonly merging: Merging;
    readonly pulls: PullRequests;
    readonly verifier: Verifier;
    readonly files: RunFiles;
  } {
    return {
      trees: this.#trees(alive),
      merging: this.#merging(alive),
      pulls: PULLS,
      verifier: this.#verifier(),
      files: FILES,
    };
  }

  #trees(alive: () => void): RunWorktrees {
    const ready = (tree: Tree, at: string) => {
      alive();
      const head = this.heads.get(nameOf(tree)) ?? at;
      this.heads.set(nameOf(tree), head);
      return { kind: 'ready', path: nameOf(tree), base: at, portBase: 20_000, notes: [] } as const;
    };
    return {
      baseOf: async (_plan, branch = 'main') => {
        alive();
        return { branch, commit: BASE, name: branch };
      },
      nestedIn: async () => [],
      shadowOf: async () => undefined,
      changed: async (from, to) => {
        alive();
        return from === to ? [] : ['file'];
      },
      files: async () => [],
      textAt: async () => undefined,
      tipOf: async (plan) => {
        alive();
        return this.tips.get(plan);
      },
      renewBranch: async (plan) => {
        alive();
        const pinned = this.tips.get(plan);
        this.tips.delete(plan);
        return { kind: 'renewed', pinned };
      },
      setUp: async (run, tip) => ready(run, tip),
      detach: async (tree, at) => ready(tree, at),
      pathOf: nameOf,
      portBaseOf: async () => 20_000,
      exists: (tree) => this.heads.has(nameOf(tree)),
      integrity: () => undefined,
      relink: async () => ({ kept: [] }),
      unlock: () => undefined,
      headOf: async (tree) => {
        alive();
        return this.heads.get(nameOf(tree));
      },
      look: async (tree) => {
        alive();
        const head = this.heads.get(nameOf(tree));
        if (head === undefined) return { kind: 'gone', why: 'There is no worktree.' };
        const commits = head === BASE ? 0 : 1;
        return { kind: 'present', head, branch: undefined, commits, dirty: [], dirtyCount: 0, unfinished: undefined };
      },
      differences: async (tree) => (this.#deceptive.has(nameOf(tree)) ? ['file'] : []),
      undo: async (tree) => {
        alive();
        if (!this.#deceptive.delete(nameOf(tree))) return { kind: 'nothing-to-undo' };
        return { kind: 'undone', pinned: { ref: 'kept', commit: BASE, missing: [] }, changed: ['file'] };
      },
      pin: async (tree) => ({ ref: 'kept', commit: this.heads.get(nameOf(tree)) ?? BASE, missing: [] }),
      pins: async () => [],
      remove: async (tree) => {
        alive();
        return this.heads.delete(nameOf(tree))
          ? { kind: 'removed', pinned: { ref: 'kept', commit: BASE, missing: [] }, saved: [] }
          : { kind: 'gone' };
      },
      restore: async () => ({ kind: 'refused', why: 'Nothing was kept.' }),
      commitFor: async (tree) => ({ kind: 'nothing-to-commit', head: this.heads.get(nameOf(tree)) ?? BASE }),
    };
  }

  #verifier(): Verifier {
    return {
      verify: async ({ tree }) => {
        if (this.#deceptive.has(nameOf(tree))) this.deceived.push(nameOf(tree));
        return { kind: 'passed' };
      },
      command: () => ({ kind: 'command', words: ['true'], why: '' }),
      setup: () => ({ kind: 'setup', words: [], why: '' }),
      outputOf: () => '/output',
    };
  }

  #merging(alive: () => void): Merging {
    /** The only place where a plan branch moves. */
    const move = async (plan: string, from: string | null, to: string): Promise<FinishAnswer> => {
      alive();
      const tip = this.tips.get(plan);
      if (tip === to) return { kind: 'merged', commit: to };
      if (tip !== (from ?? undefined)) return { kind: 'moved', tip };
      this.tips.set(plan, to);
      return { kind: 'merged', commit: to };
    };
    return {
      offer: async () => ({ kind: 'waits', why: 'There is no remote.', needsPerson: true }),
      merge: async ({ run: { plan }, pin, tip }, _verify, intend) => {
        alive();
        const now = this.tips.get(plan);
        if (now !== tip) return { kind: 'moved', tip: now };
        // A merge that was lost with the branch came back with a commit that a person took.
        if (this.mergedInto(tip).includes(pin)) return { kind: 'already', commit: tip };
        if (/[02468]$/.test(pin) && !this.#occupied.has(pin)) {
          this.#occupied.add(pin);
          return { kind: 'occupied', path: '/theirs', why: 'Somebody has it checked out.' };
        }
        const commit = `commit-${++this.#commits}`;
        this.#made.set(commit, { parent: tip, merged: pin });
        if (!(await intend({ from: tip, to: commit }))) return { kind: 'withheld' };
        const answer = await move(plan, tip, commit);
        return answer.kind === 'lost' ? { kind: 'withheld' } : answer;
      },
      finish: ({ plan = '', from, to }) => move(plan, from, to),
      setBranch: async ({ plan, from, to }) => {
        alive();
        const tip = this.tips.get(plan) ?? null;
        if (tip !== from && tip !== to) return { kind: 'moved', tip: tip ?? undefined };
        if (to === null) this.tips.delete(plan);
        else this.tips.set(plan, to);
        return { kind: 'set' };
      },
      contains: async (head, commit) => this.#contains(head, commit),
      hasChangesOf: async (head, commit) => this.#contains(head, commit),
      syncBase: async ({ tip }) => ({ kind: 'already', commit: tip }),
      canLand: async () => ({ kind: 'lands', how: 'fast-forward' }),
      land: async ({ tip }) => ({ kind: 'already', commit: tip }),
    };
  }
}

function nameOf({ plan, name }: Tree): string {
  return `/worktrees/${plan}/${name}`;
}

/** There is no remote. */
const PULLS: PullRequests = {
  patience: 0,
  problem: async () => 'there is no remote',
  merge: async () => ({ kind: 'waits', url: '', why: 'There is no remote.', needsPerson: true }),
  mergedAs: async () => undefined,
};

const FILES: RunFiles = { write: (_tree, file) => `/runs/${file}` };
