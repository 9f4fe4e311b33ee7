// Opens and follows workshops: shows what happens until the plan is approved, or a person has to decide and does not here.
import type { Done } from '../../app/actions/action.ts';
import type { FeedRequest } from '../../app/feed.ts';
import type { Call } from '../../app/perform.ts';
import { isPlanning, type PlanningEntry } from '../../core/model/workshop/status.ts';
import { needsIn } from '../../core/views/needs.ts';
import type { Outcome } from '../../core/views/outcome.ts';
import { viewPlan } from '../../core/views/plan.ts';
import { viewRecord } from '../../core/views/record.ts';
import type { PlanFile } from '../../plan/name.ts';
import { slugOf } from '../../plan/name.ts';
import { showLines } from '../../text/show.ts';
import { performAnd } from './action-command.ts';
import { answer, type Context, EXIT, type ExitCode, jsonLine } from './context.ts';
import { needJson, needLines } from './text/needs-lines.ts';
import { approvedLines, openedLines, workshopLine } from './text/workshop-lines.ts';
import { askOptional, decideHere } from './workshop-at-terminal.ts';

type WorkshopAction = 'plan-new' | 'plan-continue' | 'plan-settle' | 'plan-redo';

/** A decision that lets the planner continue. */
export function decideInWorkshop<Name extends WorkshopAction>(context: Context, call: Call<Name>): Promise<ExitCode> {
  return performAnd(context, call, (done) => {
    const { world, record, notes } = done;
    const plan = planOf(done);
    answer(context, { plan: viewPlan(world, plan), record: record === null ? null : viewRecord(record), notes }, [
      ...openedLines(plan, false),
    ]);
    return EXIT.ok;
  });
}

export async function performOpening(
  context: Context,
  call: Call<'plan-new'>,
  { wait }: { readonly wait: boolean },
): Promise<ExitCode> {
  const after = await context.app().feedStart();
  return performAnd(context, call, (done) => followWorkshop(context, { plan: planOf(done), after, wait }));
}

function planOf({ plan }: Done): PlanningEntry {
  if (plan === undefined || !isPlanning(plan)) throw new Error('The action has opened no workshop.');
  return plan;
}

interface Following {
  readonly plan: PlanningEntry;
  readonly after: FeedRequest['after'];
  readonly wait: boolean;
}

/** Until the plan is approved, a person has to decide something, or the person leaves. */
export async function followWorkshop(context: Context, { plan: entry, after, wait }: Following): Promise<ExitCode> {
  const app = context.app();
  const { plan } = entry;
  if (context.json) context.print(jsonLine({ planning: plan, round: entry.workshop.round }));
  else for (const line of openedLines(entry, wait)) context.print(line);
  if (!wait) return EXIT.ok;
  for (let from = after; ; ) {
    const outcome = await app.followBuild({ plan, after: from, stop: context.stop }, async (item) => {
      if (item.kind === 'record') {
        showRecord(context, plan, item.record);
        await askOptional(context, plan, item.record);
      }
      if (item.kind === 'warning') context.say(`! ${showLines(item.text)}`);
    });
    if (outcome === undefined) return left(context, plan);
    const kind = outcome.kind === 'no-engine' ? 'person' : outcome.kind;
    // Before the decision, so that what follows from it is shown.
    from = await app.feedStart();
    const decided = await decideHere(context, plan);
    if (decided === 'build') return buildNow(context, plan);
    if (decided === 'approved') return EXIT.ok;
    if (decided === 'nothing') return ended(context, plan, kind);
  }
}

function showRecord(context: Context, plan: PlanFile, record: Parameters<typeof workshopLine>[1]): void {
  if (context.json) {
    context.print(jsonLine(viewRecord(record)));
    return;
  }
  const line = workshopLine(plan, record);
  if (line !== undefined) context.print(line);
}

function left(context: Context, plan: PlanFile): ExitCode {
  if (context.json) context.print(jsonLine({ left: plan }));
  else context.say(`Planning continues in the background. "cadre plan ${slugOf(plan)}" follows it again.`);
  return EXIT.ok;
}

/** The plan is ready, or waits for a person and nobody is at the terminal to decide. */
async function ended(context: Context, plan: PlanFile, kind: Outcome['kind']): Promise<ExitCode> {
  const world = await context.app().world();
  const needs = needsIn(world, plan);
  const entry = world.plans.get(plan);
  const end = entry?.status === 'ready' ? 'ready' : kind;
  if (context.json) context.print(jsonLine({ end, plan, waiting: needs.map(needJson) }));
  else
    for (const line of end === 'ready' && entry ? approvedLines(entry) : ['', ...needLines(needs)]) context.print(line);
  return EXIT_CODES[end];
}

const EXIT_CODES = {
  ready: EXIT.ok,
  done: EXIT.ok,
  cancelled: EXIT.failed,
  person: EXIT.person,
  budget: EXIT.budget,
} as const;

async function buildNow(context: Context, plan: PlanFile): Promise<ExitCode> {
  const { run } = await import('./commands/plans/run.ts');
  return run(context, { arguments: [plan], options: {} });
}
