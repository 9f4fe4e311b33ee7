// Removes what is no longer needed: one thing at a time, after checking again that it is what it was taken for.
import { lstatSync, mkdirSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Commit } from '../../core/model/commit.ts';
import { Failure, systemCode } from '../../core/model/failure.ts';
import type { Tree } from '../../core/model/run-name.ts';
import type { Cleanup, Target } from '../../core/ports/cleanup.ts';
import type { KeptWork } from '../../core/ports/kept.ts';
import type { Locks } from '../../core/ports/locks.ts';
import type { RunWorktrees } from '../../core/ports/worktrees.ts';
import { slugOf } from '../../plan/name.ts';
import { showText } from '../../text/show.ts';
import { KEEP, refPrefix } from '../git/cadre-refs.ts';
import { checkoutOf } from '../git/checked-out.ts';
import { type GitRepo, NO_LOCKS } from '../git/git.ts';
import { isAncestor } from '../git/history.ts';
import type { Reports } from '../sessions/reports.ts';
import { isStoppedIn } from '../sessions/session-folders.ts';
import type { PortBlocks } from '../worktrees/port-blocks.ts';
import { bytesBelow, entriesOf, removeIfEmpty, removeOwn, whyNotOwn } from './own-folders.ts';
import { type LeftoverPlaces, leftovers, MOVED_FILES } from './survey.ts';

export interface CleanupOptions extends Omit<LeftoverPlaces, 'portHolders'> {
  readonly kept: Pick<KeptWork, 'list'>;
  readonly trees: Pick<RunWorktrees, 'remove' | 'pin' | 'pins' | 'pathOf'>;
  readonly ports: Pick<PortBlocks, 'release' | 'holders'>;
  readonly reports: Pick<Reports, 'forget'>;
  readonly locks: Locks;
  readonly cleanupLock: string;
}

/** How long to wait for another cleanup, in milliseconds. */
const LOCK_PATIENCE = 60_000;

export function cleanup(options: CleanupOptions): Cleanup {
  const { kept, ports, locks, cleanupLock } = options;
  return {
    async survey() {
      const [left, work] = [await leftovers({ ...options, portHolders: ports.holders }), await kept.list()];
      return { ...left, kept: work };
    },
    bytesOf: (target) => pathsOf(options, target).reduce((sum, path) => sum + bytesBelow(path), 0),
    bytesInGit: (refs) => bytesInGit(options, refs),
    remove: (target) => removed(options, target),
    async undisturbed(work) {
      mkdirSync(dirname(cleanupLock), { recursive: true, mode: 0o700 });
      const lock = await locks.take(cleanupLock, LOCK_PATIENCE);
      try {
        return await work();
      } finally {
        lock.release();
      }
    },
  };
}

function pathsOf({ trees, runs, sessions, inbox, quarantine }: CleanupOptions, target: Target): readonly string[] {
  switch (target.kind) {
    case 'worktree':
      return [trees.pathOf(target.tree)];
    case 'files':
      return [target.folder];
    case 'output':
      return outputOf(runs, target);
    case 'session':
      return [join(sessions, target.session)];
    case 'box':
      return [join(inbox, target.session)];
    case 'refused':
      return filesOfRefused(target.id).map((name) => join(quarantine, name));
    case 'branch':
    case 'pin':
    case 'port':
      return [];
  }
}

function outputOf(runs: string, { plan, part }: { readonly plan: string; readonly part: string }): readonly string[] {
  const folder = join(runs, plan, part);
  return entriesOf(folder)
    .filter((name) => !MOVED_FILES.has(name))
    .map((name) => join(folder, name));
}

function filesOfRefused(id: string): readonly string[] {
  return [`${id}.original`, `${id}.json`];
}

/** More refs than this would not fit into the argument list of git. */
const MOST_REFS = 1_000;

async function bytesInGit({ git, root }: GitRepo, refs: readonly string[]): Promise<number> {
  if (refs.length === 0 || refs.length > MOST_REFS) return 0;
  const others = [...refs.map((ref) => `--exclude=${ref}`), '--all'];
  const words = ['rev-list', '--objects', '--disk-usage', ...refs, '--not', ...others];
  const answer = await git.ask(root, words, { env: NO_LOCKS });
  return answer.exitCode === 0 ? Number(answer.stdout) : 0;
}

/** What cannot be removed now stays, with the reason, and does not keep the rest from going. */
async function removed(options: CleanupOptions, target: Target): Promise<string | undefined> {
  try {
    return await remove(options, target);
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

async function remove(options: CleanupOptions, target: Target): Promise<string | undefined> {
  const { trees, worktrees, runs, sessions, quarantine, ports, reports } = options;
  switch (target.kind) {
    case 'worktree': {
      const answer = await trees.remove(target.tree);
      if (answer.kind === 'stays') return answer.why;
      removeIfEmpty(worktrees, slugOf(target.tree.plan));
      return undefined;
    }
    case 'branch':
      return removeBranch(options, target);
    case 'pin':
      return removePin(options, target);
    case 'files': {
      const names = relative(runs, target.folder).split('/');
      const why = removeOwn(runs, ...names);
      if (why === undefined) removeIfEmpty(runs, ...names);
      return why;
    }
    case 'output':
      return removeOutput(options, target);
    case 'session': {
      if (!isStoppedIn(sessions, target.session)) return `${target.session} is not stopped.`;
      reports.forget(target.session);
      return removeOwn(sessions, target.session);
    }
    case 'box':
      return removeBox(options, target.session);
    case 'refused':
      // A refused signal may be a link itself, which goes without what it leads to.
      for (const name of filesOfRefused(target.id)) rmSync(join(quarantine, name), { recursive: true, force: true });
      return undefined;
    case 'port':
      await ports.release(target.worktree);
      return undefined;
  }
}

async function removeBranch(
  options: CleanupOptions,
  { branch, commit, pinFor }: Extract<Target, { kind: 'branch' }>,
): Promise<string | undefined> {
  const { git, root, trees } = options;
  const checkout = await checkoutOf(options, branch);
  if (checkout !== undefined) return `${branch} is checked out in ${showText(checkout.path)}.`;
  if (pinFor !== null && !(await isPinned(options, pinFor, commit)))
    await trees.pin(pinFor, 'Its branch was cleaned up.');
  const answer = await git.ask(root, ['update-ref', '--no-deref', '-d', `refs/heads/${branch}`, commit]);
  return answer.exitCode === 0 ? undefined : `${branch} has moved, or git failed: ${showText(answer.stderr.trim())}`;
}

/** Pinned as it is, or below what was not committed. */
async function isPinned({ trees, ...repo }: CleanupOptions, tree: Tree, commit: Commit): Promise<boolean> {
  for (const pin of await trees.pins(tree)) if (await isAncestor(repo, commit, pin.commit)) return true;
  return false;
}

/** With the last pin of a run goes the note of where the run started, unless its branch is still there. */
async function removePin(
  options: CleanupOptions,
  { ref, commit }: Extract<Target, { kind: 'pin' }>,
): Promise<string | undefined> {
  const { git, root } = options;
  if (!ref.startsWith(KEEP)) return `${showText(ref)} is not a pin.`;
  const answer = await git.ask(root, ['update-ref', '--no-deref', '-d', ref, commit]);
  if (answer.exitCode !== 0) return `${ref} has moved, or git failed: ${showText(answer.stderr.trim())}`;
  const [plan = '', part = ''] = ref.slice(KEEP.length).split('/');
  const rest = [`${KEEP}${plan}/${part}/`, `refs/heads/cadre/${plan}/${part}`];
  const left = await git.must(root, ['for-each-ref', '--count=1', '--format=%(refname)', ...rest], { env: NO_LOCKS });
  if (left.trim() === '') await git.ask(root, ['update-ref', '--no-deref', '-d', refPrefix({ plan, part })]);
  return undefined;
}

/** The note of how git linked the worktree is among the output, so the worktree goes first. */
function removeOutput(
  { runs, worktrees }: CleanupOptions,
  { plan, part }: Extract<Target, { kind: 'output' }>,
): string | undefined {
  const tree = join(worktrees, plan, part);
  if (lstatSync(tree, { throwIfNoEntry: false }) !== undefined) return `Its worktree ${showText(tree)} still exists.`;
  const why = whyNotOwn(runs, [plan, part]);
  if (why !== undefined) return why;
  const names = entriesOf(join(runs, plan, part)).filter((name) => !MOVED_FILES.has(name));
  const stays = names.map((name) => removeOwn(runs, plan, part, name)).find((one) => one !== undefined);
  removeIfEmpty(runs, plan, part);
  return stays;
}

/** A message may have arrived since: its folder is removed only if it is empty. */
function removeBox({ inbox }: CleanupOptions, session: string): string | undefined {
  const why = whyNotOwn(inbox, [session, 'new']) ?? removeOwn(inbox, session, 'tmp');
  if (why !== undefined) return why;
  try {
    for (const folder of [join(inbox, session, 'new'), join(inbox, session)])
      if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined) rmdirSync(folder);
    return undefined;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return `${showText(join(inbox, session))} is not empty: ${readdirSync(join(inbox, session)).join(', ')}.`;
  }
}
