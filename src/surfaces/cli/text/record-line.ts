// A journal record as one line for a person.
import type { SessionNews } from '../../../core/model/event.ts';
import { type JournalRecord, type Move, planOf } from '../../../core/model/record.ts';
import type { PlanWork } from '../../../core/model/run.ts';
import type { SessionFields } from '../../../core/model/session.ts';
import type { Policy } from '../../../core/settings/policy.ts';
import { showName, showText } from '../../../text/show.ts';

export function recordLine(record: JournalRecord): string {
  const who = record.role === undefined ? record.by : `${record.by}:${record.role}`;
  return [`#${record.seq}`.padEnd(6), shortTime(record.at), who.padEnd(18), whatHappened(record)].join('  ');
}

/** The person's own time, to the second. */
export function shortTime(at: string): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return at;
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19).replace('T', ' ');
}

function whatHappened(record: JournalRecord): string {
  const [first] = record.moves;
  if (first !== undefined) {
    const subject = first.machine === 'plan' ? first.plan : `${first.plan}#${first.task}`;
    return `${subject}  ${moved(record.moves)}  (${record.event})${said(record)}`;
  }
  switch (record.event) {
    case 'signal_refused':
      return `refused ${record.refused.name} -> quarantine ${record.refused.id}: ${record.refused.why}`;
    case 'plan_read':
      return `${record.plan}  file read: ${record.tasks.length} ${record.tasks.length === 1 ? 'task' : 'tasks'}${record.stale.length === 0 ? '' : `, ${record.stale.length} no longer in it`}`;
    case 'session_begun':
      return `${record.begun.id}  ${record.resume ? 'resumed' : 'begun'}: ${showName(record.begun.program)} (${whatFor(record.begun)})`;
    case 'session_stopped':
      return `${record.about}  to be stopped`;
    case 'session_paused':
      return `${record.about}  to be paused`;
    case 'session_send':
      return `${record.about}  something to be sent`;
    case 'session_news':
      return `${record.about}  ${sessionNews(record.news)}`;
    case 'choose':
      return record.chosen === null ? 'active plan: whichever was changed last' : `active plan: ${record.chosen}`;
    case 'plan_state_differs':
      return `${record.plan}  plan-state.json says ${record.fileStatus}; the journal holds`;
    case 'import_document':
      return 'the rest of plan-state.json was taken in';
    case 'describe':
      return `${record.plan}  described as plan-state.json does`;
    case 'quarantine_retried':
    case 'quarantine_dropped':
      return `${record.event.replace('_', ' ')}: ${record.quarantine}`;
    case 'effect_done':
      return `effect ${record.effect} done`;
    case 'journal_repaired':
      return `journal repaired: ${record.bytes} torn bytes kept in ${record.copy}`;
    case 'policy_set':
      return `settings: ${policyWords(record.policy)}`;
    case 'run':
      return `${record.plan}  its tasks are launched by themselves from now on`;
    case 'frozen':
      return 'frozen: nothing new is begun';
    case 'thawed':
      return 'thawed: what may begin begins';
    case 'tip_seen':
      return `${record.plan}  its branch is at ${workIn(record).tip?.slice(0, 10) ?? 'no commit'}`;
    case 'land_begun':
      return `${record.plan}  its branch lands`;
    case 'landed':
      return `${record.plan}  ${showText(workIn(record).landed?.text ?? 'landed')}`;
    case 'review_waits':
      return `${record.plan}  no review is left, a person decides${said(record)}`;
    case 'reviewer_silent':
      return `${record.plan}  its reviewer does nothing`;
    case 'reviewer_overdue':
      return `${record.plan}  its reviewer has taken too long`;
    default:
      return 'task' in record
        ? `${record.plan}#${record.task}  ${BESIDE_MOVES[record.event] ?? record.event.replaceAll('_', ' ')}${said(record)}`
        : `${planOf(record) ?? ''}  ${record.event.replaceAll('_', ' ')}`.trim();
  }
}

/** Every machine that a record moves, the task before its run: they move together or not at all. */
function moved(moves: readonly Move[]): string {
  const run = chainOf(moves, 'coder');
  return [chainOf(moves, 'plan'), chainOf(moves, 'task'), run === '' ? '' : `run ${run}`]
    .filter((chain) => chain !== '')
    .join(', ');
}

/** The states that one machine went through: "CODING -> TESTING". */
export function chainOf(moves: readonly Move[], machine: Move['machine']): string {
  const own = moves.filter((move) => move.machine === machine);
  const [first] = own;
  return first === undefined ? '' : [first.from ?? '(new)', ...own.map((move) => move.to)].join(' -> ');
}

/** What happens to a run without moving it. */
const BESIDE_MOVES: Readonly<Record<string, string>> = {
  advised: 'the quality reviewer would approve it, but it is not verified: a person decides',
  verify_advised: 'its agent has verified it; the verification begins when cadre is thawed',
  nudged: 'its agent does nothing, and is reminded',
  fell_silent: 'its agent does nothing',
  session_overdue: 'its agent has taken too long',
  verify_begun: 'the verification begins',
  merge_begun: 'the merge begins',
  held_up: 'what the engine does for it is held up',
};

function said(record: JournalRecord): string {
  const text = 'feedback' in record ? record.feedback : 'cause' in record ? record.cause : undefined;
  return text ? `  "${firstLine(text)}"` : '';
}

function workIn({ changes = [] }: JournalRecord): Partial<PlanWork> {
  return Object.assign({}, ...changes.flatMap((change) => (change.of === 'plan' ? [change.change] : [])));
}

function policyWords({ maxParallel, verification, budgets, programs }: Policy): string {
  const names = [...new Set(Object.values(programs).map(({ program }) => showName(program)))];
  return [
    `up to ${maxParallel} runs at once`,
    `verified by ${VERIFIERS[verification]}`,
    `${budgets.coding} turns of coding, ${budgets.fixing} of fixing`,
    ...(names.length === 0 ? [] : [`with ${names.join(', ')}`]),
  ].join('; ');
}

const VERIFIERS = { engine: 'the engine', agent: 'the agent', both: 'the agent and the engine' } as const;

/** A session that cadre began for a run has a task and a role; a person's own has the title that it was given. */
function whatFor({ plan, task, role, title }: SessionFields): string {
  if (plan === undefined) return showName(title);
  return `${role} of ${plan}${task === undefined ? '' : `#${task}`}`;
}

function sessionNews(news: SessionNews): string {
  switch (news.kind) {
    case 'up':
      return 'started';
    case 'failed':
      return `could not be started: ${showText(news.why.split('\n', 1)[0] ?? '')}`;
    case 'sent':
      return news.problem === null ? 'delivered' : `not delivered: ${news.problem}`;
    case 'ended':
      if (news.life.kind === 'gone') return 'its terminal is gone';
      return `ended (${news.life.signal === null ? `exit code ${news.life.exitCode}` : `signal ${news.life.signal}`})`;
  }
}

/** The first that says something. */
export function firstLine(text: string): string {
  return showName(text.split('\n').find((line) => line.trim() !== '') ?? '');
}
