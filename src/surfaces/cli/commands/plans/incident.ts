// cadre incident: branches that somebody else moved and worktrees that somebody linked differently, and what a person decides about them.
import type { IncidentShown } from '../../../../app/reads/incidents.ts';
import { short } from '../../../../core/model/commit.ts';
import { viewPlan } from '../../../../core/views/plan.ts';
import { viewRecord } from '../../../../core/views/record.ts';
import { performAnd } from '../../action-command.ts';
import { answer, type Context, EXIT, type ExitCode, type Given, type Run, refuse } from '../../context.ts';
import { shortTime } from '../../text/record-line.ts';
import { commandFor } from '../../text/suggestions.ts';

export const run: Run = async (context, given) => {
  const [word, plan] = given.arguments;
  if (word === 'restore' || word === 'take') return decide(context, word, plan, given);
  if (plan !== undefined) return refuse(context, 'usage', 'Name one plan, or say "restore" or "take" before its name.');
  return list(context, word);
};

async function list(context: Context, plan: string | undefined): Promise<ExitCode> {
  const incidents = await context.app().incidents(plan);
  answer(
    context,
    { incidents: incidents.map(({ actions, ...incident }) => ({ ...incident, commands: actions.map(commandFor) })) },
    incidents.length === 0
      ? ['No incidents: every branch and every worktree is as cadre left it.']
      : incidents.flatMap(lines),
  );
  return EXIT.ok;
}

function lines({
  plan,
  task,
  since,
  sentence,
  expected,
  found,
  branch,
  missing,
  actions,
}: IncidentShown): readonly string[] {
  const diff = expected !== null && found !== null ? [`  git diff ${short(expected)} ${short(found)}`] : [];
  const lost = missing.map((task) => `  Task ${task} is done, but its work is not on ${branch} as it is now.`);
  return [
    `${task === null ? plan : `${plan}#${task}`}  since ${shortTime(since)}`,
    `  ${sentence}`,
    ...lost,
    ...diff,
    ...actions.map((action) => `  ${commandFor(action)}`),
  ];
}

async function decide(
  context: Context,
  word: 'restore' | 'take',
  plan: string | undefined,
  given: Given,
): Promise<ExitCode> {
  if (plan === undefined) return refuse(context, 'no-plan', `Which plan? Name it after "${word}".`);
  if (word === 'restore' && plan.includes('#')) return restoreWorktree(context, plan);
  const { replan, keep } = given.options;
  if (replan === true && keep === true)
    return refuse(context, 'usage', 'Tasks are built again (--replan) or stay done (--keep), but not both.');
  const lost = replan === true ? { lost: 'replan' as const } : keep === true ? { lost: 'keep' as const } : {};
  const call =
    word === 'restore'
      ? ({ do: 'incident-restore', on: plan, input: {} } as const)
      : ({ do: 'incident-take', on: plan, input: lost } as const);
  return performAnd(context, call, ({ world, plan: entry, record, notes }) => {
    if (entry === undefined || record === null) throw new Error('The action ended no incident.');
    const { work } = entry;
    const again = record.moves.flatMap((move) => (move.machine === 'task' ? [move.task] : []));
    const isBase = record.event === 'incident_ended' && record.branch !== entry.branch;
    const [branch, at] = isBase
      ? [record.branch, short(work?.base?.commit ?? '')]
      : [entry.branch, short(work?.tip ?? '')];
    answer(context, { plan: viewPlan(world, entry), record: viewRecord(record), notes }, [
      word === 'restore' ? `${branch} is back at ${at}.` : `The branch is taken as it is: ${branch} is at ${at}.`,
      ...(again.length === 0 ? [] : [`Planned again: task ${again.join(', ')}.`]),
    ]);
    return EXIT.ok;
  });
}

async function restoreWorktree(context: Context, task: string): Promise<ExitCode> {
  const call = { do: 'worktree-restore', on: task, input: {} } as const;
  return performAnd(context, call, ({ world, plan: entry, record, notes }) => {
    if (entry === undefined || record === null) throw new Error('The action ended no incident.');
    answer(context, { plan: viewPlan(world, entry), record: viewRecord(record), notes }, [
      `The worktree of ${task} is restored. It is as its branch has it.`,
    ]);
    return EXIT.ok;
  });
}
