// What cadre has left on disk and in git, whether it is still needed or not.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { LeftBranch, LeftOutput, Leftovers, LeftTree } from '../../core/ports/cleanup.ts';
import { type GitRepo, NO_LOCKS } from '../git/git.ts';
import { realPath } from '../git/real-path.ts';
import { unreachable } from '../kept/kept-commits.ts';
import { isStoppedIn, sessionsIn } from '../sessions/session-folders.ts';
import { changedAt, entriesOf, foldersIn } from './own-folders.ts';

export interface LeftoverPlaces extends GitRepo {
  readonly worktrees: string;
  readonly runs: string;
  readonly sessions: string;
  readonly inbox: string;
  readonly quarantine: string;
  /** Worktrees of all repositories that have ports. */
  readonly portHolders: () => readonly string[];
}

export async function leftovers(places: LeftoverPlaces): Promise<Omit<Leftovers, 'kept'>> {
  return {
    trees: treesIn(places.worktrees),
    branches: await branchesIn(places),
    outputs: outputsIn(places.runs),
    sessions: sessionsIn(places.sessions).map((session) => ({
      session,
      isStopped: isStoppedIn(places.sessions, session),
      at: changed(join(places.sessions, session)),
    })),
    boxes: foldersIn(places.inbox).map((session) => ({
      session,
      waiting: entriesOf(join(places.inbox, session, 'new')).length,
      at: changed(join(places.inbox, session)),
    })),
    refused: refusedIn(places.quarantine),
    ports: places.portHolders().filter((path) => isBelow(path, places.worktrees) && !existsSync(path)),
  };
}

/** Ports are noted under real paths. */
function isBelow(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`) || path.startsWith(`${realPath(folder)}/`);
}

function treesIn(folder: string): readonly LeftTree[] {
  return foldersIn(folder).flatMap((plan) =>
    foldersIn(join(folder, plan)).map((part) => ({ plan, part, path: join(folder, plan, part) })),
  );
}

/** Those of runs, `cadre/<plan>/<run>`, and those of sessions, `cadre/adhoc/<title>-<session>`. */
async function branchesIn(repo: GitRepo): Promise<readonly LeftBranch[]> {
  const words = ['for-each-ref', '--format=%(objectname) %(refname:lstrip=2)', 'refs/heads/cadre/'];
  const listed = (await repo.git.must(repo.root, words, { env: NO_LOCKS })).split('\n').filter((line) => line !== '');
  const all = listed.flatMap((line) => {
    const [, commit = '', branch = '', plan = '', part = ''] = /^(\S+) (cadre\/([^/]+)\/([^/]+))$/.exec(line) ?? [];
    return branch === '' ? [] : [{ branch, commit, plan, part }];
  });
  const only = new Set(await unreachable(repo, all, []));
  return all.map((one) => ({ ...one, isElsewhere: !only.has(one) }));
}

/** Moved files are in the same folders, and are work. */
export const MOVED_FILES: ReadonlySet<string> = new Set(['ignored', 'undone']);

function outputsIn(folder: string): readonly LeftOutput[] {
  return foldersIn(folder).flatMap((plan) =>
    foldersIn(join(folder, plan))
      .map((part) => ({ plan, part, folder: join(folder, plan, part) }))
      .filter((one) => entriesOf(one.folder).some((name) => !MOVED_FILES.has(name))),
  );
}

function refusedIn(folder: string): Leftovers['refused'] {
  const ids = entriesOf(folder).flatMap((name) => /^(q\d+)\.(?:json|original)$/.exec(name)?.[1] ?? []);
  const at = (id: string): string => changed(join(folder, `${id}.json`)) || changed(join(folder, `${id}.original`));
  return [...new Set(ids)].map((id) => ({ id, at: at(id) }));
}

/** Empty for what is gone in the meantime, which is then never old. */
function changed(path: string): string {
  return changedAt(path) ?? '';
}
