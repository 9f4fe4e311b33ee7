// The brief of a task, made from the plan and from what the journal knows of its tasks.
import type {
  AssignedTask,
  Brief,
  Interface,
  KeptText,
  Neighbour,
  PlanSays,
  Quote,
} from '../../../agents/prompts/assignment.ts';
import { taskMachine } from '../../../machines/task.ts';
import { namesIn, saysItExists } from '../../../plan/interfaces.ts';
import { parse } from '../../../plan/parse.ts';
import type { Task } from '../../../plan/plan.ts';
import { asAuthor } from '../../../signals/author.ts';
import { shortened } from '../../../text/shorten.ts';
import { isBlocking, isContradiction, openFindings } from '../../model/review/finding.ts';
import type { TaskDecision } from '../../model/run.ts';
import { isLive } from '../../model/run-status.ts';
import { decisionsOf } from '../../model/tasks.ts';
import type { PlanEntry, TaskEntry } from '../../model/world.ts';
import { findingsText } from '../../rules/run/findings.ts';
import { promptSubject, promptWords } from './prompt-words.ts';

export interface BriefSubject {
  readonly plan: PlanEntry;
  readonly task: TaskEntry;
  /** The texts that the plan's tasks were launched with, by their ids. */
  readonly texts: ReadonlyMap<string, string>;
  readonly says: PlanSays;
}

export function briefOf(subject: BriefSubject, keep: (name: string, text: string) => string): Brief {
  const { task, says } = subject;
  const known = knownTasks(subject);
  const own = known.find((one) => one.entry === task);
  const others = known.filter((one) => one.entry !== task);
  const buildsOn = own === undefined ? [] : others.filter((other) => isNeededBy(own, other));
  const kept = (name: string, text: string): KeptText | null => (text === '' ? null : { text, path: keep(name, text) });
  return {
    task: assigned(task, subject.texts),
    fits: fitsIn(subject, own, others, buildsOn),
    says,
    decisions: kept('decisions', decisionsText(task)),
    earlier: kept('earlier-decisions', buildsOn.map(earlierText).filter(Boolean).join('\n\n')),
    findings: openIn(task, keep),
    consumes: own === undefined ? [] : consumedBy(own, others),
    produces: own === undefined ? [] : producedBy(own, others),
    neighbours: others.filter(({ entry }) => isLive(entry.run)).map((other) => neighbourOf(other, own)),
  };
}

/**
 * What reviews found, also of earlier runs, where nothing else in the prompt says it. Demands of a person are among the
 * decisions, and what contradicts the plan is the person's.
 */
function openIn(task: TaskEntry, keep: (name: string, text: string) => string): Quote | null {
  const { run } = task;
  const isSaid =
    run?.state === 'CODE_REVIEW' || (run?.state === 'FIXING' && run.fixing?.reason === 'code_review_changes');
  const open = openFindings(task).filter((one) => isBlocking(one) && one.demand !== true && !isContradiction(one));
  if (isSaid || open.length === 0) return null;
  const text = findingsText(open);
  return { by: 'the reviewers of this task', text, path: keep('open-findings', text) };
}

/** A task, with what its text says. */
interface KnownTask {
  readonly entry: TaskEntry;
  readonly says: Pick<Task, 'files' | 'interfaces' | 'dependsOn'>;
}

function knownTasks({ plan, texts }: BriefSubject): readonly KnownTask[] {
  return plan.tasks
    .filter((task) => !task.stale || isLive(task.run))
    .map((entry) => {
      const [read] = parse(texts.get(entry.id) ?? '').plan.phases.flatMap((phase) => phase.tasks);
      const { files = [], interfaces = null } = read ?? {};
      return { entry, says: { files, interfaces, dependsOn: entry.dependsOn } };
    });
}

/** A task that a review asked for was written by who asked for it. */
function assigned({ id, address, name, feedback, feedbackBy }: TaskEntry, texts: BriefSubject['texts']): AssignedTask {
  const author = feedback === undefined ? null : promptWords(feedbackBy ?? 'reviewer');
  return { address, name, text: texts.get(id) ?? '', author };
}

function isNeededBy({ says }: KnownTask, other: KnownTask): boolean {
  if (says.dependsOn?.includes(other.entry.address)) return true;
  const produced = namesOf(other, 'produces');
  return namesOf({ says }, 'consumes').some((name) => produced.includes(name));
}

function namesOf({ says }: Pick<KnownTask, 'says'>, side: 'consumes' | 'produces'): readonly string[] {
  return (says.interfaces?.[side] ?? []).flatMap(namesIn);
}

function fitsIn(
  { plan, task }: BriefSubject,
  own: KnownTask | undefined,
  others: readonly KnownTask[],
  buildsOn: readonly KnownTask[],
): string {
  if (task.feedback !== undefined)
    return `A review of the whole plan asked for this task, after the other tasks were done.${inWorktree(task, others)}`;
  const tasks = plan.tasks.filter(({ stale, feedback }) => !stale && feedback === undefined);
  if (tasks.length <= 1) return 'It is the only task of the plan.';
  const number = tasks.indexOf(task) + 1;
  const place = number === 0 ? `Task ${task.address} is no longer in the plan` : `Task ${number} of ${tasks.length}`;
  const later = own === undefined ? [] : others.filter((other) => isNeededBy(other, own));
  return [
    `${place}${phaseWords(plan, task)}.`,
    buildsOn.length === 0 ? '' : ` It builds on ${buildsOn.map(nameOf).join(', ')}.`,
    later.length === 0 ? '' : ` Later, ${later.map(nameOf).join(', ')} will build on it.`,
    inWorktree(task, others),
  ].join('');
}

function phaseWords({ phases }: PlanEntry, { phase }: TaskEntry): string {
  const own = phases[phase];
  if (own === undefined || phases.length < 2) return own?.parallel ? ', which are built at the same time' : '';
  const name = own.name === '' ? '' : ` ("${own.name}")`;
  return `, in phase ${phase + 1} of ${phases.length}${name}${own.parallel ? ', whose tasks are built at the same time' : ''}`;
}

/** A worktree is made when its task is launched: what was merged later is not in it. */
function inWorktree({ launched }: TaskEntry, others: readonly KnownTask[]): string {
  const done = others.filter(
    ({ entry }) =>
      taskMachine.final.includes(entry.state) &&
      entry.markedDone === undefined &&
      (launched === undefined || entry.since <= launched.at),
  );
  if (done.length === 0) return '';
  const addresses = done.map(({ entry }) => entry.address);
  return ` The work of ${addresses.length === 1 ? 'task' : 'tasks'} ${addresses.join(', ')} is in this worktree.`;
}

function nameOf({ entry: { address, name, state, markedDone } }: KnownTask): string {
  const done = markedDone === undefined ? ', done' : ', marked done by a person';
  return `task ${address} (${shortened(name)}${taskMachine.final.includes(state) ? done : ''})`;
}

/** What the others say about the things that it needs. */
function consumedBy(own: KnownTask, others: readonly KnownTask[]): readonly Interface[] {
  return (own.says.interfaces?.consumes ?? []).map((entry) => ({
    entry,
    others: [
      ...others.flatMap((other) =>
        (other.says.interfaces?.produces ?? [])
          .filter((produced) => sharesName(produced, entry))
          .map((produced) => (produced === entry ? `from ${nameOf(other)}` : `from ${nameOf(other)}: ${produced}`)),
      ),
      ...unproduced(entry, others),
    ],
  }));
}

/** Somebody who looks for it among the results of other tasks would not find it. */
function unproduced(entry: string, others: readonly KnownTask[]): readonly string[] {
  if (saysItExists(entry)) return [];
  const produced = new Set(others.flatMap((other) => namesOf(other, 'produces')));
  const missing = namesIn(entry).filter((name) => !produced.has(name) && !produced.has(name.split(/[.:#]/)[0] ?? ''));
  if (missing.length === 0) return [];
  return [`no task produces ${missing.map((name) => `\`${name}\``).join(', ')}: if the code has it neither, ask`];
}

function producedBy(own: KnownTask, others: readonly KnownTask[]): readonly Interface[] {
  return (own.says.interfaces?.produces ?? []).map((entry) => {
    const users = others.filter((other) =>
      (other.says.interfaces?.consumes ?? []).some((one) => sharesName(one, entry)),
    );
    return { entry, others: users.length === 0 ? [] : [`used by ${users.map(nameOf).join(', ')}`] };
  });
}

function sharesName(one: string, other: string): boolean {
  const names = namesIn(other);
  return namesIn(one).some((name) => names.includes(name));
}

function neighbourOf({ entry, says }: KnownTask, own: KnownTask | undefined): Neighbour {
  const files = [...new Set(says.files.map(({ path }) => path))];
  const mine = new Set(own?.says.files.map(({ path }) => path));
  return { address: entry.address, name: entry.name, files, shared: files.filter((path) => mine.has(path)) };
}

/** The answer that the implementer has just been given is told apart from these: see `replyTo` in turn-prompt.ts. */
function decisionsText(task: TaskEntry): string {
  return decisionsOf(task)
    .filter(({ seq }) => seq !== task.run?.entered)
    .map(decisionText)
    .join('\n\n');
}

function decisionText(decision: TaskDecision): string {
  const subject = promptSubject(asAuthor(decision.by));
  switch (decision.kind) {
    case 'demand':
      return `${subject} demanded:\n${decision.text.trim()}`;
    case 'pivot':
      return `${subject} changed the task:\n${decision.text.trim()}`;
    case 'answer':
      return `The implementer asked:\n${decision.question?.trim() ?? ''}\n\n${subject} answered:\n${decision.text.trim()}`;
  }
}

/** A demand about another task was met there. */
function earlierText({ entry }: KnownTask): string {
  const decided = (entry.decisions ?? []).filter(({ kind }) => kind !== 'demand');
  return decided.length === 0 ? '' : `About task ${entry.address}:\n${decided.map(decisionText).join('\n\n')}`;
}
