// From a message of an agent to the signal that the rules decide about.
import type { PlanFile } from '../../plan/name.ts';
import { type Message, messageId } from '../../signals/message.ts';
import type { Signal, SignalFile } from './event.ts';
import type { SessionId } from './ids.ts';
import type { JournalRecord } from './record.ts';
import type { World } from './world.ts';

/**
 * What a new message is stamped with, so that a signal about an earlier state can be recognised: the record at which the
 * session's run or workshop entered its present state, or, for any other session, the plan. 0 where none is known.
 */
export function stateSeqFor(world: World, plan: string | undefined, session: string | undefined): number {
  const speaker = world.sessions.get(session as SessionId);
  const entry = world.plans.get((speaker?.plan ?? plan) as PlanFile);
  if (speaker?.plans === true) return entry?.workshop?.entered ?? 0;
  if (speaker?.attempt === undefined) return entry?.entered ?? 0;
  return entry?.tasks.find((task) => task.id === speaker.task)?.run?.entered ?? 0;
}

/** The file of a message that is not dropped yet. */
export const NO_FILE: SignalFile = { path: '', inode: '' };

export function signalFromMessage(message: Message, around: Pick<Signal, 'file' | 'planFileExists' | 'keyOf'>): Signal {
  const { name, plan, task, entered, body, role, session } = message;
  return {
    id: messageId(message),
    name,
    plan,
    by: { who: 'agent', role, session },
    via: 'command',
    entered,
    body,
    ...around,
    ...(task === undefined ? {} : { task }),
  };
}

/** What the journal keeps of a signal that counts. */
export function recordedSignal({ id, name, via, body }: Signal): NonNullable<JournalRecord['signal']> {
  return { id, name, via, ...(body === '' ? {} : { body }) };
}
