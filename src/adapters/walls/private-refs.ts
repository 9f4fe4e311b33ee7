// Reads the refs of a private git folder without git, and without trusting what the session has put there.
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../../core/model/failure.ts';

export interface PrivateHead {
  /** Undefined if it is detached. */
  readonly branch?: string;
  readonly commit?: string;
}

/** `own`: git's folder for the worktree. */
export function readPrivateHead(own: string): PrivateHead | undefined {
  const text = smallText(join(own, 'HEAD'))?.trimEnd() ?? '';
  const [, branch] = /^ref: refs\/heads\/([^\s~^:?*[\\]+)$/.exec(text) ?? [];
  if (branch !== undefined) return { branch };
  return COMMIT.test(text) ? { commit: text } : undefined;
}

/** The commit of a branch; undefined if there is no such branch. */
export function readPrivateBranch(git: string, branch: string): string | undefined {
  const loose = smallText(join(git, 'refs', 'heads', branch))?.trimEnd();
  if (loose !== undefined) return COMMIT.test(loose) ? loose : undefined;
  return packedBranches(git).get(branch);
}

/** All branches of the folder; at most `MOST_BRANCHES`. */
export function readPrivateBranches(git: string): ReadonlyMap<string, string> {
  const branches = new Map(packedBranches(git));
  for (const name of looseNames(join(git, 'refs', 'heads'), '', 0)) {
    const commit = readPrivateBranch(git, name);
    if (commit !== undefined) branches.set(name, commit);
  }
  return branches;
}

const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const MOST_BRANCHES = 1_000;
const DEEPEST = 20;

function packedBranches(git: string): ReadonlyMap<string, string> {
  const text = plainText(join(git, 'packed-refs'), LARGEST_LIST) ?? '';
  const found = text.matchAll(/^([0-9a-f]{40}|[0-9a-f]{64}) refs\/heads\/([^\s~^:?*[\\]+)$/gm);
  return new Map([...found].map(([, commit = '', branch = '']) => [branch, commit]));
}

function looseNames(folder: string, before: string, depth: number): readonly string[] {
  if (depth > DEEPEST) return [];
  const names: string[] = [];
  for (const entry of entriesOf(folder)) {
    if (names.length >= MOST_BRANCHES) break;
    const name = `${before}${entry.name}`;
    if (entry.isFile() && !/[\s~^:?*[\\]/.test(name)) names.push(name);
    if (entry.isDirectory()) names.push(...looseNames(join(folder, entry.name), `${name}/`, depth + 1));
  }
  return names;
}

function entriesOf(folder: string): ReturnType<typeof folderEntries> {
  try {
    return folderEntries(folder);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return [];
  }
}

function folderEntries(folder: string) {
  return readdirSync(folder, { withFileTypes: true });
}

const LARGEST_REF = 1_024;
const LARGEST_LIST = 32 * 1_024 * 1_024;

function smallText(path: string): string | undefined {
  return plainText(path, LARGEST_REF);
}

/** Undefined if it is not a plain file, or larger. A pipe must not make cadre wait, and a link must not lead elsewhere. */
function plainText(path: string, most: number): string | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
  try {
    const { size } = fstatSync(file);
    if (!fstatSync(file).isFile() || size > most) return undefined;
    const bytes = Buffer.alloc(size);
    return bytes.subarray(0, readSync(file, bytes, 0, size, 0)).toString('utf8');
  } finally {
    closeSync(file);
  }
}
