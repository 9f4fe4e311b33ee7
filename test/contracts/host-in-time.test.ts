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
import { shortestTime, timeOf } from '../support/in-time.ts';
import { needing } from '../support/needs.ts';
import { contentsOf } from '../support/pieces.ts';
import { eventually } from '../support/repo.ts';

needing('tmux', () => describe('tmux', () => promises(tmuxBench)));
describe('plain processes', () => promises(processBench));

function promises(makeBench: () => Bench): void {
  test('a polite program makes room for the next within a second', async () => {
    const bench = makeBench();
    const host = bench.open();
    const took = await shortestTime(1_000, async (number) => {
      const [polite, next] = [`a${number}`, `b${number}`];
      await host.start(inPlace('p', launchOf(bench, polite, 'polite.mjs', join(bench.work, polite))));
      const pid = Number(await written(join(bench.work, polite)));
      const time = await timeOf(() => host.start(inPlace('p', inSh(bench, next, 'read line'))));
      expect(isLive(pid)).toBe(false);
      expect((await host.list()).map(({ session, place, life }) => [session, place, life.kind])).toEqual([
        [next, 'p', 'running'],
      ]);
      return time;
    });
    expect(took).toBeLessThan(1_000);
  });

  test('a program that ignores SIGTERM is killed with every process it started, and no file is touched', async () => {
    const bench = makeBench();
    const host = bench.open();
    for (const file of ['uncommitted', 'half done.ts']) writeFileSync(join(bench.work, file), `${file}\r\n\0`);
    const before = contentsOf(bench.work);
    const took = await shortestTime(LONGEST_STOP, async (number) => {
      const [stubborn, next] = [`a${number}`, `b${number}`];
      const report = join(bench.sessions, `${stubborn}-pids`);
      await host.start(inPlace('p', launchOf(bench, stubborn, 'stubborn.mjs', report)));
      const pids = (await written(report, (text) => text.split('\n').length === 4)).trim().split('\n').map(Number);
      expect(pids.map(isLive)).toEqual([true, true, true]);
      const time = await timeOf(() => host.start(inPlace('p', inSh(bench, next, 'cd /; read line'))));
      expect(pids.map(isLive)).toEqual([false, false, false]);
      expect(processesWith(`CADRE_SESSION_FOLDER=${join(bench.sessions, stubborn)}`)).toEqual([]);
      return time;
    });
    expect(took).toBeGreaterThanOrEqual(STOP_PATIENCE);
    expect(took).toBeLessThan(LONGEST_STOP);
    await eventually(
      () => livePids().filter((pid) => cwdOf(pid) === bench.work),
      (left) => left.length === 0,
    );
    expect(contentsOf(bench.work)).toEqual(before);
  });
}

const LONGEST_STOP = STOP_PATIENCE + 2_000;
