// The real path of a folder, also of one that does not exist or disappears at that moment.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { realPath } from '../../../src/adapters/git/real-path.ts';

function temporary(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cadre-real-path-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('a folder that does not exist has the real path of the nearest one that does', () => {
  const folder = temporary();
  mkdirSync(join(folder, 'real'));
  symlinkSync(join(folder, 'real'), join(folder, 'link'));
  expect(realPath(join(folder, 'link'))).toBe(join(folder, 'real'));
  expect(realPath(join(folder, 'link', 'gone', 'deeper'))).toBe(join(folder, 'real', 'gone', 'deeper'));
});

test('a folder may disappear at any moment', async () => {
  const folder = join(temporary(), 'comes-and-goes');
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(COMES_AND_GOES, { eval: true, workerData: { folder, stop } });
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  await new Promise((resolve) => worker.once('message', resolve));
  try {
    for (let time = 0; time < 50_000; time += 1) expect(realPath(folder)).toBe(folder);
  } finally {
    Atomics.store(stop, 0, 1);
    await ended;
  }
});

/** Creates and removes the folder until `stop` is set. */
const COMES_AND_GOES = `
  const { mkdirSync, rmdirSync } = require('node:fs');
  const { parentPort, workerData: { folder, stop } } = require('node:worker_threads');
  parentPort.postMessage('running');
  while (Atomics.load(stop, 0) === 0) { mkdirSync(folder); rmdirSync(folder); }
`;
