// Named places at which a test kills this process for real. Not used unless CADRE_FAILPOINT is set.
import type { Disk, Path } from '../../core/ports/disk.ts';

/** The subject of an operation, by its path; the first match counts. */
const THINGS: readonly (readonly [string, RegExp])[] = [
  ['torn-copy', /\.torn-\d+$/],
  ['journal', /\/journal\/\d+\.log$/],
  ['checkpoint', /\/\.?checkpoint\.json/],
  ['plan-state', /\/\.?plan-state\.json/],
  ['note', /\/plan-state\.written$/],
  ['message', /\/inbox\/[^/]+\/(?:tmp|new)\//],
  ['quarantine', /\/quarantine\//],
  ['sentinel', /\/\.signals\//],
  ['overview', /\/\.?state\.json/],
  ['edit', /\/planning\/edited\//],
  ['artifact', /\/docs\/plans\/[^/]+\/planning\//],
  ['plan-file', /\/docs\/plans\/[^/]+\.md(?:\.tmp)?$/],
];

/** Before, in the middle of, and after every write, truncation, rename and removal that matters. */
export const FAILPOINTS = [
  'journal.write.before',
  'journal.write.mid',
  'journal.write.after',
  'journal.sync.after',
  'journal.truncate.before',
  'journal.truncate.after',
  'torn-copy.write.mid',
  'torn-copy.sync.after',
  'plan-state.write.before',
  'plan-state.write.mid',
  'plan-state.sync.after',
  'plan-state.rename.before',
  'plan-state.rename.after',
  'note.write.before',
  'note.write.mid',
  'note.write.after',
  'checkpoint.write.mid',
  'checkpoint.rename.before',
  'checkpoint.rename.after',
  'message.write.mid',
  'message.rename.before',
  'message.rename.after',
  'message.remove.before',
  'message.remove.after',
  'sentinel.remove.before',
  'sentinel.remove.after',
  'quarantine.rename.before',
  'quarantine.rename.after',
  'quarantine.write.mid',
  'overview.write.mid',
  'overview.rename.before',
  'overview.rename.after',
] as const;

export type Failpoint = (typeof FAILPOINTS)[number];

/** The same for the files of a workshop. */
export const WORKSHOP_FAILPOINTS = [
  'artifact.write.before',
  'artifact.write.mid',
  'artifact.sync.after',
  'artifact.rename.before',
  'artifact.rename.after',
  'artifact.remove.before',
  'artifact.remove.after',
  'edit.rename.before',
  'edit.rename.after',
  'plan-file.write.mid',
  'plan-file.rename.before',
  'plan-file.rename.after',
] as const;

/** Steps of work that takes several programs and files; each is reached when it is done. test/adapters/worktrees/run-kills.test.ts dies at each. */
export const STEPS = [
  'set-up.branch',
  'set-up.tree',
  'set-up.ports',
  'set-up.copying',
  'set-up.copied',
  'set-up.command',
  'set-up.ready',
  'keep.commit',
  'keep.ref',
  'undo.kept',
  'undo.reset',
  'relink.linked',
  'relink.moved',
  'remove.kept',
  'remove.aside',
  'remove.tree',
  'release.commit',
  'release.mark',
  'release.tree',
  'restore.tree',
  'restore.files',
  'merge.tree',
  'merge.commit',
  'merge.check',
  'merge.intent',
  'merge.ref',
  'set.pin',
  'set.ref',
  'renew.ref',
  'import.packed',
  'import.objects',
  'import.intent',
  'import.ref',
  'import.index',
  'import.kept',
] as const;

export type FailpointStep = (typeof STEPS)[number];

/** Called after each step. It may not return. */
export type Reached = (step: FailpointStep) => void;

/** Dies at the n-th occurrence of a step: `merge.commit` or `merge.commit:2`. */
export function stepThatFails(armed: string): Reached {
  const [place = '', nth = '1'] = armed.split(':');
  let left = Number(nth);
  return (step) => {
    if (step === place && --left === 0) die();
  };
}

/** A disk that kills the process at the n-th occurrence of a failpoint: `journal.write.mid` or `journal.write.mid:3`. */
export function diskThatFails(disk: Disk, armed: string): Disk {
  const [place = '', nth = '1'] = armed.split(':');
  if (![...FAILPOINTS, ...WORKSHOP_FAILPOINTS, ...STEPS].some((name) => name === place))
    throw new Error(`There is no failpoint "${place}".`);
  const paths = new Map<number, string>();
  let left = Number(nth);

  const passes = (thing: string, operation: string, when: string): boolean =>
    `${thing}.${operation}.${when}` === place && --left === 0;
  const around = <T>(operation: string, path: Path, go: () => T): T => {
    const thing = thingOf(path);
    if (passes(thing, operation, 'before')) die();
    const result = go();
    if (passes(thing, operation, 'after')) die();
    return result;
  };
  const pathOf = (file: number): string => paths.get(file) ?? '';

  return {
    ...disk,
    open(path, mode) {
      const file = disk.open(path, mode);
      paths.set(file, path.toString());
      return file;
    },
    write(file, bytes) {
      if (passes(thingOf(pathOf(file)), 'write', 'mid')) {
        disk.write(file, bytes.subarray(0, Math.ceil(bytes.length / 2)));
        die();
      }
      return around('write', pathOf(file), () => disk.write(file, bytes));
    },
    truncate: (file, size) => around('truncate', pathOf(file), () => disk.truncate(file, size)),
    sync: (file) => around('sync', pathOf(file), () => disk.sync(file)),
    rename: (from, to) => around('rename', to, () => disk.rename(from, to)),
    remove: (path) => around('remove', path, () => disk.remove(path)),
  };
}

function thingOf(path: Path): string {
  const text = path.toString();
  return THINGS.find(([, pattern]) => pattern.test(text))?.[0] ?? 'other';
}

/** No code of this process runs after this. */
function die(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('A killed process continued.');
}
