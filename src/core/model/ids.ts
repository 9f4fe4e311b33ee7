// The ids of sessions, places and machines. They consist of letters, digits, "-" and "_", so a host may use them anywhere.
import type { Policy } from '../settings/policy.ts';

/** One agent program, started once. Never reused. */
export type SessionId = string & { readonly brand: 'SessionId' };

/** A terminal and a worktree that sessions use one after the other. */
export type PlaceId = string & { readonly brand: 'PlaceId' };

/** A computer that runs sessions and holds their worktrees. Several may share a journal. */
export type MachineId = string & { readonly brand: 'MachineId' };

/** The machine of everything that names none, as in the journals of 0.1.0. */
export const LOCAL_MACHINE = 'local' as MachineId;

export interface OnMachine {
  readonly machine?: MachineId;
}

export function machineOf({ machine = LOCAL_MACHINE }: OnMachine): MachineId {
  return machine;
}

/** For something that has to be on the same machine: a session in its place, an effect on what it changes. */
export function sameMachine({ machine }: OnMachine): OnMachine {
  return machine === undefined ? {} : { machine };
}

/** For a place that does not exist yet. */
export function machineForNew({ machine }: Policy): OnMachine {
  return machine === undefined ? {} : { machine: machine as MachineId };
}

/** The session that the record `seq` starts. */
export function sessionIdFor(seq: number): SessionId {
  return `s${seq}` as SessionId;
}

/** The place of a session that a person starts. */
export function ownPlaceOf(session: SessionId): PlaceId {
  return session as string as PlaceId;
}

/** The place of the run that the record `seq` launches. */
export function runPlaceFor(seq: number): PlaceId {
  return `r${seq}` as PlaceId;
}

/** The place of the reviewers of a plan that has been in review since the record `seq`. */
export function reviewPlaceFor(seq: number): PlaceId {
  return `p${seq}` as PlaceId;
}

/** The place of the planners of a workshop that the record `seq` opened or redid. */
export function planningPlaceFor(seq: number): PlaceId {
  return `w${seq}` as PlaceId;
}

export function sessionId(text: string): SessionId | undefined {
  return isSafe(text) ? (text as SessionId) : undefined;
}

export function placeId(text: string): PlaceId | undefined {
  return isSafe(text) ? (text as PlaceId) : undefined;
}

function isSafe(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(text);
}
