// The file that `cadre signal` writes into a session's box.
import { asRole, type Role } from './registry.ts';

export interface Message {
  readonly v: 1;
  readonly name: string;
  readonly plan: string;
  readonly task?: string;
  readonly session: string;
  readonly role: Role;
  /** The sequence number at which the plan had entered its state when this was said; 0 for an unknown plan. */
  readonly entered: number;
  readonly body: string;
  /** Set when a person put it back from quarantine, so that it counts as said anew. */
  readonly retried?: string;
}

/** The box of agents that cadre did not start. */
export const OUTSIDE_SESSION = 'outside';

/** How a message is named that tells of a command: no signal's name has a space. */
const COMMAND = 'cadre ';

/** The most that is told of what was typed. */
const TOLD_LENGTH = 2000;

/** Says that an agent has typed a command that is a person's. It is refused whoever drops it, and so kept for the person. */
export function tryOf(
  { session, role, plan, task }: Pick<Message, 'session' | 'role' | 'task'> & { readonly plan?: string },
  command: string,
  typed: string,
): Message {
  const body = typed.slice(0, TOLD_LENGTH);
  const about = { plan: plan ?? '', ...(task === undefined ? {} : { task }) };
  return { v: 1, name: `${COMMAND}${command}`, ...about, session, role, entered: 0, body };
}

/** The command of which a message of this name tells. */
export function triedCommand(name: string): string | undefined {
  return name.startsWith(COMMAND) ? name.slice(COMMAND.length) : undefined;
}

/** The same thing said twice about one state of one plan is one signal. */
export function messageId(message: Message): string {
  const whose = message.task === undefined ? message.plan : `${message.plan}#${message.task}`;
  return [message.name, message.session, whose, message.entered, message.retried ?? ''].join('/');
}

export function encodeMessage(message: Message): string {
  return `${JSON.stringify(message)}\n`;
}

/** A message of another session's box is no message of this one's. */
export function decodeMessage(text: string, session: string): Message | { readonly why: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { why: 'it is not JSON' };
  }
  if (!isRecord(value)) return { why: NOT_A_MESSAGE };
  const { v, name, plan, task, role, entered, body, retried } = value;
  const known = typeof role === 'string' ? asRole(role) : undefined;
  if (v !== 1) return { why: `its version is ${JSON.stringify(v)}, which this version of cadre does not support` };
  if (value.session !== session) return { why: 'it is from another session than the one whose inbox it is in' };
  if (known === undefined) return { why: `its role is ${JSON.stringify(role)}, which does not exist` };
  if (
    typeof name !== 'string' ||
    typeof plan !== 'string' ||
    typeof body !== 'string' ||
    !Number.isSafeInteger(entered)
  )
    return { why: NOT_A_MESSAGE };
  return {
    v,
    name,
    plan,
    session,
    role: known,
    entered: entered as number,
    body,
    ...(typeof task === 'string' ? { task } : {}),
    ...(typeof retried === 'string' ? { retried } : {}),
  };
}

const NOT_A_MESSAGE = 'it does not have the fields of a message';

/** A session's name becomes a folder's. */
export function isSessionName(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(text);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
