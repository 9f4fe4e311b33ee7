// The checks of `cadre doctor`: this machine, this repository, and everything cadre keeps about it.
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { fold } from '../../core/journal/fold.ts';
import { Failure } from '../../core/model/failure.ts';
import { type Suggestion, suggest } from '../../core/model/suggestion.ts';
import { EMPTY_WORLD, type World } from '../../core/model/world.ts';
import type { Disk } from '../../core/ports/disk.ts';
import { BEGINNING, type Segments } from '../journal/segments.ts';
import { IGNORED_PATHS, networkFileSystem } from '../repo/init-repo.ts';
import type { Repo } from '../repo/repo.ts';
import { run } from '../system/exec.ts';
import { readWhole } from '../system/files.ts';
import { findFlock } from '../system/flock.ts';

interface Check {
  readonly name: string;
  readonly result: 'ok' | 'note' | 'bad';
  readonly sentence: string;
  readonly try?: readonly Suggestion[];
}

export interface CheckUpOf {
  readonly disk: Disk;
  readonly repo: Repo;
  readonly segments: Segments;
  readonly planStateProblem: () => string | undefined;
  readonly engine: () => { readonly pid: number; readonly command: string } | undefined;
  readonly waitingSignals: () => number;
}

export async function checkUp(of: CheckUpOf): Promise<readonly Check[]> {
  const journal = checkJournal(of.segments);
  return [
    checkNode(),
    checkProgram('git', ['git', '--version'], 'bad', 'cadre needs it.'),
    checkProgram('tmux', ['tmux', '-V'], 'note', 'Agents will run as plain processes that cannot be attached to.'),
    await checkLock(),
    checkFolder('state folder', of.repo.state),
    checkFolder('plans folder', of.repo.plans),
    checkFileSystem(of.repo),
    checkIgnored(of),
    checkSignalsFolder(of),
    journal.check,
    ...(journal.world === undefined ? [] : checkWorld(of, journal.world)),
    checkPlanState(of),
    checkEngine(of),
  ];
}

function checkNode(): Check {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return ok('node', `${process.versions.node}.`);
  return bad('node', `${process.versions.node} is too old; cadre needs 20.19 or newer.`);
}

function checkProgram(name: string, argv: readonly string[], missing: 'note' | 'bad', without: string): Check {
  const result = run(argv);
  if (result.exitCode === 0) return ok(name, `${result.stdout.trim()}.`);
  return { name, result: missing, sentence: `not installed. ${without}` };
}

async function checkLock(): Promise<Check> {
  const way = await findFlock();
  if (way === undefined)
    return bad(
      'locks',
      'neither koffi nor flock(1) works here, and cadre does not write without a lock. Reinstall cadre.',
    );
  if (way.way === 'flock(1)')
    return { name: 'locks', result: 'note', sentence: 'through flock(1), which is slower: koffi could not be loaded.' };
  return ok('locks', 'flock(2) works.');
}

function checkFolder(name: string, folder: string): Check {
  try {
    accessSync(folder, constants.W_OK);
    return ok(name, `${folder} can be written.`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      return { name, result: 'note', sentence: `${folder} is not there yet; the first step makes it.` };
    return bad(name, `${folder} cannot be written. Make it writable for you.`);
  }
}

function checkFileSystem(repo: Repo): Check {
  for (const [folder, result] of [
    [repo.home, 'bad'],
    [repo.root, 'note'],
  ] as const) {
    const network = networkFileSystem(folderThatExists(folder));
    if (network === undefined) continue;
    const help =
      result === 'bad' ? 'Set CADRE_HOME to a folder on a local disk.' : 'Use it from one machine at a time.';
    return { name: 'file system', result, sentence: `${folder} is on ${network}, where locks may not hold. ${help}` };
  }
  return ok('file system', 'local.');
}

function folderThatExists(folder: string): string {
  try {
    accessSync(folder);
    return folder;
  } catch {
    return folderThatExists(join(folder, '..'));
  }
}

function checkIgnored({ disk, repo }: CheckUpOf): Check {
  const path = join(repo.gitFolder, 'info', 'exclude');
  const lines = readWhole(disk, path)?.toString('utf8').split(/\r?\n/) ?? [];
  if (IGNORED_PATHS.every((entry) => lines.includes(entry))) return ok('git ignores', `cadre's files are in ${path}.`);
  return {
    name: 'git ignores',
    result: 'note',
    sentence: `cadre's files are not in ${path} yet; the first step adds them.`,
  };
}

function checkSignalsFolder({ disk, repo }: CheckUpOf): Check {
  const kind = disk.facts(repo.signals)?.kind ?? 'folder';
  if (kind === 'folder') return ok('signals folder', `${repo.signals}.`);
  return bad('signals folder', `${repo.signals} is not a folder (${kind}), so no sentinel is read there. Remove it.`);
}

/** Reads every segment from the first record, as no other command needs to. */
function checkJournal(segments: Segments): { check: Check; world?: World } {
  try {
    const { records, torn, position } = segments.read(BEGINNING);
    const world = fold(EMPTY_WORLD, records);
    if (torn > 0)
      return {
        check: {
          name: 'journal',
          result: 'note',
          sentence: `${position.seq} records are sound; ${torn} bytes at the end are no record yet. The next step sets them aside.`,
        },
        world,
      };
    return {
      check: ok('journal', `${position.seq} records in ${segments.numbers().length} segment(s), all sound.`),
      world,
    };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { check: bad('journal', error.message) };
  }
}

function checkWorld({ disk, repo }: CheckUpOf, world: World): readonly Check[] {
  const missing = [...world.plans.keys()].filter((plan) => disk.facts(join(repo.plans, plan)) === undefined);
  const files: Check =
    missing.length === 0
      ? ok('plan files', `${world.plans.size} plan(s), each with its file.`)
      : {
          name: 'plan files',
          result: 'note',
          sentence: `these plans have no file in docs/plans: ${missing.join(', ')}.`,
        };
  const quarantine: Check =
    world.refused.size === 0
      ? ok('quarantine', 'empty.')
      : {
          name: 'quarantine',
          result: 'note',
          sentence: `${world.refused.size} refused signal(s).`,
          try: [suggest('quarantine')],
        };
  return [files, quarantine];
}

function checkPlanState({ planStateProblem }: CheckUpOf): Check {
  const problem = planStateProblem();
  return problem === undefined ? ok('plan-state.json', 'can be used.') : bad('plan-state.json', problem);
}

function checkEngine({ engine, waitingSignals }: CheckUpOf): Check {
  const holder = engine();
  if (holder !== undefined) return ok('engine', `"${holder.command}" (pid ${holder.pid}).`);
  const waiting = waitingSignals();
  if (waiting === 0) return ok('engine', 'not running, and no signals are waiting.');
  return {
    name: 'engine',
    result: 'note',
    sentence: `not running, and ${waiting} signal(s) are waiting for it.`,
    try: [suggest('engine-start')],
  };
}

function ok(name: string, sentence: string): Check {
  return { name, result: 'ok', sentence };
}

function bad(name: string, sentence: string): Check {
  return { name, result: 'bad', sentence };
}
