// Removes refs of cadre's own that git can neither read nor write: after a power failure, or because an agent wrote their files.
import { lstatSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { systemCode } from '../../core/model/failure.ts';

/** Git's own words for it. The first group is the ref. Only branches of plans and runs, and pinned work. */
const DAMAGED =
  /cannot lock ref '(refs\/(?:heads\/(?:plan|cadre)|cadre)\/[^'\n]+)': (?:unable to resolve reference '[^'\n]+': reference broken|reference already exists)/;

/** The ref that keeps a git from its work, according to its message. It is damaged only if it has no object. */
export function damagedRefIn(message: string): string | undefined {
  return DAMAGED.exec(message)?.[1];
}

export interface Repository {
  readonly root: string;
  /** Git's common folder. */
  readonly gitFolder: string;
  /** Runs git once. */
  ask(folder: string, words: readonly string[]): Promise<{ readonly exitCode: number }>;
}

/** Returns whether it was removed, so that git may succeed now. Another process may have repaired it meanwhile. */
export async function removeDamagedRef({ root, gitFolder, ask }: Repository, ref: string): Promise<boolean> {
  if (removeUnreadable(gitFolder, ref)) return true;
  // The journal has the commits of plans and runs, so nothing is lost with a ref whose commit does not exist.
  if (!/^refs\/(?:heads\/(?:plan|cadre(?!\/adhoc\/))|cadre\/(?:tip|base))\//.test(ref)) return false;
  if ((await ask(root, ['cat-file', '-e', ref])).exitCode === 0) return false;
  return (await ask(root, ['update-ref', '--no-deref', '-d', ref])).exitCode === 0;
}

function removeUnreadable(gitFolder: string, ref: string): boolean {
  try {
    const refs = join(realpathSync(gitFolder), 'refs');
    const path = join(gitFolder, ref);
    if (!`${realpathSync(dirname(path))}/`.startsWith(`${refs}/`) || !lstatSync(path).isFile()) return false;
    if (/^(?:[0-9a-f]{40,64}\s|ref: )/.test(readFileSync(path, 'latin1'))) return false;
    rmSync(path);
    return true;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return false;
  }
}
