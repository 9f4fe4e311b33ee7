// What is no longer needed, and what it takes on disk.

import { runEndings } from '../../core/journal/run-endings.ts';
import { startedSessions } from '../../core/journal/started-sessions.ts';
import { treeName } from '../../core/model/run-name.ts';
import type { Cleanup, Leftovers, Target } from '../../core/ports/cleanup.ts';
import { garbageIn } from '../../core/views/garbage/garbage.ts';
import { type FoundOnDisk, GARBAGE_KINDS, type Garbage, type GarbageKind } from '../../core/views/garbage/situation.ts';
import { planFile } from '../../plan/name.ts';
import type { GarbageRequest, GarbageView } from '../actions/action.ts';
import type { AppPorts } from '../ports.ts';

export interface GarbageReport {
  readonly items: readonly GarbageView[];
  /** Old, but work that is nowhere else. */
  readonly heldBack: readonly GarbageView[];
  /** What git can free at its next collection, once the pins and branches among the items are gone. */
  readonly bytesInGit: number;
}

export async function readGarbage(ports: AppPorts, request: GarbageRequest): Promise<GarbageReport> {
  const cleanup = await ports.cleanup();
  const { garbage, heldBack } = await findGarbage(ports, cleanup, request);
  return {
    items: garbage.map((item) => viewGarbage(cleanup, item)),
    heldBack: heldBack.map((item) => viewGarbage(cleanup, item)),
    bytesInGit: await cleanup.bytesInGit(garbage.flatMap(refOf)),
  };
}

export async function findGarbage(ports: AppPorts, cleanup: Cleanup, request: GarbageRequest): Promise<FoundOnDisk> {
  // The world last: what is left by then belongs to runs that it knows.
  const left = await cleanup.survey();
  const records = await ports.journal.records();
  const world = await ports.gateway.look();
  const [endings, started] = [runEndings(records), startedSessions(records)];
  return garbageIn({ world, endings, started, left, now: ports.clock.now(), ...request });
}

export function viewGarbage(cleanup: Cleanup, { kind, id, at, why, remove }: Garbage): GarbageView {
  return { kind, id, at, why, bytes: cleanup.bytesOf(measured(remove)) };
}

function measured(remove: Garbage['remove']): Target {
  if (remove.kind === 'pause-session') return { kind: 'worktree', tree: remove.tree };
  return remove.kind === 'drop-refused' ? { kind: 'refused', id: remove.id } : remove;
}

function refOf({ remove }: Garbage): readonly string[] {
  if (remove.kind === 'pin') return [remove.ref];
  // What is pinned first stays.
  return remove.kind === 'branch' && remove.pinFor === null ? [`refs/heads/${remove.branch}`] : [];
}

export interface DiskUsage {
  readonly kind: GarbageKind;
  readonly count: number;
  readonly bytes: number;
}

export async function readDiskUsage(ports: AppPorts): Promise<readonly DiskUsage[]> {
  const cleanup = await ports.cleanup();
  const left = await cleanup.survey();
  const all = targetsIn(left);
  const inGit: Partial<Record<GarbageKind, readonly string[]>> = {
    branches: left.branches.map(({ branch }) => `refs/heads/${branch}`),
    pins: left.kept.flatMap((kept) => (kept.kind === 'commit' ? [kept.ref] : [])),
  };
  return Promise.all(
    GARBAGE_KINDS.map(async (kind) => {
      const targets = all.get(kind) ?? [];
      const refs = inGit[kind];
      if (refs !== undefined) return { kind, count: refs.length, bytes: await cleanup.bytesInGit(refs) };
      return { kind, count: targets.length, bytes: targets.reduce((sum, one) => sum + cleanup.bytesOf(one), 0) };
    }),
  );
}

function targetsIn(left: Leftovers): ReadonlyMap<GarbageKind, readonly Target[]> {
  return new Map<GarbageKind, readonly Target[]>([
    ['worktrees', left.trees.flatMap(treeTarget)],
    ['files', left.kept.flatMap((kept) => (kept.kind === 'files' ? [{ kind: 'files', folder: kept.folder }] : []))],
    ['output', left.outputs.map(({ plan, part }) => ({ kind: 'output', plan, part }))],
    ['sessions', left.sessions.map(({ session }) => ({ kind: 'session', session }))],
    [
      'signals',
      [
        ...left.boxes.map(({ session }): Target => ({ kind: 'box', session })),
        ...left.refused.map(({ id }): Target => ({ kind: 'refused', id })),
      ],
    ],
    ['ports', left.ports.map((worktree) => ({ kind: 'port', worktree }))],
  ]);
}

function treeTarget({ plan, part }: { readonly plan: string; readonly part: string }): readonly Target[] {
  const [file, name] = [planFile(`${plan}.md`), treeName(part)];
  return file === undefined || name === undefined ? [] : [{ kind: 'worktree', tree: { plan: file, name } }];
}
