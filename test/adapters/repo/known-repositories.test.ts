// The repositories of this machine, as state.json and what was announced say.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { knownRepositories } from '../../../src/adapters/repo/known-repositories.ts';
import { repoName } from '../../../src/adapters/repo/repo.ts';
import { temporaryFolder } from '../../support/pieces.ts';

function homeWith(document: unknown): { readonly home: string; readonly root: string } {
  const home = temporaryFolder();
  const root = join(home, 'blog');
  mkdirSync(join(home, 'repos', repoName(root)), { recursive: true });
  mkdirSync(root);
  const text = typeof document === 'function' ? JSON.stringify(document(root)) : String(document);
  writeFileSync(join(home, 'state.json'), text);
  return { home, root };
}

test('counts tasks and what waits for a person; a repository that is gone is left out', () => {
  const { home, root } = homeWith((folder: string) => ({
    plans: {
      [`${folder}/docs/plans/a.md`]: { tasks: { 1: { phase: 'done' }, 2: { phase: 'verifying' } } },
      [`${folder}/docs/plans/b.md`]: { tasks: { 1: { phase: 'planned' } } },
      '/nowhere/at/all/docs/plans/a.md': { tasks: { 1: { phase: 'done' } } },
      'not a path': 7,
    },
  }));
  const announced = join(home, 'repos', repoName(root), 'announced.json');
  writeFileSync(announced, JSON.stringify(['a.md#2 question 5', 'b.md land 9', 'c.md done 12']));
  expect(knownRepositories(home).repositories()).toEqual([{ root, tasks: { done: 1, of: 3 }, active: 1, needs: 2 }]);
});

test.each(['', '{', '[]', '{"plans": 3}', '{"plans": {"/x/docs/plans/a.md": null}}'])(
  'a file that says %j is no reason to fail',
  (text) => {
    expect(knownRepositories(homeWith(text).home).repositories()).toEqual([]);
  },
);

test('without any file there are none', () => {
  expect(knownRepositories('/nowhere/at/all').repositories()).toEqual([]);
});
