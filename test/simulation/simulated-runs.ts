// Git, the verify command and the files of runs on the simulated computer. They are not on the simulated disk: what they did
// stays done, even if the cadre process that asked for it is killed.
import type { Tree } from '../../src/core/model/run-name.ts';
import type { Merging } from '../../src/core/ports/merging.ts';
import type { PullRequests } from '../../src/core/ports/pull-requests.ts';
import type { Verifier } from '../../src/core/ports/verifier.ts';
import type { RunFiles, RunWorktrees } from '../../src/core/ports/worktrees.ts';

const BASE = 'commit-0';

export class SimulatedRuns {
  /** The commit of each worktree. */
  readonly heads = new Map<string, string>();
  /** The commits of each plan branch, oldest first, each with the commit that it merged. */
  readonly branches = new Map<string, { readonly commit: string; readonly merged: string }[]>();
  /** Merges that were refused once because of a checkout: every other one is. */
  readonly #occupied = new Set<string>();
  #commits = 0;

  /** An agent commits something in its worktree. */
  commit(tree: Tree): void {
    this.heads.set(nameOf(tree), `commit-${++this.#commits}`);
  }

  /** `alive` throws if the calling process is dead. */
  seenBy(alive: () => void): {
    readonly trees: RunWorktrees;
    readonly merging: Merging;
    readonly pulls: PullRequests;
    readonly verifier: Verifier;
    readonly files: RunFiles;
  } {
    return { trees: this.#trees(alive), merging: this.#merging(alive), pulls: PULLS, verifier: VERIFIER, files: FILES };
  }

  #tipOf(branch: string): string {
    return this.branches.get(branch)?.at(-1)?.commit ?? BASE;
  }

  #trees(alive: () => void): RunWorktrees {
    const ready = (tree: Tree, at: string) => {
      alive();
      const head = this.heads.get(nameOf(tree)) ?? at;
      this.heads.set(nameOf(tree), head);
      return { kind: 'ready', path: nameOf(tree), base: at, portBase: 20_000, notes: [] } as const;
    };
    return {
      planBranch: async (plan) => {
        alive();
        return { branch: plan, tip: this.#tipOf(plan), base: 'main' };
      },
      tipOf: async (plan) => {
        alive();
        return this.#tipOf(plan);
      },
      renewBranch: async (plan) => {
        alive();
        const pinned = this.#tipOf(plan);
        this.branches.delete(plan);
        return { kind: 'renewed', pinned };
      },
      setUp: async (run, branch) => ready(run, this.#tipOf(branch)),
      detach: async (tree, at) => ready(tree, at),
      pathOf: nameOf,
      portBaseOf: async () => 20_000,
      exists: (tree) => this.heads.has(nameOf(tree)),
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
      undo: async () => ({ kind: 'nothing-to-undo' }),
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

  #merging(alive: () => void): Merging {
    const nothingNew = async (branch: string) => ({ kind: 'already', commit: this.#tipOf(branch) }) as const;
    return {
      takeIn: async () => undefined,
      offer: async () => ({ kind: 'waits', why: 'There is no remote.', needsPerson: true }),
      merge: async ({ planBranch, pin, tip }) => {
        alive();
        const commits = this.branches.get(planBranch) ?? [];
        const before = commits.find(({ merged }) => merged === pin);
        if (before !== undefined) return { kind: 'already', commit: before.commit };
        const now = this.#tipOf(planBranch);
        if (now !== tip) return { kind: 'moved', tip: now, isAhead: true };
        if (/[02468]$/.test(pin) && !this.#occupied.has(pin)) {
          this.#occupied.add(pin);
          return { kind: 'occupied', path: '/theirs', why: 'Somebody has it checked out.' };
        }
        const commit = `commit-${++this.#commits}`;
        this.branches.set(planBranch, [...commits, { commit, merged: pin }]);
        return { kind: 'merged', commit };
      },
      merged: async (_run, planBranch, pin) =>
        this.branches.get(planBranch)?.find(({ merged }) => merged === pin)?.commit,
      syncBase: ({ planBranch }) => nothingNew(planBranch),
      canLand: async () => ({ kind: 'lands', how: 'fast-forward' }),
      land: ({ planBranch }) => nothingNew(planBranch),
    };
  }
}

function nameOf({ plan, name }: Tree): string {
  return `/worktrees/${plan}/${name}`;
}

const VERIFIER: Verifier = {
  verify: async () => ({ kind: 'passed' }),
  command: () => ({ kind: 'command', words: ['true'], why: '' }),
  outputOf: () => '/output',
};

/** There is no remote. */
const PULLS: PullRequests = {
  patience: 0,
  problem: async () => 'there is no remote',
  merge: async () => ({ kind: 'waits', url: '', why: 'There is no remote.', needsPerson: true }),
};

const FILES: RunFiles = { write: (_tree, file) => `/runs/${file}` };
