// What the port Host promises about time; runs alone. The rest of the contract is in host.test.ts.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { STOP_PATIENCE } from '../../src/core/ports/host.ts';
import {
  type Bench,
  cwdOf,
  inPlace,
  inSh,
  isLive,
  launchOf,
  livePids,
  processBench,
  processesWith,
  tmuxBench,
  written,
} from '../support/hosts.ts';
import { needing } from '../support/needs.ts';
import { contentsOf } from '../support/pieces.ts';
import { eventually } from '../support/repo.ts';

needing('tmux', () => describe('tmux', () => promises(tmuxBench)));
describe('plain processes', () => promises(processBench));

function promises(makeBench: () => Bench): void {
  test('a polite program makes room for the next within a second', async () => {
    const bench = makeBench();
    const host = bench.open();
    await host.start(inPlace('p', launchOf(bench, 'a', 'polite.mjs', join(bench.work, 'report'))));
    const pid = Number(await written(join(bench.work, 'report')));
    expect(await timeOf(() => host.start(inPlace('p', inSh(bench, 'b', 'read line'))))).toBeLessThan(1_000);
    expect(isLive(pid)).toBe(false);
    expect((await host.list()).map(({ session, place, life }) => [session, place, life.kind])).toEqual([
      ['b', 'p', 'running'],
    ]);
  });

  test('a program that ignores SIGTERM is killed with every process it started, and no file is touched', async () => {
    const bench = makeBench();
    const host = bench.open();
    const report = join(bench.sessions, 'stubborn-pids');
    for (const file of ['uncommitted', 'half done.ts']) writeFileSync(join(bench.work, file), `${file}\r\n\0`);
    const before = contentsOf(bench.work);
    await host.start(inPlace('p', launchOf(bench, 'a', 'stubborn.mjs', report)));
    const pids = (await written(report, (text) => text.split('\n').length === 4)).trim().split('\n').map(Number);
    expect(pids.map(isLive)).toEqual([true, true, true]);
    const took = await timeOf(() => host.start(inPlace('p', inSh(bench, 'b', 'cd /; read line'))));
    expect(took).toBeGreaterThanOrEqual(STOP_PATIENCE);
    expect(took).toBeLessThan(STOP_PATIENCE + 2_000);
    expect(pids.map(isLive)).toEqual([false, false, false]);
    expect(processesWith(`CADRE_SESSION_FOLDER=${join(bench.sessions, 'a')}`)).toEqual([]);
    await eventually(
      () => livePids().filter((pid) => cwdOf(pid) === bench.work),
      (left) => left.length === 0,
    );
    expect(contentsOf(bench.work)).toEqual(before);
  });
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
