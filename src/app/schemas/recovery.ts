// The schemas of what was kept, and of what came back.
import * as z from 'zod';
import { GARBAGE_KINDS } from '../../core/views/garbage/situation.ts';
import type { GarbageView, Restored } from '../actions/action.ts';
import type { DiskUsage } from '../reads/garbage.ts';
import type { KeptView } from '../reads/kept.ts';
import { time, view } from './views.ts';

export const keptWorkSchema = view<KeptView>(
  'KeptWork',
  z.strictObject({
    id: z.string(),
    kind: z.enum(['commit', 'files']),
    plan: z.string(),
    task: z.string().nullable(),
    attempt: z.int().nullable(),
    part: z.string().describe('The name of its worktree, or "plan" for a plan branch.'),
    at: time.nullable(),
    why: z.string().nullable(),
    files: z.int(),
    commit: z.string().nullable().describe('Null for files.'),
    uncommitted: z.boolean().describe('Its last commit holds what was not committed.'),
    merged: z.boolean(),
    missing: z.boolean().describe('git no longer has its objects.'),
    folder: z.string().nullable().describe('Where files are.'),
  }),
);

const asBranch = { id: z.string(), branch: z.string(), commit: z.string(), uncommitted: z.boolean() };

export const restored = view<Restored>(
  'Restored',
  z.union([
    z.strictObject({ kind: z.literal('worktree'), ...asBranch, path: z.string() }),
    z.strictObject({ kind: z.literal('branch'), ...asBranch }),
    z.strictObject({ kind: z.literal('files'), id: z.string(), folder: z.string(), files: z.int() }),
  ]),
);

const kind = z.enum(GARBAGE_KINDS);

export const garbage = view<GarbageView>(
  'Garbage',
  z.strictObject({
    kind,
    id: z.string(),
    at: time.nullable().describe('Since when it has not been needed.'),
    why: z.string(),
    bytes: z.number().describe('On disk. What pins and branches take is freed by git, and only together.'),
  }),
);

export const diskUsage = view<DiskUsage>('DiskUsage', z.strictObject({ kind, count: z.int(), bytes: z.number() }));
