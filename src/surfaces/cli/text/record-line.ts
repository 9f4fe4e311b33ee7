// A journal record as one line for a person.
import type { SessionNews } from '../../../core/model/event.ts';
import { type JournalRecord, type Move, planOf, type RunFactEvent } from '../../../core/model/record.ts';
import type { PlanWork } from '../../../core/model/run.ts';
import type { SessionFields } from '../../../core/model/session.ts';
import { incidentWords } from '../../../core/model/stops.ts';
import { listed } from '../../../core/model/tasks.ts';
import type { Policy } from '../../../core/settings/policy.ts';
import { wallWords } from '../../../core/settings/sandbox.ts';
import { changeWords } from '../../../core/views/proposed.ts';
import type { TaskNames } from '../../../core/views/record.ts';
import type { RunEvent } from '../../../machines/run.ts';
import { ROLES } from '../../../signals/registry.ts';
import { counted } from '../../../text/counted.ts';
import { quoteForShell } from '../../../text/shell.ts';
import { shortened } from '../../../text/shorten.ts';
import { showName, showText } from '../../../text/show.ts';
import { gapWords } from './gap-words.ts';

export function recordLine(record: JournalRecord, names: TaskNames): string {
  const who = record.role === undefined ? record.by : `${record.by}:${record.role}`;
  const what = whatHappened(record, names);
  return [`#${record.seq}`.padEnd(6), shortTime(record.at), who.padEnd(WHO_WIDTH), what].join('  ');
}

const WHO_WIDTH = Math.max(...ROLES.map((role) => `agent:${role}`.length));

/** Local time, to the second. */
export function shortTime(at: string): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return at;
  const ahead = time.getTimezoneOffset();
  // As the journal writes it, where that is the local time already.
  if (ahead === 0 && IN_RECORDS.test(at)) return `${at.slice(0, 10)} ${at.slice(11, 19)}`;
  const local = new Date(time.getTime() - ahead * 60_000);
  return local.toISOString().slice(0, 19).replace('T', ' ');
}

const IN_RECORDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function whatHappened(record: JournalRecord, names: TaskNames): string {
  const [first] = record.moves;
  if (first !== undefined) {
    const subject = 'task' in first ? `${first.plan}#${names(first.plan, first.task)}` : first.plan;
    return `${subject}  ${moved(record.moves)}  (${record.event}${verifiedNote(record)}${wayNote(record)})${endedNote(record, names)}${quoted(record)}`;
  }
  switch (record.event) {
    case 'signal_refused':
      return `refused ${record.refused.name} -> quarantine ${record.refused.id}: ${record.refused.why}`;
    case 'signals_counted':
      return `${counted(record.count, 'more refused signal')} from ${showText(record.source)} only counted: ${record.why}`;
    case 'plan_read':
      return `${record.plan}  file read: ${counted(record.tasks.length, 'task')}${record.stale.length === 0 ? '' : `, ${record.stale.length} no longer in it`}`;
    case 'session_begun':
      return `${record.begun.id}  ${record.resume ? 'resuming' : 'starting'} ${showName(record.begun.program)} (${whatFor(record.begun, names)})`;
    case 'session_interrupted':
      return `${record.about}  stopping for now`;
    case 'session_stopped':
      return `${record.about}  stopping`;
    case 'session_paused':
      return `${record.about}  pausing`;
    case 'session_send':
      return `${record.about}  sending text`;
    case 'session_news':
      return `${record.about}  ${sessionEvent(record.news)}`;
    case 'choose':
      return `active plan: ${record.chosen ?? 'the one that changed last'}`;
    case 'plan_state_differs':
      return `${record.plan}  plan-state.json says ${record.fileStatus}; the journal takes precedence`;
    case 'import_document':
      return 'imported the other fields of plan-state.json';
    case 'describe':
      return `${record.plan}  description taken from plan-state.json`;
    case 'quarantine_retried':
    case 'quarantine_dropped':
      return `${record.event.replace('_', ' ')}: ${record.quarantine}`;
    case 'warned':
      return `${warnedAbout(record, names)}  warning: ${showText(record.text)}`;
    case 'effect_done':
      return `effect ${record.effect} done`;
    case 'clock_gap':
      return gapWords(record);
    case 'journal_repaired':
      return `journal repaired: ${record.bytes} torn bytes moved to ${record.copy}`;
    case 'policy_set':
      return record.proposed
        ? `settings changed and wait for you: ${proposedWords(record)}`
        : `settings: ${policyWords(record.policy)}`;
    case 'settings_accepted':
      return `changed settings accepted: ${policyWords(record.policy)}`;
    case 'run':
      return `${record.plan}  building: tasks are launched automatically`;
    case 'frozen':
      return 'frozen: nothing new starts';
    case 'thawed':
      return 'thawed: held work is starting';
    case 'paused':
      return 'paused: agents are stopped';
    case 'resumed':
      return 'resumed: agents continue';
    case 'plan_paused':
      return `${record.plan}  paused: its agents are stopped`;
    case 'plan_resumed':
      return `${record.plan}  resumed: its agents continue`;
    case 'move_intended':
      return `${record.plan}  moving ${record.move.branch === 'plan' ? 'the plan branch' : 'the base branch'} to ${record.move.to.slice(0, 10)}`;
    case 'incident':
      return `${record.plan}  incident: ${incidentWords(record.incident)}`;
    case 'incident_restoring':
      return `${record.plan}  restoring the plan branch`;
    case 'incident_not_restored':
      return `${record.plan}  the plan branch is not restored: ${showText(record.why)}`;
    case 'incident_ended':
      return `${record.plan}  incident over: ${incidentEnd(record)}`;
    case 'tip_seen':
    case 'branch_moved':
      return `${record.plan}  plan branch is at ${workIn(record).tip?.slice(0, 10) ?? 'no commit'}`;
    case 'land_begun':
      return `${record.plan}  landing`;
    case 'landed':
      return `${record.plan}  ${showText(workIn(record).landed?.text ?? 'landed')}`;
    case 'review_waits':
      return `${record.plan}  reviewed; a person decides${quoted(record)}`;
    case 'plan_findings_ruled':
      return `${record.plan}  findings decided`;
    case 'reviewer_silent':
      return `${record.plan}  the reviewer is idle`;
    case 'reviewer_overdue':
      return `${record.plan}  the reviewer has run out of time`;
    default:
      return 'task' in record
        ? `${record.plan}#${names(record.plan, record.task)}  ${runNote(record.event)}${bracketed(wayNote(record))}${quoted(record)}`
        : `${planOf(record) ?? ''}  ${plainWords(record.event)}`.trim();
  }
}

/** What a result of a verification is worth: the command that ran, or that there is none. */
function verifiedNote(record: JournalRecord): string {
  const verified = 'verified' in record ? record.verified : undefined;
  if (verified === undefined) return '';
  return verified.command === null ? ', no verify command' : `, ${shortened(quoteForShell(verified.command))}`;
}

/** How a signal came, and from whom. */
function wayNote({ signal, session }: JournalRecord): string {
  if (signal?.via === undefined) return '';
  return `, by ${signal.via}${session === undefined ? '' : ` of ${session}`}`;
}

function bracketed(note: string): string {
  return note === '' ? '' : ` (${note.replace(/^, /, '')})`;
}

export function incidentEnd({ branch, how }: Extract<JournalRecord, { event: 'incident_ended' }>): string {
  return {
    restored: `cadre restored ${branch}`,
    taken: `a person took ${branch} as it is`,
    undone: `${branch} was moved back`,
  }[how];
}

/** Every machine that a record moves, the task before its run. */
function moved(moves: readonly Move[]): string {
  const run = chainOf(moves, 'coder');
  const workshop = chainOf(moves, 'workshop');
  return [
    chainOf(moves, 'plan'),
    workshop === '' ? '' : `workshop ${workshop}`,
    chainOf(moves, 'task'),
    run === '' ? '' : `run ${run}`,
  ]
    .filter((chain) => chain !== '')
    .join(', ');
}

/** The states that one machine went through: "CODING -> TESTING". */
export function chainOf(moves: readonly Move[], machine: Move['machine']): string {
  const own = moves.filter((move) => move.machine === machine);
  const [first] = own;
  return first === undefined ? '' : [first.from ?? '(new)', ...own.map((move) => move.to)].join(' -> ');
}

function runNote(event: string): string {
  return isRunNote(event) ? RUN_NOTES[event] : plainWords(event);
}

function isRunNote(event: string): event is keyof typeof RUN_NOTES {
  return Object.hasOwn(RUN_NOTES, event);
}

/** What happens to a run without changing its state. */
const RUN_NOTES: { readonly [event in Exclude<RunFactEvent, RunEvent>]: string } = {
  stage_passed: 'spec review passed',
  advised: 'the quality reviewer would approve, but the commit is not verified; a person decides',
  review_taken: 'reviewed; its findings have to be decided about',
  findings_ruled: 'findings decided',
  verify_advised: 'verified by the agent; the engine verifies it after the thaw',
  nudged: 'the agent is idle; reminding it',
  fell_silent: 'the agent is idle',
  session_overdue: 'the agent has run out of time',
  verify_begun: 'running tests',
  next_awaited: 'the agent finished; a person starts the verification',
  next_taken: 'a person starts what waited',
  back_to_work: 'sent back to work before the verification',
  merge_begun: 'merging',
  held_up: 'held up',
  worktree_changed: 'incident: somebody changed the link of its worktree',
  worktree_restoring: 'restoring its worktree',
  worktree_restored: 'incident over: its worktree was restored',
  worktree_change_undone: 'incident over: the link of its worktree is as before',
  worktree_not_restored: 'its worktree could not be restored',
};

function plainWords(event: string): string {
  return event.replaceAll('_', ' ');
}

function warnedAbout({ plan, taskId }: Extract<JournalRecord, { event: 'warned' }>, names: TaskNames): string {
  return taskId === undefined ? plan : `${plan}#${names(plan, taskId)}`;
}

function endedNote(record: JournalRecord, names: TaskNames): string {
  const found = 'ended' in record ? (record.ended ?? []) : [];
  const ended = found.map((one) => ({ ...one, task: names(planOf(record), one.task) }));
  const again = ended.filter(({ becomes }) => becomes === 'planned').map(({ task, was }) => `${task} (was ${was})`);
  const dropped = ended.filter(({ becomes }) => becomes === 'dropped').map(({ task }) => task);
  return [
    ...(again.length === 0 ? [] : [`  planned again: ${listed(again)}`]),
    ...(dropped.length === 0 ? [] : [`  dropped: ${listed(dropped)}`]),
  ].join('');
}

function quoted(record: JournalRecord): string {
  const text = 'feedback' in record ? record.feedback : 'cause' in record ? record.cause : undefined;
  return text ? `  "${firstLineShown(text)}"` : '';
}

function workIn({ changes = [] }: JournalRecord): Partial<PlanWork> {
  return Object.assign({}, ...changes.flatMap((change) => (change.of === 'plan' ? [change.change] : [])));
}

export function proposedWords({
  policy,
  proposed,
}: Extract<JournalRecord, { event: 'policy_set' | 'settings_accepted' }>): string {
  return showText(changeWords(policy, proposed ?? {}));
}

function policyWords({ maxParallel, verification, budgets, programs, ...walls }: Policy): string {
  const names = [...new Set(Object.values(programs).map(({ program }) => showName(program)))];
  return [
    `up to ${maxParallel} runs in parallel`,
    `verified by ${VERIFIERS[verification]}`,
    `${budgets.coding} coding turns, ${budgets.fixing} fixing turns`,
    ...(names.length === 0 ? [] : [`programs: ${names.join(', ')}`]),
    ...wallWords(walls).map(showText),
  ].join('; ');
}

const VERIFIERS = { engine: 'the engine', agent: 'the agent', both: 'the agent and the engine' } as const;

/** A session that cadre started for a run has a task and a role; a person's own session has its title. */
function whatFor({ plan, task, role, title }: SessionFields, names: TaskNames): string {
  if (plan === undefined) return showName(title);
  return `${role} of ${plan}${task === undefined ? '' : `#${names(plan, task)}`}`;
}

function sessionEvent(news: SessionNews): string {
  switch (news.kind) {
    case 'up':
      return `started${startedWhere(news)}${news.told === undefined ? '' : ` (prompts version ${news.told.version}, ${news.told.digest})`}`;
    case 'failed':
      return `failed to start: ${showText(news.why.split('\n', 1)[0] ?? '')}`;
    case 'sent':
      return news.problem === null ? 'delivered' : `not delivered: ${news.problem}`;
    case 'ended':
      if (news.life.kind === 'gone') return 'terminal is gone';
      return `exited (${news.life.signal === null ? `exit code ${news.life.exitCode}` : `signal ${news.life.signal}`})`;
  }
}

function startedWhere({ wall }: Extract<SessionNews, { kind: 'up' }>): string {
  if (wall === undefined) return '';
  return wall.wall === null ? ` without a wall: ${showText(wall.why)}` : ` behind a wall, ${wall.wall}`;
}

/** The first line that is not blank. */
export function firstLineShown(text: string): string {
  return showName(text.split('\n').find((line) => line.trim() !== '') ?? '');
}
