// Actions that bring back what was kept, and clean up what is no longer needed.

import type { Event } from '../../core/model/event.ts';
import { parseRunName, runBranch, type Tree, treeName } from '../../core/model/run-name.ts';
import { suggest } from '../../core/model/suggestion.ts';
import { EMPTY_WORLD, type World } from '../../core/model/world.ts';
import type { Cleanup } from '../../core/ports/cleanup.ts';
import type { Kept, KeptCommit, KeptFiles, KeptWork } from '../../core/ports/kept.ts';
import type { Garbage } from '../../core/views/garbage/situation.ts';
import { planFile } from '../../plan/name.ts';
import { showName, showText } from '../../text/show.ts';
import type { AppPorts } from '../ports.ts';
import { findGarbage, viewGarbage } from '../reads/garbage.ts';
import { findKept, objectsMissing } from '../reads/kept.ts';
import { findRepairs, worldIfReadable } from '../reads/repairs.ts';
import {
  type ActionRow,
  type Cleaned,
  type GarbageView,
  type Performed,
  type Refused,
  type Repaired,
  type Request,
  type Restored,
  refuse,
} from './action.ts';
import { submit } from './submit.ts';

type RecoveryAction = 'restore' | 'gc' | 'repair';

export const RECOVERY_ACTIONS: { readonly [name in RecoveryAction]: ActionRow<name> } = {
  restore: {
    subject: 'kept work',
    help: 'List work that was kept when something removed it, or bring it back',
    confirm: null,
    personOnly: true,
    perform: restore,
  },
  gc: {
    subject: 'repository',
    help: 'Show what is no longer needed, and remove it',
    confirm: 'Remove all of this?',
    personOnly: true,
    perform: clean,
  },
  repair: {
    subject: 'repository',
    help: 'Repair what the check-up found, if nothing can be lost by it',
    confirm: 'Do all of this?',
    personOnly: true,
    perform: repair,
  },
};

/** What is no longer needed now, which may differ from what was shown a moment ago. */
async function clean({ ports, input }: Request<'gc'>): Promise<Performed> {
  const cleanup = await ports.cleanup();
  const cleaned = await cleanup.undisturbed(async (): Promise<Cleaned> => {
    const removed: GarbageView[] = [];
    const stayed: { id: string; why: string }[] = [];
    for (const item of (await findGarbage(ports, cleanup, input)).garbage) {
      const view = viewGarbage(cleanup, item);
      const why = await remove(ports, cleanup, item.remove);
      if (why === undefined) removed.push(view);
      else stayed.push({ id: item.id, why });
    }
    return { removed, stayed };
  });
  const [world, engine] = [await ports.gateway.look(), ports.engine.holder() ?? null];
  return { kind: 'done', changed: cleaned.removed.length > 0, record: null, world, engine, notes: [], cleaned };
}

/** What is damaged now, which may differ from what was shown a moment ago. */
async function repair({ ports }: Request<'repair'>): Promise<Performed> {
  const cleanup = await ports.cleanup();
  const repaired = await cleanup.undisturbed(async (): Promise<Repaired> => {
    const done: string[] = [];
    const stayed: { repair: string; why: string }[] = [];
    for (const one of await findRepairs(ports)) {
      const why = await one.apply();
      if (why === undefined) done.push(one.repair);
      else stayed.push({ repair: one.repair, why });
    }
    return { done, stayed };
  });
  const [world, engine] = [(await worldIfReadable(ports)) ?? EMPTY_WORLD, ports.engine.holder() ?? null];
  return { kind: 'done', changed: repaired.done.length > 0, record: null, world, engine, notes: [], repaired };
}

/** Returns why it stays. */
async function remove(ports: AppPorts, cleanup: Cleanup, what: Garbage['remove']): Promise<string | undefined> {
  switch (what.kind) {
    case 'pause-session':
      return command(ports, { kind: 'session-pause', session: what.session, by: ports.by });
    case 'drop-refused':
      return command(ports, { kind: 'quarantine-drop', id: what.id, by: ports.by });
    default:
      return cleanup.remove(what);
  }
}

/** As if a person had typed it: it is recorded, and done by the engine. */
async function command(ports: AppPorts, event: Event): Promise<string | undefined> {
  const submitted = await submit(ports, event);
  if (submitted.kind === 'refused') return submitted.message;
  const warnings: string[] = [];
  const notify = { tell: () => undefined, warn: (text: string) => void warnings.push(text) };
  const effects = submitted.record?.effects ?? [];
  await ports.engine.perform(
    effects.map(({ id }) => id),
    notify,
  );
  return warnings.length === 0 ? undefined : warnings.join(' ');
}

async function restore({ ports, on = '', input }: Request<'restore'>): Promise<Performed> {
  const { kept } = await findKept(ports, on);
  const world = await ports.gateway.look();
  const work = await ports.kept();
  const restored = kept.kind === 'files' ? await filesTo(work, kept, input) : await commitTo(work, world, kept, input);
  if ('code' in restored) return restored;
  return {
    kind: 'done',
    changed: true,
    record: null,
    world,
    engine: ports.engine.holder() ?? null,
    notes: [],
    restored,
  };
}

type Input = Request<'restore'>['input'];

async function filesTo(work: KeptWork, kept: KeptFiles, { branch, folder }: Input): Promise<Restored | Refused> {
  const { id } = kept;
  if (branch !== undefined)
    return refuse('no-folder', `${id} consists of files that are in no commit, so it cannot become a branch.`);
  // They are out of every worktree's way already.
  if (folder === undefined) return { kind: 'files', id, folder: kept.folder, files: kept.files };
  const path = await work.toFolder(kept, folder);
  if (path !== undefined) return { kind: 'files', id, folder: path, files: kept.files };
  return refuse('folder-exists', `${showText(folder)} is not empty, and nothing in it is overwritten. Name another.`);
}

/** As its worktree, where that is gone and nothing else uses its place; otherwise, or if a branch is named, as a branch. */
async function commitTo(
  work: KeptWork,
  world: World,
  kept: KeptCommit,
  { branch, folder }: Input,
): Promise<Restored | Refused> {
  const { id, commit } = kept;
  if (folder !== undefined)
    return refuse('no-folder', `${id} is a commit: it comes back as a branch or as a worktree, not into a folder.`);
  if (kept.range === undefined) return refuse('no-object', objectsMissing({ id, commit }));
  const tree = branch === undefined ? treeFor(work, world, kept) : undefined;
  return tree === undefined
    ? toBranch(work, kept, branch ?? `restored/${id.replaceAll('/', '-')}`)
    : toTree(work, kept, tree);
}

async function toTree(work: KeptWork, kept: KeptCommit, tree: Tree): Promise<Restored | Refused> {
  const outcome = await work.toWorktree(kept, tree);
  if (outcome.kind === 'refused') return refuse('folder-exists', outcome.why);
  const { path, branch } = outcome;
  return { kind: 'worktree', id: kept.id, branch, commit: kept.commit, path, uncommitted: kept.isUncommitted };
}

async function toBranch(work: KeptWork, kept: KeptCommit, branch: string): Promise<Restored | Refused> {
  const { id, commit, isUncommitted: uncommitted } = kept;
  switch (await work.toBranch(kept, branch)) {
    case 'created':
    case 'existing':
      return { kind: 'branch', id, branch, commit, uncommitted };
    case 'taken':
      return refuse(
        'branch-exists',
        `The branch "${showName(branch)}" already exists at another commit, so it was not changed.`,
        {
          try: [suggest('restore', id, '<name>')],
        },
      );
    case 'not-a-name':
      return refuse('bad-branch', `"${showName(branch)}" is not a valid name for a branch.`);
  }
}

/** The place of the worktree, if it is free and no run can need it again. A run that is over never comes back. */
function treeFor(work: KeptWork, world: World, { plan, part }: Kept): Tree | undefined {
  const [file, name] = [planFile(`${plan}.md`), treeName(part)];
  if (file === undefined || name === undefined || parseRunName(part) === undefined) return undefined;
  const tree = { plan: file, name };
  const branch = runBranch(tree);
  const isNeeded =
    world.plans.get(file)?.tasks.some(({ run }) => run?.branch === branch && run.state !== 'DONE') ||
    [...world.outbox.values()].some((effect) => 'branch' in effect && effect.branch === branch);
  return isNeeded || work.hasWorktree(tree) ? undefined : tree;
}
