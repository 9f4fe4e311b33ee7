// The part of the policy that decides about the work of agents, or names a command that cadre runs. While a plan is being
// built, a change of it in a file (which an agent may have made) only applies once a person says so.
import type { Policy } from './policy.ts';

const GUARDED = [
  'setup',
  'verify',
  'verification',
  'land',
  'taskMerge',
  'programs',
  'architect',
  'autoVerify',
  'notifyCommand',
] as const satisfies readonly (keyof Policy)[];

export type Guarded = (typeof GUARDED)[number];

/** Guarded settings as the files have them, where they differ from those in force. */
export type Proposed = Partial<Pick<Policy, Guarded>>;

/** The guarded part that a key of the settings changes: `verify`, `profiles.reviewer.program`. */
export function guardedBy(key: string): readonly Guarded[] {
  return BY_WHOLE_KEY.get(key) ?? BY_KEY.get(key.split('.', 1)[0] ?? '') ?? [];
}

/** A word about one of the other parts of `notify` is no word about the command. */
const BY_WHOLE_KEY: ReadonlyMap<string, readonly Guarded[]> = new Map<string, readonly Guarded[]>([
  ['notify', ['notifyCommand']],
  ['notify.command', ['notifyCommand']],
]);

const BY_KEY: ReadonlyMap<string, readonly Guarded[]> = new Map<string, readonly Guarded[]>([
  ['setup', ['setup']],
  ['verify', ['verify', 'verification']],
  ['land', ['land']],
  ['task_merge', ['taskMerge']],
  ['default_program', ['programs']],
  ['profiles', ['programs']],
  ['phase_roles', ['programs']],
  ['architect', ['architect']],
  ['auto_verify', ['autoVerify']],
]);

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
