// The checks of `cadre doctor`: this machine, this repository, and everything cadre keeps about it.

import { accessSync, constants, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fold } from '../../core/journal/fold.ts';
import { Failure, systemCode } from '../../core/model/failure.ts';
import { type Suggestion, suggest } from '../../core/model/suggestion.ts';
import { EMPTY_WORLD, type World } from '../../core/model/world.ts';
import type { Disk } from '../../core/ports/disk.ts';
import { counted } from '../../text/counted.ts';
import { BEGINNING, type Segments } from '../journal/segments.ts';
import { IGNORED_PATHS, networkFileSystem } from '../repo/init-repo.ts';
import type { Repo } from '../repo/repo.ts';
import { diskProblem } from '../system/disk-space.ts';
import { run } from '../system/exec.ts';
import { readWhole } from '../system/files.ts';
import { findFlock } from '../system/flock.ts';

interface Check {
  readonly name: string;
  readonly result: 'ok' | 'note' | 'bad';
  readonly sentence: string;
  readonly try?: readonly Suggestion[];
}

export interface CheckUpSubject {
  readonly disk: Disk;
  readonly repo: Repo;
  readonly segments: Segments;
  readonly planStateProblem: () => string | undefined;
  readonly engine: () => { readonly pid: number; readonly command: string } | undefined;
  readonly waitingSignals: () => number;
  /** A sentence if this Node is too old. */
  readonly nodeProblem: string | undefined;
  /** Who has this lock. */
  readonly holder: (lock: string) => { readonly pid: number; readonly command: string } | undefined;
}

export async function checkUp(subject: CheckUpSubject): Promise<readonly Check[]> {
  const { repo } = subject;
  const journal = checkJournal(subject.segments);
  return [
    checkNode(subject),
    checkProgram('git', ['git', '--version'], bad('git', 'not installed. cadre needs it.')),
    checkProgram(
      'tmux',
      ['tmux', '-V'],
      note('tmux', 'not installed. Agents run as plain processes without a terminal.'),
    ),
    await checkLock(),
    checkFolder('state folder', repo.state),
    checkFolder('plans folder', repo.plans),
    checkFileSystem(repo),
    checkIgnored(subject),
    checkSignalsFolder(subject),
    journal.check,
    ...(journal.world === undefined ? [] : checkWorld(subject, journal.world)),
    checkPlanState(subject),
    checkEngine(subject),
    checkHolders(subject),
    checkGitLock(subject),
    checkDisk(subject),
  ];
}

function checkNode({ nodeProblem }: CheckUpSubject): Check {
  return nodeProblem === undefined ? ok('node', `${process.versions.node}.`) : bad('node', nodeProblem);
}

function checkProgram(name: string, argv: readonly string[], missing: Check): Check {
  const result = run(argv);
  return result.exitCode === 0 ? ok(name, `${result.stdout.trim()}.`) : missing;
}

async function checkLock(): Promise<Check> {
  const flock = await findFlock();
  if (flock === undefined)
    return bad('locks', 'neither koffi nor flock(1) works, and cadre does not write without a lock. Reinstall cadre.');
  if (flock.way === 'flock(1)') return note('locks', 'through flock(1), which is slower: koffi could not be loaded.');
  return ok('locks', 'flock(2) works.');
}

function checkFolder(name: string, folder: string): Check {
  try {
    accessSync(folder, constants.W_OK);
    return ok(name, `${folder} is writable.`);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return note(name, `${folder} does not exist yet; the first step creates it.`);
    return bad(name, `${folder} is not writable. Make it writable for you.`);
  }
}

function checkFileSystem(repo: Repo): Check {
  const home = networkFileSystem(folderThatExists(repo.home));
  if (home !== undefined)
    return bad('file system', `${onNetwork(repo.home, home)} Set CADRE_HOME to a folder on a local disk.`);
  const root = networkFileSystem(folderThatExists(repo.root));
  if (root !== undefined)
    return note('file system', `${onNetwork(repo.root, root)} Use it from one machine at a time.`);
  return ok('file system', 'local.');
}

function onNetwork(folder: string, network: string): string {
  return `${folder} is on ${network}, where locks may not hold.`;
}

function folderThatExists(folder: string): string {
  try {
    accessSync(folder);
    return folder;
  } catch {
    return folderThatExists(join(folder, '..'));
  }
}

function checkIgnored({ disk, repo }: CheckUpSubject): Check {
  const path = join(repo.gitFolder, 'info', 'exclude');
  const lines = readWhole(disk, path)?.toString('utf8').split(/\r?\n/) ?? [];
  if (IGNORED_PATHS.every((entry) => lines.includes(entry))) return ok('git ignores', `cadre's files are in ${path}.`);
  return note('git ignores', `cadre's files are not in ${path} yet; the first step adds them.`);
}

function checkSignalsFolder({ disk, repo }: CheckUpSubject): Check {
  const kind = disk.facts(repo.signals)?.kind ?? 'folder';
  if (kind === 'folder') return ok('signals folder', `${repo.signals}.`);
  return bad('signals folder', `${repo.signals} is not a folder (${kind}), so no sentinel is read there. Remove it.`);
}

/** Reads every segment from the first record, which no other command does. */
function checkJournal(segments: Segments): { check: Check; world?: World } {
  try {
    const { records, torn, position } = segments.read(BEGINNING);
    const world = fold(EMPTY_WORLD, records);
    const check =
      torn > 0
        ? note(
            'journal',
            `${position.seq} records are intact, followed by ${torn} bytes that are not a record. The next step moves these to a file.`,
          )
        : ok(
            'journal',
            `${counted(position.seq, 'record')} in ${counted(segments.numbers().length, 'segment')}, all intact.`,
          );
    return { check, world };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { check: bad('journal', error.message) };
  }
}

function checkWorld({ disk, repo }: CheckUpSubject, world: World): readonly Check[] {
  const missing = [...world.plans.keys()].filter((plan) => disk.facts(join(repo.plans, plan)) === undefined);
  const refused = world.refused.size;
  return [
    missing.length === 0
      ? ok('plan files', `${counted(world.plans.size, 'plan')}, each with its file.`)
      : note('plan files', `these plans have no file in docs/plans: ${missing.join(', ')}.`),
    refused === 0
      ? ok('quarantine', 'empty.')
      : note('quarantine', `${counted(refused, 'refused signal')}.`, suggest('quarantine')),
  ];
}

function checkPlanState({ planStateProblem }: CheckUpSubject): Check {
  const problem = planStateProblem();
  return problem === undefined ? ok('plan-state.json', 'readable.') : bad('plan-state.json', problem);
}

function checkEngine({ engine, waitingSignals }: CheckUpSubject): Check {
  const holder = engine();
  if (holder !== undefined) return ok('engine', `"${holder.command}" (pid ${holder.pid}).`);
  const waiting = waitingSignals();
  if (waiting === 0) return ok('engine', 'not running, and no signals are waiting.');
  return note(
    'engine',
    `not running, and ${counted(waiting, 'signal')} wait${waiting === 1 ? 's' : ''} for it.`,
    suggest('engine-start'),
  );
}

/** One that a killed git left behind is among what can be repaired. */
function checkGitLock({ repo }: CheckUpSubject): Check {
  const path = join(repo.gitFolder, 'index.lock');
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return ok('git lock', 'none is left over.');
  return note('git lock', `${path} exists: git is working in the checkout.`);
}

/** Locks that somebody has now; each is released when its holder ends, however it ends. */
function checkHolders({ repo, holder }: CheckUpSubject): Check {
  const held = [repo.journalLock, repo.planStateLock, repo.cleanupLock].flatMap((path) => {
    const by = holder(path);
    return by === undefined ? [] : [`${basename(path)} by "${by.command}" (pid ${by.pid})`];
  });
  return held.length === 0
    ? ok('held locks', "none besides the engine's.")
    : note('held locks', `${held.join(', ')}. Others wait until it has finished.`);
}

function checkDisk({ repo }: CheckUpSubject): Check {
  const problem = diskProblem(folderThatExists(repo.home));
  return problem === undefined ? ok('disk', 'has room.') : bad('disk', problem);
}

function ok(name: string, sentence: string): Check {
  return { name, result: 'ok', sentence };
}

function note(name: string, sentence: string, ...suggestions: readonly Suggestion[]): Check {
  return { name, result: 'note', sentence, ...(suggestions.length === 0 ? {} : { try: suggestions }) };
}

function bad(name: string, sentence: string): Check {
  return { name, result: 'bad', sentence };
}
