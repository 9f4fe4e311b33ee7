// What an agent would be told now, without starting it.
import { PROMPTED_ROLES, withAdditions } from '../../agents/prompts/additions.ts';
import { promptText } from '../../agents/prompts/prompt.ts';
import { PROMPTS_VERSION } from '../../agents/prompts/version.ts';
import type { RunEntry, TurnWork } from '../../core/model/run.ts';
import { PLANNING_TREE, REVIEW_TREE, type Tree, treeOfBranch } from '../../core/model/run-name.ts';
import { dutyIn, isEscalated, isLive } from '../../core/model/run-status.ts';
import { isPlanning } from '../../core/model/workshop/status.ts';
import type { PlanEntry, TaskEntry } from '../../core/model/world.ts';
import { freshRun } from '../../core/rules/run/launch.ts';
import { slugOf } from '../../plan/name.ts';
import type { Role } from '../../signals/registry.ts';
import { showName } from '../../text/show.ts';
import { type Refused, refuse } from '../actions/action.ts';
import type { AppPorts } from '../ports.ts';
import { type Subject, subjectNamed } from '../targets.ts';
import { known } from './world.ts';

export interface PromptRequest {
  readonly role?: string | undefined;
  readonly turn?: string | undefined;
}

export interface ShownPrompt {
  readonly kind: 'prompt';
  /** As a person names it. */
  readonly of: string;
  readonly role: Role;
  readonly turn: TurnWork;
  /** The task is not in this turn, so parts of the prompt are examples. */
  readonly isExample: boolean;
  readonly version: number;
  readonly text: string;
  /** The files that add to it. */
  readonly additions: readonly string[];
  /** What these files ask for and this prompt cannot have, as sentences. */
  readonly ignored: readonly string[];
}

/** Every turn, the role that has it, and whether it is about one task. */
export const TURNS: { readonly [turn in TurnWork]: { readonly role: Role; readonly of: 'task' | 'plan' } } = {
  plan: { role: 'implementer', of: 'task' },
  build: { role: 'implementer', of: 'task' },
  fix: { role: 'implementer', of: 'task' },
  verify: { role: 'implementer', of: 'task' },
  'review-plan': { role: 'architect', of: 'task' },
  answer: { role: 'architect', of: 'task' },
  'check-in': { role: 'architect', of: 'task' },
  rule: { role: 'architect', of: 'task' },
  'review-spec': { role: 'spec-reviewer', of: 'task' },
  'review-quality': { role: 'quality-reviewer', of: 'task' },
  'review-all': { role: 'reviewer', of: 'plan' },
  workshop: { role: 'planner', of: 'plan' },
  'review-workshop': { role: 'architect', of: 'plan' },
};

/** The turn of a role that is shown where nothing says which. */
const USUAL: {
  readonly [role in (typeof PROMPTED_ROLES)[number]]: { readonly task?: TurnWork; readonly plan?: TurnWork };
} = {
  planner: { plan: 'workshop' },
  architect: { task: 'answer', plan: 'review-workshop' },
  implementer: { task: 'build' },
  'spec-reviewer': { task: 'review-spec' },
  'quality-reviewer': { task: 'review-quality' },
  reviewer: { plan: 'review-all' },
};

export async function readPrompt(
  ports: AppPorts,
  reference: string | undefined,
  request: PromptRequest,
): Promise<ShownPrompt | Refused> {
  const subject = subjectNamed(await known(ports, reference), reference);
  const turn = turnWanted(subject, request);
  if (typeof turn !== 'string') return turn;
  const { entry, task, world } = subject;
  const of = `${slugOf(entry.plan)}${task === undefined ? '' : `#${task.address}`}`;
  if ((turn === 'workshop' || turn === 'review-workshop') && !isPlanning(entry))
    return refuse('state', `${entry.plan} has no workshop in which somebody plans, so there is no such prompt.`);
  if (turn === 'review-workshop' && entry.workshop?.document == null)
    return refuse('state', `The workshop of ${entry.plan} has no plan to review yet.`);
  const { plan, run } = asInTurn(ports, subject, turn);
  const { role } = TURNS[turn];
  const isTaken = turn === 'fix' && run !== undefined && isEscalated(run, world.policy.budgets.escalateAfter);
  const escalated = isTaken ? ({ escalated: true } as const) : {};
  const made = await ports.promptOf(world, plan, {
    turn,
    tree: treeFor(entry, turn, run),
    entry: {
      branch: run?.branch ?? entry.branch,
      from: entry.work?.tip ?? entry.branch,
      ...taskIn(task),
      ...escalated,
    },
  });
  const files = ports.promptAdditions(role);
  const { prompt, ignored } = withAdditions(made, files);
  return {
    kind: 'prompt',
    of,
    role,
    turn,
    isExample: task !== undefined && turnNow(subject) !== turn,
    version: PROMPTS_VERSION,
    text: promptText(prompt),
    additions: files.map(({ path }) => path),
    ignored,
  };
}

function taskIn(task: TaskEntry | undefined): { readonly task?: string } {
  return task === undefined ? {} : { task: task.id };
}

function turnWanted(subject: Subject, { role, turn }: PromptRequest): TurnWork | Refused {
  const level = subject.task === undefined ? 'plan' : 'task';
  const turns = (Object.keys(TURNS) as TurnWork[]).filter((one) => TURNS[one].of === level);
  const named = turns.find((one) => one === turn);
  if (turn !== undefined && named === undefined)
    return refuse('usage', `A ${level} has no turn "${showName(turn)}". Turns: ${turns.join(', ')}.`);
  const known = PROMPTED_ROLES.find((one) => one === role);
  if (role !== undefined && known === undefined)
    return refuse('unknown-role', `Unknown role "${showName(role)}". Roles: ${PROMPTED_ROLES.join(', ')}.`);
  if (named !== undefined && known !== undefined && TURNS[named].role !== known)
    return refuse('usage', `The turn "${named}" is one of the ${TURNS[named].role}, not of the ${known}.`);
  const now = turnNow(subject);
  if (named !== undefined) return named;
  if (known === undefined) return now ?? (level === 'plan' ? 'review-all' : 'build');
  if (now !== undefined && TURNS[now].role === known) return now;
  const usual = USUAL[known][level];
  return usual ?? refuse('usage', `The ${known} has no turn about a ${level}.`);
}

/** The turn that the present state asks for. */
function turnNow({ world, entry, task }: Subject): TurnWork | undefined {
  if (task === undefined) return isPlanning(entry) ? 'workshop' : undefined;
  return isLive(task.run) ? dutyIn(task.run, world.policy, task)?.work : undefined;
}

/** The plan as it would be if the task were in this turn. */
function asInTurn(
  { clock, by }: AppPorts,
  { world, entry, task }: Subject,
  turn: TurnWork,
): { readonly plan: PlanEntry; readonly run?: RunEntry } {
  if (task === undefined) return { plan: entry };
  const own = isLive(task.run)
    ? task.run
    : { ...freshRun({ world, now: clock.now(), by, entry, task }), base: entry.work?.tip ?? null };
  const isReview = TURNS[turn].role === 'spec-reviewer' || TURNS[turn].role === 'quality-reviewer';
  const run: RunEntry = isReview && own.pinned === null ? { ...own, pinned: '<commit>' } : own;
  const tasks = entry.tasks.map((one) => (one === task ? { ...task, run } : one));
  return { plan: { ...entry, tasks }, run };
}

function treeFor({ plan }: PlanEntry, turn: TurnWork, run: RunEntry | undefined): Tree {
  if (run !== undefined) return treeOfBranch(plan, run.branch);
  return { plan, name: turn === 'review-all' ? REVIEW_TREE : PLANNING_TREE };
}
