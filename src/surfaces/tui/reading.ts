// Reads from the app what the interface shows. Nothing here is asked for while a key is handled.
import { isDeepStrictEqual } from 'node:util';
import type { Refused } from '../../app/actions/action.ts';
import type { App } from '../../app/app.ts';
import type { CodeDiff } from '../../app/reads/code-diff.ts';
import type { Status } from '../../app/reads/status.ts';
import { Failure } from '../../core/model/failure.ts';
import { type JournalRecord, planOf } from '../../core/model/record.ts';
import type { World } from '../../core/model/world.ts';
import { type FindingView, isUnsettled } from '../../core/views/findings.ts';
import { isSettling } from '../../core/views/plan.ts';
import type { PlanFile } from '../../plan/name.ts';
import { oneLine } from '../../text/one-line.ts';
import { happened } from '../cli/text/progress-lines.ts';
import { diffLines } from './model/diff-rows.ts';
import { isMissing } from './model/rows.ts';
import { type WindowKey, windowKey } from './model/selection.ts';
import type { Happened, Snapshot, WindowContent } from './model/snapshot.ts';

/** Whether the two show the same of a plan and of what agents ask, so that its detail is the same too. */
export function isSamePlan(before: Snapshot, after: Snapshot): boolean {
  return isDeepStrictEqual([before.plan, before.asks], [after.plan, after.asks]);
}

/** What is wrong now and was not before: with plan files, and with everything else that the status reports. */
export function newProblems(before: Status | null, after: Status | null): readonly string[] {
  const known = new Set(before === null ? [] : problemsIn(before));
  return after === null ? [] : problemsIn(after).filter((problem) => !known.has(problem));
}

/** What stopped since the last look, and only a person can continue. */
export function newTroubles(before: Status | null, after: Status): readonly string[] {
  const known = new Set(before?.needsYou.map(({ id }) => id));
  return before === null
    ? []
    : after.needsYou.filter(isTrouble).flatMap((need) => (known.has(need.id) ? [] : [need.sentence]));
}

function isTrouble({ kind }: Status['needsYou'][number]): boolean {
  return kind === 'halted' || kind === 'held-up' || kind === 'incident';
}

function problemsIn({ plans, problems }: Status): readonly string[] {
  const files = plans.flatMap(({ plan, file, status }) => {
    if (isMissing({ file, status })) return [`${plan} was deleted. Its tasks and sessions continue as they were.`];
    if (file.state !== 'unusable') return [];
    if (isSettling(file.problems)) return [];
    const first = file.problems.find(({ severity }) => severity === 'error');
    return [`${plan} cannot be read${first === undefined ? '.' : `: line ${first.line}: ${first.message}`}`];
  });
  return [...files, ...problems];
}

/** The lines that "cadre run" would print of it, newest first. */
export function happenedIn(world: World, records: readonly JournalRecord[]): readonly Happened[] {
  return records.toReversed().flatMap((record) => {
    const plan = planOf(record) ?? planOfSession(world, record);
    const entry = plan === undefined ? undefined : world.plans.get(plan as PlanFile);
    const told = entry === undefined ? undefined : happened(world, entry, record);
    if (entry === undefined || told === undefined) return [];
    const task = entry.tasks.find(({ id }) => id === told.about)?.address ?? null;
    return [{ at: record.at, plan: entry.plan, task, text: oneLine(told.text).replace(COUNTED, '') }];
  });
}

/** Counts are of now, and not of the time of the record. */
const COUNTED = / \(\d+ of \d+\)$/;

function planOfSession({ sessions }: World, record: JournalRecord): PlanFile | undefined {
  if (record.event === 'session_begun') return record.begun.plan;
  return 'about' in record ? sessions.get(record.about)?.plan : undefined;
}

/** What cannot be read is said in its place. */
export async function readWindow(app: App, wanted: WindowKey): Promise<WindowContent> {
  const key = windowKey(wanted);
  try {
    return { key, ...(await contentOf(app, wanted)) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { key, kind: 'message', text: error.message };
  }
}

/** Most agents print nothing most of the time, and then there is nothing to draw. */
export function isSameScreen(before: WindowContent | null, after: WindowContent): boolean {
  return before?.kind === 'screen' && after.kind === 'screen' && before.key === after.key && before.text === after.text;
}

/** How many lines the screen of the same session has more than before. */
export function moreLines(before: WindowContent | null, after: WindowContent): number {
  if (before?.kind !== 'screen' || after.kind !== 'screen' || before.key !== after.key) return 0;
  return after.text.split('\n').length - before.text.split('\n').length;
}

type Content = WindowContent extends infer One ? (One extends WindowContent ? Omit<One, 'key'> : never) : never;

async function contentOf(app: App, { tab, of, reference }: WindowKey): Promise<Content> {
  if (tab !== 'first') {
    const diff = of === 'session' ? await app.sessionDiff(reference) : await app.codeDiff(reference);
    return changesOf(app, tab, diff, of === 'session' ? reference : undefined);
  }
  if (of === 'session') return { kind: 'screen', text: await app.colouredScreen(reference) };
  const [detail, why, found] = [await app.detail(reference), await app.why(reference), await unsettled(app, reference)];
  if (detail.of === 'task' && why.of === 'task') return { kind: 'task', detail, why, findings: found };
  if (detail.of !== 'plan' || why.of !== 'plan') throw new Error(`${reference} is a task and a plan.`);
  const { transcript = [], proposed = null } = why.view.actors.planning === null ? {} : await app.transcript(reference);
  const timeline = happenedIn(await app.world(), detail.history.toReversed());
  return { kind: 'plan', detail, why, findings: found, transcript, proposed, timeline };
}

async function changesOf(
  app: App,
  tab: 'diff' | 'git',
  diff: CodeDiff | Refused,
  session: string | undefined,
): Promise<Content> {
  if (diff.kind === 'refused') return { kind: 'message', text: diff.message };
  const { of, span, hasUncommitted, rewrites } = diff;
  const facts = { of, span, hasUncommitted, rewrites, files: await diff.files() };
  if (tab === 'diff') {
    const text = shortened(await diff.text('patch'));
    return {
      kind: 'diff',
      lines: diffLines(text.trimEnd()),
      findings: diff.of === session ? [] : await unsettled(app, diff.of),
      ...facts,
    };
  }
  const { sessions } = session === undefined ? { sessions: [] } : await app.sessions('in-use');
  const worktree = sessions.find((one) => one.session === session)?.worktree ?? null;
  return { kind: 'git', commits: await diff.commits(), worktree, ...facts };
}

/** Settled ones are in the history. */
async function unsettled(app: App, reference: string): Promise<readonly FindingView[]> {
  return (await app.findings(reference)).filter(isUnsettled);
}

const MOST_CHARACTERS = 400_000;

function shortened(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}\n... the rest is not shown`;
}
