// The part of the policy that decides about the work of agents, or names a command that cadre runs. While a plan is being
// built, a change of it in a file (which an agent may have made) only applies once a person says so.
import type { Policy } from './policy.ts';

/** `held`: a change in a file waits for a person while a plan is being built. `free`: it applies at once. */
const WHEN_CHANGED = {
  budgets: 'free',
  autoVerify: 'held',
  architect: 'held',
  maxParallel: 'free',
  verification: 'held',
  setup: 'held',
  verify: 'held',
  land: 'held',
  taskMerge: 'held',
  notifyCommand: 'held',
  commandWall: 'free',
  agentWall: 'free',
  requireReport: 'free',
  deadlines: 'free',
  programs: 'held',
  profiles: 'held',
  escalation: 'free',
  machine: 'free',
} as const satisfies Readonly<Record<keyof Policy, 'held' | 'free'>>;

export type Guarded = {
  [Name in keyof Policy]-?: (typeof WHEN_CHANGED)[Name] extends 'held' ? Name : never;
}[keyof Policy];

const GUARDED = (Object.keys(WHEN_CHANGED) as (keyof Policy)[]).filter(
  (name): name is Guarded => WHEN_CHANGED[name] === 'held',
);

/** Guarded settings as the files have them, where they differ from those in force. */
export type Proposed = Partial<Pick<Policy, Guarded>>;

export interface HeldBack {
  /** The read policy, with the guarded part that was in force where it is held back. */
  readonly policy: Policy;
  readonly proposed: Proposed | undefined;
}

/** With a policy that 0.1.0 recorded, or none, there is nothing to compare with. */
export function holdBack(inForce: Policy, read: Policy, isOpen: (name: Guarded) => boolean): HeldBack {
  const held = GUARDED.filter(
    (name) => inForce[name] !== undefined && !isSame(inForce[name], read[name]) && !isOpen(name),
  );
  if (held.length === 0 || inForce.verify === undefined) return { policy: read, proposed: undefined };
  return { policy: { ...read, ...only(inForce, held) }, proposed: only(read, held) };
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function only(policy: Policy, names: readonly Guarded[]): Proposed {
  return Object.fromEntries(names.map((name) => [name, policy[name]]));
}
