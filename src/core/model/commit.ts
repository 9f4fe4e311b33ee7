// The name of a commit.

/** The full hash. */
export type Commit = string;

/** Enough of the hash for a person to recognise the commit. */
export function short(commit: Commit): string {
  return commit.slice(0, 10);
}
