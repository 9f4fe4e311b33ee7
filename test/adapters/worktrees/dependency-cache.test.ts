// Dependencies of worktrees: installed once for each lock file, copied from then on, never shared.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { TreeName } from '../../../src/core/model/run-name.ts';
import { temporaryFolder } from '../../support/pieces.ts';
import { PLAN, RUN, type RunBench, runBench } from '../../support/run-bench.ts';

const SECOND = { plan: PLAN, name: 't2-a1' as TreeName };
const THIRD = { plan: PLAN, name: 't3-a1' as TreeName };
const NPM_CI = { setup: ['npm', 'ci'], patience: 60_000 };

/** A repository with a lock file, and an npm that notes its calls. */
function project(manifest: object): { at: RunBench; calls: () => number } {
  const bin = temporaryFolder();
  const log = join(bin, 'calls');
  const script = `#!/bin/sh\necho "$@" >> ${log}\nmkdir -p node_modules/.bin\necho one > node_modules/file\nln -s ../file node_modules/.bin/tool\n`;
  writeFileSync(join(bin, 'npm'), script);
  chmodSync(join(bin, 'npm'), 0o755);
  const at = runBench({ env: { PATH: `${bin}:${process.env.PATH}` } });
  change(at, 'package.json', JSON.stringify(manifest));
  change(at, 'package-lock.json', '{"lockfileVersion":3}');
  return { at, calls: () => (existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n').length : 0) };
}

function change(at: RunBench, name: string, text: string): void {
  writeFileSync(join(at.root, name), text);
  at.git(at.root, 'add', name);
  at.git(at.root, '-c', 'maintenance.auto=false', 'commit', '-q', '-m', name);
}

const PLAIN = { dependencies: { a: '1.0.0' } };

describe('a worktree with the same lock file', () => {
  test('gets a copy, and what is changed in one does not reach the other', async () => {
    const { at, calls } = project(PLAIN);
    const tip = at.commit('main');
    await at.trees.setUp(RUN, tip, NPM_CI);
    expect(await at.trees.setUp(SECOND, tip, NPM_CI)).toMatchObject({ kind: 'ready', notes: [] });
    expect(calls()).toBe(1);
    const [one, other] = [at.pathOf(RUN), at.pathOf(SECOND)].map((path) => join(path, 'node_modules'));
    expect(readFileSync(join(`${other}`, '.bin', 'tool'), 'utf8')).toBe('one\n');
    writeFileSync(join(`${other}`, 'file'), 'changed\n');
    expect(readFileSync(join(`${one}`, 'file'), 'utf8')).toBe('one\n');
    await at.trees.setUp(THIRD, tip, NPM_CI);
    expect(readFileSync(join(at.pathOf(THIRD), 'node_modules', 'file'), 'utf8')).toBe('one\n');
  });

  test('waits for the one that is installing', async () => {
    const { at, calls } = project(PLAIN);
    const tip = at.commit('main');
    const all = await Promise.all([RUN, SECOND, THIRD].map((tree) => at.trees.setUp(tree, tip, NPM_CI)));
    expect(all.map(({ kind }) => kind)).toEqual(['ready', 'ready', 'ready']);
    expect(calls()).toBe(1);
  });

  test('at another commit is ready as it is', async () => {
    const { at, calls } = project(PLAIN);
    await at.trees.detach(RUN, at.commit('main'), NPM_CI);
    change(at, 'tracked', 'two\n');
    const installed = join(at.pathOf(RUN), 'node_modules', 'added');
    writeFileSync(installed, '');
    await at.trees.detach(RUN, at.commit('main'), NPM_CI);
    expect(calls()).toBe(1);
    expect(existsSync(installed)).toBe(true);
  });
});

describe('the command runs again', () => {
  test('with another lock file', async () => {
    const { at, calls } = project(PLAIN);
    await at.trees.detach(RUN, at.commit('main'), NPM_CI);
    change(at, 'package-lock.json', '{"lockfileVersion":2}');
    await at.trees.detach(RUN, at.commit('main'), NPM_CI);
    expect(calls()).toBe(2);
  });

  test.each<[string, object]>([
    ['a script of the project runs after it', { ...PLAIN, scripts: { postinstall: 'make' } }],
    ['the project has workspaces', { ...PLAIN, workspaces: ['a'] }],
    ['a dependency is a folder of the project', { dependencies: { a: 'file:a' } }],
  ])('where %s', async (_why, manifest) => {
    const { at, calls } = project(manifest);
    for (const tree of [RUN, SECOND]) await at.trees.setUp(tree, at.commit('main'), NPM_CI);
    expect(calls()).toBe(2);
  });

  test('where a copy was interrupted', async () => {
    const { at, calls } = project(PLAIN);
    await at.trees.setUp(RUN, at.commit('main'), NPM_CI);
    const partial = join(at.pathOf(SECOND), 'node_modules');
    await at.trees.setUp(SECOND, at.commit('main'), { ...NPM_CI, setup: [] });
    mkdirSync(partial);
    writeFileSync(join(partial, 'half'), '');
    await at.trees.setUp(SECOND, at.commit('main'), NPM_CI);
    expect(existsSync(join(partial, 'half'))).toBe(false);
    expect(existsSync(join(partial, 'file'))).toBe(true);
    expect(calls()).toBe(1);
  });
});

test('an installed folder that git does not ignore is ignored in this clone, and a note says so', async () => {
  const at = runBench();
  const setup = { setup: ['sh', '-c', 'mkdir .venv && touch .venv/file'], patience: 60_000 };
  const answer = await at.trees.setUp(RUN, await at.planBranch(), setup);
  expect(answer).toMatchObject({
    kind: 'ready',
    notes: ['.venv/ is not in .gitignore. cadre has added it to .git/info/exclude; add it to .gitignore.'],
  });
  expect(at.git(at.path, 'status', '--porcelain')).toBe('');
});
