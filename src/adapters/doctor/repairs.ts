// Finds and repairs damage in files: locks of a killed git, missing ignore entries, a tmux server without programs.

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../../core/model/failure.ts';
import type { Damage, Repairs } from '../../core/ports/cleanup.ts';
import type { Disk } from '../../core/ports/disk.ts';
import type { Locks } from '../../core/ports/locks.ts';
import { counted } from '../../text/counted.ts';
import { isDeadLock, removeDeadLock } from '../git/dead-locks.ts';
import { IGNORED_PATHS, ignoreHere, missingEntries } from '../repo/init-repo.ts';
import type { Repo } from '../repo/repo.ts';
import { serverOf } from '../sessions/open-sessions.ts';
import { endIdleServer, isIdleServer } from '../sessions/tmux/idle-server.ts';
import { ensureFolder } from '../system/files.ts';

export interface RepairSubject {
  readonly disk: Disk;
  readonly repo: Repo;
  readonly locks: Locks;
}

export function repairs(subject: RepairSubject): Repairs {
  return {
    async find() {
      // Before the first step there is nothing of cadre's that could be damaged.
      const own = existsSync(subject.repo.journal) ? [...ignores(subject), ...signalsFolder(subject)] : [];
      return [...gitLocks(subject), ...own, ...terminals(subject)];
    },
    apply: async (damage) => apply(subject, damage),
  };
}

function apply({ disk, repo, locks }: RepairSubject, { kind, id }: Damage): string | undefined {
  try {
    switch (kind) {
      case 'git-lock':
        return removeDeadLock(repo.root, id) ? undefined : 'A git process is using it.';
      case 'ignores':
        ignoreHere(disk, repo.gitFolder, IGNORED_PATHS);
        return undefined;
      case 'signals-folder':
        ensureFolder(disk, repo.signals);
        return undefined;
      case 'terminals':
        if (locks.holder(repo.engineLock) !== undefined) return 'An engine is running.';
        return endIdleServer(serverOf(repo.state)) ? undefined : 'Something has been started in it.';
    }
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return `The system refused it (${systemCode(error)}).`;
  }
}

/** Locks of the checkout, and of branches and pins that only cadre writes. */
function gitLocks({ repo }: RepairSubject): readonly Damage[] {
  const ofCheckout = ['index.lock', 'HEAD.lock', 'config.lock', 'packed-refs.lock'].map((name) =>
    join(repo.gitFolder, name),
  );
  const ofRefs = ['refs/heads/plan', 'refs/heads/cadre', 'refs/cadre'].flatMap((folder) =>
    filesBelow(join(repo.gitFolder, folder)).filter((path) => path.endsWith('.lock')),
  );
  return [...ofCheckout, ...ofRefs]
    .filter((path) => existsSync(path) && isDeadLock(repo.root, path))
    .map((path) => ({
      kind: 'git-lock',
      weight: 'bad',
      id: path,
      sentence: `A git process that was killed left ${path} behind, and later git commands fail because of it.`,
      repair: `Remove ${path}.`,
    }));
}

function ignores({ disk, repo }: RepairSubject): readonly Damage[] {
  const missing = missingEntries(disk, repo.gitFolder, IGNORED_PATHS);
  if (missing.length === 0) return [];
  const path = join(repo.gitFolder, 'info', 'exclude');
  const sentence = `${path} has no entry for ${missing.join(', ')}, so git shows these files of cadre's.`;
  return [
    {
      kind: 'ignores',
      weight: 'note',
      id: path,
      sentence,
      repair: `Add ${counted(missing.length, 'line')} to ${path}.`,
    },
  ];
}

function signalsFolder({ repo }: RepairSubject): readonly Damage[] {
  if (existsSync(repo.signals)) return [];
  const sentence = `${repo.signals} does not exist, so an agent outside of cadre cannot create its sentinels.`;
  return [{ kind: 'signals-folder', weight: 'note', id: repo.signals, sentence, repair: `Create ${repo.signals}.` }];
}

/** An engine may be about to start something in it. */
function terminals({ repo, locks }: RepairSubject): readonly Damage[] {
  const server = serverOf(repo.state);
  if (server === undefined || locks.holder(repo.engineLock) !== undefined || !isIdleServer(server)) return [];
  const sentence = `The tmux server ${server} is running without a program.`;
  return [{ kind: 'terminals', weight: 'note', id: server, sentence, repair: `End the tmux server ${server}.` }];
}

function filesBelow(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)],
    );
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return [];
  }
}
