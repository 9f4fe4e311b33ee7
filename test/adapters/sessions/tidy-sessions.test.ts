// Cleanup of the files of old sessions.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tidySessions } from '../../../src/adapters/sessions/session-folders.ts';
import type { SessionId } from '../../../src/core/model/ids.ts';
import { temporaryFolder } from '../../support/pieces.ts';

test('removes only stopped sessions that are no longer known', () => {
  const folder = temporaryFolder();
  for (const session of ['s1', 's2', 's3']) mkdirSync(join(folder, session, 'agent'), { recursive: true });
  for (const session of ['s1', 's2']) writeFileSync(join(folder, session, 'stopped'), '');
  writeFileSync(join(folder, 'tmux.lock'), '');
  expect(tidySessions(folder, new Set(['s2' as SessionId]))).toEqual(['s1']);
  expect(['s1', 's2', 's3', 'tmux.lock'].map((name) => existsSync(join(folder, name)))).toEqual([
    false,
    true,
    true,
    true,
  ]);
  expect(tidySessions(join(folder, 'nowhere'), new Set())).toEqual([]);
});
