// Sentinels as the inbox reads them. touch(1) creates a file and then sets its times; a sentinel taken between the two is one
// signal, not two.
import { closeSync, futimesSync, mkdirSync, openSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findRepo } from '../../../src/adapters/repo/repo.ts';
import { signalInbox } from '../../../src/adapters/signals/inbox.ts';
import { clock } from '../../../src/adapters/system/clock.ts';
import { disk } from '../../../src/adapters/system/disk.ts';
import { temporaryRepo } from '../../support/repo.ts';

test('a sentinel whose times are set while it is taken is removed', () => {
  const repo = temporaryRepo();
  mkdirSync(repo.signals, { recursive: true });
  const inbox = signalInbox(disk, findRepo(repo.root, repo.env), clock);
  const file = openSync(join(repo.signals, 'planner-finished-x.md'), 'w');
  try {
    const [seen] = inbox.scan(10).signals;
    if (seen === undefined) throw new Error('the sentinel was not seen');
    futimesSync(file, new Date(), new Date());
    inbox.remove(seen);
    expect(inbox.scan(10).signals).toEqual([]);
  } finally {
    closeSync(file);
  }
});

test('a sentinel carries the time of its creation, by which it is attributed to the session that held the worktree then', () => {
  const repo = temporaryRepo();
  mkdirSync(repo.signals, { recursive: true });
  const before = Date.now();
  const path = join(repo.signals, 'implement-finished-x.md');
  closeSync(openSync(path, 'w'));
  const after = Date.now();
  // Setting a file's times does not change when it was created.
  utimesSync(path, new Date(0), new Date(0));
  const [seen] = signalInbox(disk, findRepo(repo.root, repo.env), clock).scan(10).signals;
  if (seen?.event.kind !== 'signal') throw new Error('the sentinel was not seen');
  const made = Date.parse(seen.event.signal.made ?? '');
  // The clock of the file system is a few milliseconds behind.
  expect(made).toBeGreaterThanOrEqual(before - 20);
  expect(made).toBeLessThanOrEqual(after);
});
