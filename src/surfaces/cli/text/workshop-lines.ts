// A workshop as lines for a person: its progress, its questions, its plan, its transcript.
import type { JournalRecord } from '../../../core/model/record.ts';
import type { TranscriptEntry, WorkshopEntry, WorkshopQuestion } from '../../../core/model/workshop/entry.ts';
import type { PlanningEntry } from '../../../core/model/workshop/status.ts';
import type { PlanEntry, World } from '../../../core/model/world.ts';
import { viewPlanRow } from '../../../core/views/plan.ts';
import { type PlanFile, slugOf } from '../../../plan/name.ts';
import { counted } from '../../../text/counted.ts';
import { showLines, showText } from '../../../text/show.ts';
import { shortTime } from './record-line.ts';

export function openedLines({ plan, workshop, status }: PlanEntry, follows: boolean): readonly string[] {
  const where = status === 'planning' ? `${workshop?.state}, round ${workshop?.round}` : status;
  return [
    `${plan}: ${where}.`,
    follows
      ? 'Ctrl-C detaches; planning continues in the background.'
      : `"cadre plan ${slugOf(plan)}" follows it, "cadre questions" lists what the planner asks.`,
  ];
}

/** What happened in the workshop of the plan, in one line; undefined where it is of no interest to a person. */
export function workshopLine(plan: PlanFile, record: JournalRecord): string | undefined {
  const text = happened(plan, record);
  return text === undefined ? undefined : `${shortTime(record.at).slice(11)}  ${text}`;
}

function happened(plan: PlanFile, record: JournalRecord): string | undefined {
  if (record.event === 'session_begun' && record.begun.plans && record.begun.plan === plan)
    return `${record.begun.role} started (${showText(record.begun.program)}, session ${record.begun.id})`;
  const change = record.changes?.find((one) => one.of === 'workshop' && one.plan === plan);
  if (change?.of !== 'workshop') return undefined;
  const said = change.says ?? [];
  const [first] = said;
  switch (record.event) {
    case 'round_finished':
      return `round ${first?.round}: ${showLines(first?.content ?? '')}`;
    case 'round_invalid':
      return `document refused: ${showText(change.change.violations?.[0] ?? '')}`;
    case 'workshop_answered':
      return answersLine(said);
    case 'plan_advised':
      return `the architect asks for changes: ${showLines(first?.content ?? '')}`;
    case 'planner_finished':
      return record.by === 'agent' ? `the architect approved the plan; docs/plans/${plan} is written` : undefined;
    case 'planner_silent':
    case 'architect_silent':
      return `the ${record.event === 'planner_silent' ? 'planner' : 'architect'} is idle`;
    case 'planner_overdue':
    case 'architect_overdue':
      return `the ${record.event === 'planner_overdue' ? 'planner' : 'architect'} has run out of time`;
    default:
      return (
        said
          .filter(({ kind }) => kind === 'transition' || kind === 'decision')
          .map(({ content }) => showLines(content))
          .join('\n') || undefined
      );
  }
}

function answersLine(said: readonly TranscriptEntry[]): string {
  const skipped = said.filter(({ kind }) => kind === 'skip').length;
  const answered = said.length - skipped;
  return [
    ...(answered === 0 ? [] : [`${counted(answered, 'question')} answered`]),
    ...(skipped === 0 ? [] : [`${counted(skipped, 'question')} left to the planner`]),
  ].join(', ');
}

export function questionLines(question: WorkshopQuestion, number: number, of: number): readonly string[] {
  const { text, why, blocking, suggestions } = question;
  return [
    '',
    `Question ${number} of ${of}${blocking ? '' : ' (optional)'}: ${showLines(text)}`,
    ...(why.trim() === '' ? [] : [`  ${showLines(why)}`]),
    ...suggestions.map((one, index) => `  ${index + 1}  ${showLines(one)}`),
    ...(suggestions.length === 0 ? [] : ['  Type your answer, or the number of a suggestion.']),
  ];
}

export function answeredLines(world: World, entry: PlanEntry): readonly string[] {
  const open = entry.workshop?.questions.filter(({ state }) => state === 'open') ?? [];
  const { sentence } = viewPlanRow(world, entry);
  const left = open.length === 0 ? '' : ` ${counted(open.length, 'question')} open.`;
  return [`${entry.plan}: answered.${left}`, `  ${showText(sentence)}`];
}

export function planLines({ plan, workshop }: PlanningEntry): readonly string[] {
  const { document } = workshop;
  if (document === null) return [];
  const { tasks, milestones } = document.work;
  return [
    '',
    `${showText(document.title)}: ${counted(tasks.length, 'task')}, ${counted(document.file_plan.length, 'file')}`,
    ...milestones.flatMap(({ id, title, parallel }) => [
      `  ${showText(title)}${parallel ? ' (parallel)' : ''}`,
      ...tasks.filter(({ milestone }) => milestone === id).map((task) => `    ${showText(task.title)}`),
    ]),
    `The whole plan: docs/plans/${slugOf(plan)}/planning/plan.md`,
    '',
  ];
}

export function adviceLines({ advice }: Pick<WorkshopEntry, 'advice'>): readonly string[] {
  if (advice == null) return [];
  return [
    'The architect asks for changes:',
    ...showLines(advice.text)
      .split('\n')
      .map((line) => `  ${line}`),
    '',
  ];
}

export function approvedLines({ plan, tasks, workshop }: PlanEntry): readonly string[] {
  // The file may not have been read yet.
  const count = workshop?.document?.work.tasks.length ?? tasks.length;
  return [
    `${plan} is approved and ready: ${counted(count, 'task')} in docs/plans/${plan}.`,
    `Build it with "cadre run ${slugOf(plan)}".`,
  ];
}

export function transcriptLines(transcript: readonly TranscriptEntry[]): readonly string[] {
  return transcript.flatMap(({ ts, round, actor, phase, kind, content, question }) => [
    `${shortTime(ts)}  round ${round}, ${phase}  ${actor}: ${kind}${question === undefined ? '' : ` ${question}`}`,
    ...showLines(content.trimEnd())
      .split('\n')
      .map((line) => `    ${line}`.trimEnd()),
  ]);
}
