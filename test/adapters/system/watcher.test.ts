// What the watcher reports of folders, of files, and of what does not exist yet.
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { watchFolders } from '../../../src/adapters/system/watcher.ts';
import type { Watcher } from '../../../src/core/ports/watcher.ts';
import { temporaryFolder } from '../../support/pieces.ts';
import { eventually } from '../../support/repo.ts';

interface Watching {
  readonly watcher: Watcher;
  /** Every path reported so far. */
  readonly reported: string[];
  reports(path: string): Promise<unknown>;
}

function watching(): Watching {
  const reported: string[] = [];
  const watcher = watchFolders((path) => reported.push(path));
  onTestFinished(() => watcher.close());
  return {
    watcher,
    reported,
    reports: (path) =>
      eventually(
        () => reported,
        (paths) => paths.includes(path),
      ),
  };
}

const write = (path: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'text');
};

test('reports what appears in a folder', async () => {
  const folder = temporaryFolder();
  const { watcher, reports } = watching();
  watcher.follow([folder]);
  write(join(folder, 'new'));
  await reports(join(folder, 'new'));
});

test('of a file it reports the file and not its neighbours', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'settings.json');
  const { watcher, reported, reports } = watching();
  watcher.follow([file]);
  write(join(folder, 'neighbour'));
  write(file);
  await reports(file);
  expect(new Set(reported)).toEqual(new Set([file]));
});

test('a folder that does not exist is watched for from the nearest folder above, step by step', async () => {
  const base = temporaryFolder();
  const folder = join(base, 'docs', 'plans', '.signals');
  const { watcher, reported, reports } = watching();
  watcher.follow([folder]);
  write(join(base, 'neighbour'));
  mkdirSync(join(base, 'docs'));
  await reports(join(base, 'docs'));
  watcher.follow([folder]);
  mkdirSync(folder, { recursive: true });
  await reports(join(base, 'docs', 'plans'));
  watcher.follow([folder]);
  write(join(folder, 'signal'));
  await reports(join(folder, 'signal'));
  expect(reported).not.toContain(join(base, 'neighbour'));
});

test('a folder that two paths lead to is watched for both', async () => {
  const folder = temporaryFolder();
  const files = ['one', 'other'].map((name) => join(folder, name));
  const { watcher, reports } = watching();
  watcher.follow(files);
  for (const file of files) write(file);
  for (const file of files) await reports(file);
});

test('a folder that is removed is reported, and one made in its place is watched', async () => {
  const base = temporaryFolder();
  const folder = join(base, 'folder');
  mkdirSync(folder);
  const { watcher, reported, reports } = watching();
  watcher.follow([folder]);
  rmSync(folder, { recursive: true });
  await eventually(
    () => reported.length,
    (count) => count > 0,
  );
  mkdirSync(folder);
  watcher.follow([folder]);
  write(join(folder, 'new'));
  await reports(join(folder, 'new'));
});

test('reports whether everything was watched already', () => {
  const base = temporaryFolder();
  const [one, other] = [join(base, 'one'), join(base, 'other')];
  mkdirSync(one);
  const { watcher } = watching();
  expect([watcher.follow([one]), watcher.follow([one])]).toEqual([false, true]);
  expect([watcher.follow([one, other]), watcher.follow([one, other])]).toEqual([false, true]);
  mkdirSync(other);
  expect([watcher.follow([one, other]), watcher.follow([one, other])]).toEqual([false, true]);
  renameSync(other, join(base, 'elsewhere'));
  mkdirSync(other);
  expect([watcher.follow([one, other]), watcher.follow([one, other]), watcher.follow([other])]).toEqual([
    false,
    true,
    true,
  ]);
});

test('one more name in a watched folder has not been watched before', () => {
  const folder = temporaryFolder();
  const [one, other] = [join(folder, 'one'), join(folder, 'other')];
  const { watcher } = watching();
  watcher.follow([one]);
  expect([watcher.follow([one, other]), watcher.follow([other]), watcher.follow([one, other])]).toEqual([
    false,
    true,
    false,
  ]);
});
