// The heartbeat of an engine: when it last said that it is awake, for every process of the repository.
import { mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fileHeartbeat } from '../../../src/adapters/system/heartbeat.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'cadre-beat-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test('a beat is seen by other processes, to the millisecond', () => {
  const path = join(folder(), 'engine.beat');
  const [one, other] = [fileHeartbeat(path), fileHeartbeat(path)];
  expect(other.last()).toBeUndefined();
  for (const at of [new Date(1_700_000_000_123), new Date(1_700_000_060_987), new Date(1_600_000_000_001)]) {
    one.beat(at);
    expect(other.last()).toBe(at.getTime());
  }
});

test('one that was deleted is there again after the next beat; a folder that is missing stops nothing', () => {
  const base = folder();
  const path = join(base, 'engine.beat');
  const heartbeat = fileHeartbeat(path);
  heartbeat.beat(new Date(5_000));
  rmSync(path);
  expect(heartbeat.last()).toBeUndefined();
  heartbeat.beat(new Date(6_000));
  expect(heartbeat.last()).toBe(6_000);
  const lost = fileHeartbeat(join(base, 'missing', 'engine.beat'));
  lost.beat(new Date(7_000));
  expect(lost.last()).toBeUndefined();
});

test('a time that another program set counts like any other', () => {
  const path = join(folder(), 'engine.beat');
  const heartbeat = fileHeartbeat(path);
  heartbeat.beat(new Date(5_000));
  utimesSync(path, 9, 9);
  expect(heartbeat.last()).toBe(9_000);
});

test('a complaint is seen by other processes until it is withdrawn, and does not count as a beat', () => {
  const path = join(folder(), 'engine.beat');
  const [one, other] = [fileHeartbeat(path), fileHeartbeat(path)];
  one.complain('There is no engine yet.');
  expect([other.complaint(), other.last()]).toEqual([undefined, undefined]);
  one.beat(new Date(5_000));
  one.complain('git cannot read it.');
  expect([other.complaint(), other.last()]).toEqual(['git cannot read it.', 5_000]);
  one.beat(new Date(6_000));
  one.complain(undefined);
  expect([other.complaint(), other.last()]).toEqual([undefined, 6_000]);
});
