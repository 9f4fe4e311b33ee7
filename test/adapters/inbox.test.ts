// touch(1) makes a file and then sets its times: what the engine took between the two is one signal, not two.
import { closeSync, futimesSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clock } from '../../src/adapters/clock.ts';
import { disk } from '../../src/adapters/disk.ts';
import { signalInbox } from '../../src/adapters/inbox.ts';
import { findRepo } from '../../src/adapters/repo.ts';
import { temporaryRepo } from '../support/repo.ts';

test('a sentinel whose times are set while it is being taken is gone afterwards', () => {
  const repo = temporaryRepo();
  mkdirSync(repo.signals, { recursive: true });
  const inbox = signalInbox(disk, findRepo(repo.root, repo.env), clock);
  const file = openSync(join(repo.signals, 'planner-finished-x.md'), 'w');
  try {
    const [seen] = inbox.scan(10).seen;
    if (seen === undefined) throw new Error('the sentinel was not seen');
    futimesSync(file, new Date(), new Date());
    inbox.remove(seen);
    expect(inbox.scan(10).seen).toEqual([]);
  } finally {
    closeSync(file);
  }
});
