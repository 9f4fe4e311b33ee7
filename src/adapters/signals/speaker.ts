// Who runs this command: a person, or the agent in whose session it runs.
import type { By } from '../../core/model/event.ts';
import { asRole, type Role } from '../../signals/registry.ts';
import { ancestorEnvironments } from '../system/processes.ts';

/** What a session's environment says about its agent. */
export interface SessionEnvironment {
  readonly session: string;
  readonly role: Role;
  readonly plan?: string;
  readonly task?: string;
  readonly inbox?: string;
  readonly key?: string;
}

/**
 * An agent that clears or changes its environment is still the child of a process that had it. The outermost session
 * counts: cadre started that one, and the agent started everything inside it.
 */
export function enclosingSession(env: NodeJS.ProcessEnv, pid: number): SessionEnvironment | undefined {
  const own = new Map(Object.entries(env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));
  return [own, ...ancestorEnvironments(pid)].map(sessionIn).findLast((session) => session !== undefined);
}

export function callerOf(session: SessionEnvironment | undefined): By {
  return session === undefined ? { who: 'user' } : { who: 'agent', role: session.role, session: session.session };
}

function sessionIn(env: ReadonlyMap<string, string>): SessionEnvironment | undefined {
  const session = env.get('CADRE_SESSION');
  if (session === undefined || session === '') return undefined;
  const [plan, task, inbox, key] = ['PLAN', 'TASK', 'INBOX', 'PROOF'].map((name) => env.get(`CADRE_${name}`));
  return {
    session,
    role: sessionRole(env.get('CADRE_ROLE') ?? ''),
    ...(plan ? { plan } : {}),
    ...(task ? { task } : {}),
    ...(inbox ? { inbox } : {}),
    ...(key ? { key } : {}),
  };
}

/** A session without a known role may not do anything. */
function sessionRole(word: string): Role {
  const role = asRole(word);
  return role === undefined || role === 'outside' ? 'unknown' : role;
}
