// The names of sessions and of the places they run in. A host may use either anywhere: letters, digits, "-" and "_" only.

/** One agent program, started once. Never reused. */
export type SessionId = string & { readonly brand: 'SessionId' };

/** A terminal and a worktree that sessions use one after the other. */
export type PlaceId = string & { readonly brand: 'PlaceId' };

/** The session that the record `seq` starts. */
export function sessionIdFor(seq: number): SessionId {
  return `s${seq}` as SessionId;
}

/** The place that a session makes for itself when a person starts it. */
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

export function sessionId(text: string): SessionId | undefined {
  return isSafe(text) ? (text as SessionId) : undefined;
}

export function placeId(text: string): PlaceId | undefined {
  return isSafe(text) ? (text as PlaceId) : undefined;
}

function isSafe(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(text);
}
