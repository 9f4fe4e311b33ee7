// A journal record as one line for a person.
import type { SessionNews } from '../../core/events.ts';
import { type JournalRecord, planOf } from '../../core/record.ts';
import { showName } from '../../plan/name.ts';

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
  const [move] = record.moves;
  if (move !== undefined) {
    const feedback = 'feedback' in record && record.feedback ? `  "${firstLine(record.feedback)}"` : '';
    const subject = move.machine === 'plan' ? move.plan : `${move.plan}#${move.task}`;
    return `${subject}  ${move.from ?? '(new)'} -> ${move.to}  (${move.event})${feedback}`;
  }
  switch (record.event) {
    case 'signal_refused':
      return `refused ${record.refused.name} -> quarantine ${record.refused.id}: ${record.refused.why}`;
    case 'plan_read':
      return `${record.plan}  file read: ${record.tasks.length} tasks${record.stale.length === 0 ? '' : `, ${record.stale.length} no longer in it`}`;
    case 'session_begun':
      return `${record.begun.id}  ${record.resume ? 'resumed' : 'begun'}: ${showName(record.begun.program)} (${showName(record.begun.title)})`;
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
    case 'quarantine_retried':
    case 'quarantine_dropped':
      return `${record.event.replace('_', ' ')}: ${record.quarantine}`;
    case 'effect_done':
      return `effect ${record.effect} done`;
    case 'journal_repaired':
      return `journal repaired: ${record.bytes} torn bytes kept in ${record.copy}`;
    default:
      return `${planOf(record) ?? ''}  ${record.event.replaceAll('_', ' ')}`.trim();
  }
}

function sessionNews(news: SessionNews): string {
  switch (news.kind) {
    case 'up':
      return 'started';
    case 'failed':
      return `could not be started: ${news.why}`;
    case 'sent':
      return news.problem === null ? 'delivered' : `not delivered: ${news.problem}`;
    case 'ended':
      if (news.life.kind === 'gone') return 'its terminal is gone';
      return `ended (${news.life.signal === null ? `exit code ${news.life.exitCode}` : `signal ${news.life.signal}`})`;
  }
}

function firstLine(text: string): string {
  return showName(text.split('\n', 1)[0] ?? '');
}
