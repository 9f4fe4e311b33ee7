// What cadre kept before something removed it, with what the journal says about why; and what a reference to it means.
import { endingReason, type RunEnding, runEndings } from '../../core/journal/run-endings.ts';
import { Failure } from '../../core/model/failure.ts';
import { branchOfRun, parseRunName } from '../../core/model/run-name.ts';
import { suggest } from '../../core/model/suggestion.ts';
import { addressOf } from '../../core/model/tasks.ts';
import type { World } from '../../core/model/world.ts';
import type { Kept } from '../../core/ports/kept.ts';
import { activePlan } from '../../core/views/plan.ts';
import { findPlan, type PlanFile, planFile } from '../../plan/name.ts';
import { showName } from '../../text/show.ts';
import { type Refused, refuse } from '../actions/action.ts';
import type { AppPorts } from '../ports.ts';
import { type CodeDiff, shown } from './code-diff.ts';

export interface KeptView {
  readonly id: string;
  readonly kind: Kept['kind'];
  readonly plan: string;
  /** The task's address and the number of the run; null for what belongs to no run. */
  readonly task: string | null;
  readonly attempt: number | null;
  /** The name of its worktree, or `plan` for a plan branch. */
  readonly part: string;
  readonly at: string | null;
  readonly why: string | null;
  readonly files: number;
  /** Null for files. */
  readonly commit: string | null;
  /** Its last commit holds what was not committed. */
  readonly uncommitted: boolean;
  /** It was merged into the plan branch, or another branch or tag has it. */
  readonly merged: boolean;
  /** git no longer has its objects. */
  readonly missing: boolean;
  /** Where files are. */
  readonly folder: string | null;
}

export interface KeptEntry {
  readonly kept: Kept;
  readonly view: KeptView;
}

/** Newest first. */
export async function readKept(ports: AppPorts): Promise<readonly KeptEntry[]> {
  const all = await (await ports.kept()).list();
  if (all.length === 0) return [];
  const [world, endings] = [await ports.gateway.look(), runEndings(await ports.journal.records())];
  return all.map((kept) => ({ kept, view: viewKept(world, endings, kept) }));
}

function viewKept(world: World, endings: ReadonlyMap<string, RunEnding>, kept: Kept): KeptView {
  const { id, kind, part, at, files } = kept;
  const plan = planFile(`${kept.plan}.md`);
  const run = plan === undefined ? undefined : parseRunName(part);
  const ending = plan === undefined || run === undefined ? undefined : endings.get(branchOfRun(plan, run));
  return {
    id,
    kind,
    plan: plan ?? kept.plan,
    task: run === undefined ? null : addressOf(world, plan, run.task),
    attempt: run?.attempt ?? null,
    part,
    at,
    why: whyKept(kept, ending),
    files,
    commit: kept.kind === 'commit' ? kept.commit : null,
    uncommitted: kept.kind === 'commit' && kept.isUncommitted,
    merged: kept.kind === 'commit' && (kept.isElsewhere || ending?.merged === kept.commit),
    missing: kept.kind === 'commit' && kept.range === undefined,
    folder: kept.kind === 'files' ? kept.folder : null,
  };
}

/** What was kept when the run ended was kept for the reason that ended it, which only the journal knows. */
function whyKept({ at, why, kind }: Kept, ending: RunEnding | undefined): string | null {
  if (ending === undefined || kind === 'files') return why;
  const isOfEnd = at === null || why === null || Date.parse(at) + A_SECOND > Date.parse(ending.at);
  return isOfEnd ? endingReason(ending) : why;
}

/** Git notes times in seconds. */
const A_SECOND = 1_000;

export async function findKept(ports: AppPorts, reference: string): Promise<KeptEntry> {
  return keptNamed(await readKept(ports), reference, activePlan(await ports.gateway.look(), ports.planFiles.list()));
}

/** By its id, by its ref, or the newest of a worktree (`search/t1-a1`) or of a task (`search#1`, `#1` of the active plan). */
export function keptNamed(all: readonly KeptEntry[], reference: string, active?: PlanFile): KeptEntry {
  const wanted = reference.replace(/^refs\/cadre\/keep\//, '');
  const found =
    all.find(({ view }) => view.id === wanted) ??
    all.find(({ view }) => view.kind === 'commit' && `${view.id.slice(0, view.id.lastIndexOf('/'))}` === wanted) ??
    newestOfTask(all, wanted, active);
  if (found !== undefined) return found;
  const message = `Nothing was kept under the name "${showName(reference)}".`;
  throw new Failure('usage', 'unknown-kept', message, { try: [suggest('kept')] });
}

function newestOfTask(
  all: readonly KeptEntry[],
  reference: string,
  active: PlanFile | undefined,
): KeptEntry | undefined {
  const hash = reference.lastIndexOf('#');
  if (hash === -1 && !/^R?\d/.test(reference)) return undefined;
  const plan = hash <= 0 ? active : planKept(all, reference.slice(0, hash));
  const task = reference.slice(hash + 1);
  return all.find(({ view }) => view.kind === 'commit' && view.plan === plan && view.task === task);
}

function planKept(all: readonly KeptEntry[], name: string): PlanFile | undefined {
  const found = findPlan(name, new Set(all.flatMap(({ view }) => planFile(view.plan) ?? [])));
  return found.kind === 'found' ? found.plan : undefined;
}

/** What is in it, as a diff. */
export async function readKeptDiff(ports: AppPorts, reference: string): Promise<CodeDiff | Refused> {
  const { kept, view } = await findKept(ports, reference);
  if (kept.kind === 'files')
    return refuse('no-diff', `${view.id} consists of files that are in no commit. They are in ${kept.folder}.`);
  const { range: span } = kept;
  if (span === undefined) return refuse('no-object', objectsMissing(view));
  const changes = await ports.changes();
  return shown(changes, { of: view.id, span, hasUncommitted: false, rewrites: [] });
}

export function objectsMissing({ id, commit }: Pick<KeptView, 'id' | 'commit'>): string {
  return `${id} cannot be restored: git no longer has the objects of ${commit}. If there is a backup or a clone of this repository, fetch that commit from it.`;
}
