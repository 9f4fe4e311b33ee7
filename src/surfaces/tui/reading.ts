// Reads from the app what the interface shows. Nothing here is asked for while a key is handled.
import type { Refused } from '../../app/actions/action.ts';
import type { App } from '../../app/app.ts';
import type { CodeDiff } from '../../app/reads/code-diff.ts';
import type { Status } from '../../app/reads/status.ts';
import { Failure } from '../../core/model/failure.ts';
import { type JournalRecord, planOf } from '../../core/model/record.ts';
import type { World } from '../../core/model/world.ts';
import type { PlanFile } from '../../plan/name.ts';
import { progressLines } from '../cli/text/progress-lines.ts';
import { type WindowKey, windowKey } from './model/selection.ts';
import type { Happened, ShownPlan, Snapshot, WindowContent } from './model/snapshot.ts';

/** `plan`: the one that the list shows; null: the active one. */
export async function readFacts(
  app: App,
  plan: PlanFile | null,
): Promise<Pick<Snapshot, 'status' | 'plan' | 'questions' | 'asks'>> {
  const status = await app.status();
  const { questions, asks } = await app.questions();
  return { status, plan: await shownPlan(app, status, plan), questions, asks };
}

async function shownPlan(app: App, status: Status, wanted: PlanFile | null): Promise<ShownPlan | null> {
  if (wanted === null || wanted === status.shown?.plan) return status.shown;
  if (!status.plans.some(({ plan }) => plan === wanted)) return null;
  const { plans } = await app.fullStatus({ plan: wanted });
  return plans[0] ?? null;
}

/** What a person following the plans would be told, newest first. */
export function happenedIn(world: World, records: readonly JournalRecord[]): readonly Happened[] {
  return records.toReversed().flatMap((record) => {
    const plan = planOf(record) ?? planOfSession(world, record);
    const told = plan === undefined ? undefined : progressLines(world, plan as PlanFile)(world, record).at(-1);
    // Without the time, which is shown apart, and without the columns.
    return told === undefined
      ? []
      : [{ at: record.at, text: told.slice('00:00:00'.length).trim().replace(/ {2,}/g, ' ') }];
  });
}

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

type Content = WindowContent extends infer One ? (One extends WindowContent ? Omit<One, 'key'> : never) : never;

async function contentOf(app: App, { tab, of, reference }: WindowKey): Promise<Content> {
  if (tab !== 'first') {
    const diff = of === 'session' ? await app.sessionDiff(reference) : await app.codeDiff(reference);
    return changesOf(app, tab, diff, of === 'session' ? reference : undefined);
  }
  if (of === 'session') return { kind: 'screen', text: await app.colouredScreen(reference) };
  const [detail, why] = [await app.detail(reference), await app.why(reference)];
  if (detail.of === 'task' && why.of === 'task') return { kind: 'task', detail, why };
  if (detail.of !== 'plan' || why.of !== 'plan') throw new Error(`${reference} is a task and a plan.`);
  const transcript = why.view.actors.planning === null ? [] : (await app.transcript(reference)).transcript;
  const timeline = happenedIn(await app.world(), detail.history.toReversed());
  return { kind: 'plan', detail, why, transcript, timeline };
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
  if (tab === 'diff') return { kind: 'diff', text: shortened(await diff.text('patch')), ...facts };
  const { sessions } = session === undefined ? { sessions: [] } : await app.sessions('in-use');
  const worktree = sessions.find((one) => one.session === session)?.worktree ?? null;
  return { kind: 'git', commits: await diff.commits(), worktree, ...facts };
}

const MOST_CHARACTERS = 400_000;

function shortened(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}\n... the rest is not shown`;
}
