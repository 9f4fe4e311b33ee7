// The message that `cadre signal` drops into a session's inbox.
import { asRole, type Role } from './registry.ts';

export interface Message {
  readonly v: 1;
  readonly name: string;
  readonly plan: string;
  readonly task?: string;
  readonly session: string;
  readonly role: Role;
  /** The record at which the plan or run had entered its state when this was sent; 0 for an unknown plan. */
  readonly entered: number;
  readonly body: string;
  /** The key of the session, which its program was handed. */
  readonly key?: string;
  /** Set when a person released it from quarantine, so that it counts as a new message. */
  readonly retried?: string;
}

/** The inbox of agents that cadre did not start. */
export const OUTSIDE_SESSION = 'outside';

/** The name of a message about a command starts with this; no signal has a space in its name. */
const COMMAND = 'cadre ';

/** The most that is kept of what was typed. */
const MOST_TYPED = 2000;

/** Reports that an agent typed a person's command. It is always refused, so the person finds it in quarantine. */
export function forbiddenCommandMessage(
  { session, role, plan, task }: Pick<Message, 'session' | 'role' | 'task'> & { readonly plan?: string },
  command: string,
  typed: string,
): Message {
  const body = typed.slice(0, MOST_TYPED);
  const about = { plan: plan ?? '', ...(task === undefined ? {} : { task }) };
  return { v: 1, name: `${COMMAND}${command}`, ...about, session, role, entered: 0, body };
}

/** The command that a message with this name reports. */
export function forbiddenCommand(name: string): string | undefined {
  return name.startsWith(COMMAND) ? name.slice(COMMAND.length) : undefined;
}

/** The same signal sent twice about one state counts once. */
export function messageId(message: Message): string {
  const whose = message.task === undefined ? message.plan : `${message.plan}#${message.task}`;
  return [message.name, message.session, whose, message.entered, message.retried ?? ''].join('/');
}

export function encodeMessage(message: Message): string {
  return `${JSON.stringify(message)}\n`;
}

/** A message that names another session than the owner of the inbox is rejected. */
export function decodeMessage(text: string, session: string): Message | { readonly why: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { why: 'it is not JSON' };
  }
  if (!isRecord(value)) return { why: NOT_A_MESSAGE };
  const { v, name, plan, task, role, entered, body, key, retried } = value;
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
    ...(typeof key === 'string' ? { key } : {}),
    ...(typeof retried === 'string' ? { retried } : {}),
  };
}

const NOT_A_MESSAGE = 'it does not have the fields of a message';

/** Session names are used as folder names. */
export function isSessionName(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(text);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
