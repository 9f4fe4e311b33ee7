// Failures of the environment, as opposed to refusals: one class, with a sentence for the person at the terminal.
import { showText } from '../../text/show.ts';
import type { RefusalCode } from './refusal.ts';
import type { Suggestion } from './suggestion.ts';
export type FailureKind =
  /** The machine is the cause: a full disk, a missing program, an unsupported file system. */
  | 'environment'
  /** The request cannot be carried out as given. */
  | 'usage'
  /** A person has to do something before it can work. */
  | 'person'
  | 'failed';

/** The codes of failures that are not refusals. */
export const FAILURES = [
  'bug',
  'git',
  'no-git',
  'git-failed',
  'git-locked',
  'no-base',
  'no-repo',
  'bare-repo',
  'foreign-repo',
  'no-plan-branch',
  'bad-setup',
  'no-sandbox',
  'unrelated',
  'network-file-system',
  'bad-home',
  'no-folder',
  'bad-folder',
  'unreadable-plan',
  'locked',
  'lock-gone',
  'no-flock',
  'journal-behind',
  'journal-damaged',
  'journal-gone',
  'journal-newer',
  'journal-segment-missing',
  'journal-shrunk',
  'journal-stopped',
  'sync-failed',
  'engine-runs',
  'engine-lock-gone',
  'engine-not-started',
  'engine-stops',
  'withdrawn',
  'still-stopping',
  'not-done-yet',
  'not-done',
  'broken-config',
  'locked-worktree',
  'folder-in-the-way',
  'branch-in-the-way',
  'half-made-worktree',
  'changed-worktree',
  'local-filter',
  'not-restored',
  'no-worktree',
  'occupied',
  'nothing-to-keep',
  'no-ports',
  'no-verify',
  'waits',
  'no-pull-requests',
  'not-pushed',
  'not-fetched',
  'gh-failed',
  'no-tmux',
  'no-processes',
  'tmux-silent',
  'tmux-lost',
  'tmux-refused',
  'tmux-unknown',
  'bad-launch',
  'bad-session',
  'not-stopped',
  'expectation',
] as const;

/** A code of ours, or the operating system's (`ENOSPC`). */
export type FailureCode = RefusalCode | (typeof FAILURES)[number] | `E${string}`;

export interface FailureDetails {
  readonly cause?: unknown;
  /** What the person can do next. */
  readonly try?: readonly Suggestion[];
}

export class Failure extends Error {
  override readonly name = 'Failure';
  readonly kind: FailureKind;
  readonly code: FailureCode;
  readonly try: readonly Suggestion[];

  constructor(kind: FailureKind, code: FailureCode, sentence: string, details: FailureDetails = {}) {
    super(sentence, details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = kind;
    this.code = code;
    this.try = details.try ?? [];
  }
}

/** The error code of the operating system, if the error came from it. */
export function systemCode(error: unknown): `E${string}` | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return isSystemCode(error.code) ? error.code : undefined;
}

function isSystemCode(code: unknown): code is `E${string}` {
  return typeof code === 'string' && code.startsWith('E');
}

const WHAT_TO_DO: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', 'The disk is full. Free some space; nothing that was confirmed is lost.'],
  ['EDQUOT', 'Your disk quota is used up. Free some space; nothing that was confirmed is lost.'],
  ['EACCES', 'Permission was denied. Make it writable for you, then try again.'],
  ['EPERM', 'The system does not permit it. Check who owns it, then try again.'],
  ['EROFS', 'The file system is read-only. Mount it writable, then try again.'],
  ['EMFILE', 'Too many files are open. Raise the limit ("ulimit -n"), then try again.'],
  ['ENFILE', 'The whole system has too many files open. Close some programs, then try again.'],
  ['EIO', 'The disk reports an error. Check the disk before you continue.'],
  ['ENOENT', 'It does not exist.'],
  ['EEXIST', 'Something else is in its place. Move it away, then try again.'],
  ['EISDIR', 'It is a folder, not a file.'],
  ['ELOOP', 'It is a symbolic link, which is not followed here.'],
  ['ENOTDIR', 'A file is where a folder should be. Move it away, then try again.'],
]);

/** Runs work on files. An error of the operating system becomes a `Failure`; any other error is rethrown. */
export function explained<T>(doing: string, path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw diskFailure(error, doing, path);
  }
}

/** An error of the operating system as a sentence: what was attempted, on what, and what helps. */
export function diskFailure(error: unknown, doing: string, path: string): Failure {
  if (error instanceof Failure) return error;
  const code = systemCode(error);
  if (code === undefined) throw error;
  return new Failure(
    'environment',
    code,
    `Could not ${doing} ${showText(path)}. ${WHAT_TO_DO.get(code) ?? `(${code})`}`,
    { cause: error },
  );
}

/** An error of the operating system that nothing closer to its cause has explained. Any other error stays as it is. */
export function asFailure(error: unknown): unknown {
  if (error instanceof Failure || systemCode(error) === undefined) return error;
  // Node puts the path that a system call was about into its error.
  const path = error instanceof Error && 'path' in error ? String(error.path) : 'a file';
  return diskFailure(error, 'work with', path);
}
