// What is verified is the tree of a commit: its files are compared without trusting anything that an agent can write.
import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { failureOf } from '../../support/pieces.ts';
import { filesOf, RUN, type RunBench, runBench, work, write } from '../../support/run-bench.ts';

const BAD = { checked: 'bad!\n' };

/** The agent commits a bad file, and has a good one of the same size in the worktree. */
async function hiding(hide: (at: RunBench) => void): Promise<{ readonly at: RunBench; readonly pin: string }> {
  const at = runBench();
  await at.setUp();
  const pin = work(at, BAD);
  hide(at);
  return { at, pin };
}

const putGood = ({ path }: RunBench): void => writeFileSync(join(path, 'checked'), 'good\n');

const HIDING: Readonly<Record<string, (at: RunBench) => void>> = {
  'marked as skip-worktree': (at) => {
    at.git(at.path, 'update-index', '--skip-worktree', 'checked');
    putGood(at);
  },
  'marked as unchanged': (at) => {
    at.git(at.path, 'update-index', '--assume-unchanged', 'checked');
    putGood(at);
  },
  'with the times that the index has': (at) => {
    at.git(at.path, 'config', 'core.trustctime', 'false');
    at.git(at.path, 'config', 'core.checkStat', 'minimal');
    const time = new Date('2020-01-01');
    utimesSync(join(at.path, 'checked'), time, time);
    at.git(at.path, 'update-index', '--refresh');
    putGood(at);
    utimesSync(join(at.path, 'checked'), time, time);
  },
  'that a forged index takes for the committed one': (at) => {
    putGood(at);
    // A file that is older than the index is not read again.
    utimesSync(join(at.path, 'checked'), new Date('2020-01-01'), new Date('2020-01-01'));
    at.git(at.path, 'add', 'checked');
    const index = join(at.root, '.git', 'worktrees', 't1-a1', 'index');
    const [good = '', bad = ''] = [':checked', 'HEAD:checked'].map((name) => at.git(at.path, 'rev-parse', name).trim());
    const forged = readFileSync(index).subarray(0, -20);
    forged.set(Buffer.from(bad, 'hex'), forged.indexOf(Buffer.from(good, 'hex')));
    writeFileSync(index, Buffer.concat([forged, createHash('sha1').update(forged).digest()]));
  },
  'outside of a sparse checkout': (at) => {
    at.git(at.path, 'config', 'core.sparseCheckout', 'true');
    write(join(at.root, '.git', 'worktrees', 't1-a1'), 'info/sparse-checkout', '/*\n!checked\n');
    at.git(at.path, 'read-tree', '-m', '-u', 'HEAD');
  },
};

describe.each(Object.entries(HIDING))('a file %s', (_how, hide) => {
  test('looks clean to git, and is found', async () => {
    const { at, pin } = await hiding(hide);
    expect(at.git(at.path, 'status', '--porcelain')).toBe('');
    expect(await at.trees.differences(RUN, pin)).toEqual(['checked']);
  });

  test('is restored from the commit', async () => {
    const { at, pin } = await hiding(hide);
    expect(await at.trees.undo(RUN, pin)).toMatchObject({
      kind: 'undone',
      changed: expect.arrayContaining(['checked']),
    });
    expect(filesOf(at.path).get('checked')).toBe(BAD.checked);
    expect(await at.trees.differences(RUN, pin)).toEqual([]);
  });
});

describe('a difference is', () => {
  test.each<[string, (path: string) => void, readonly string[]]>([
    ['a changed file', (path) => write(path, 'tracked', 'two\n'), ['tracked']],
    ['a missing file', (path) => rmSync(join(path, 'tracked')), ['tracked']],
    ['a file that the commit does not have', (path) => write(path, 'new/file', 'x'), ['new/file']],
    ['a file that became executable', (path) => chmodSync(join(path, 'tracked'), 0o755), ['tracked']],
    [
      'a symbolic link in place of a file',
      (path) => {
        rmSync(join(path, 'tracked'));
        symlinkSync('deep/kept', join(path, 'tracked'));
      },
      ['tracked'],
    ],
  ])('%s', async (_what, change, found) => {
    const at = runBench();
    await at.setUp();
    const pin = work(at, { one: '1' });
    change(at.path);
    expect(await at.trees.differences(RUN, pin)).toEqual(found);
  });

  test('a mode or a symbolic link that an agent told git not to look at', async () => {
    const at = runBench();
    await at.setUp();
    symlinkSync('tracked', join(at.path, 'link'));
    const pin = work(at, { tool: 'true\n' });
    for (const setting of ['fileMode', 'symlinks']) at.git(at.path, 'config', `core.${setting}`, 'false');
    chmodSync(join(at.path, 'tool'), 0o755);
    rmSync(join(at.path, 'link'));
    writeFileSync(join(at.path, 'link'), 'tracked');
    expect(at.git(at.path, 'status', '--porcelain')).toBe('');
    expect(await at.trees.differences(RUN, pin)).toEqual(['link', 'tool']);
    expect(await at.trees.undo(RUN, pin)).toMatchObject({ kind: 'undone' });
    expect(await at.trees.differences(RUN, pin)).toEqual([]);
    expect(statSync(join(at.path, 'tool')).mode & 0o100).toBe(0);
    expect(lstatSync(join(at.path, 'link')).isSymbolicLink()).toBe(true);
  });

  test('a file that only looks committed because git expands words in it', async () => {
    const at = runBench();
    await at.setUp();
    const pin = work(at, { '.gitattributes': '*.js ident\n', 'a.js': '/*$Id$*/ bad();\n' });
    write(at.path, 'a.js', '/*$Id: */ good(); /*$*/ bad();\n');
    expect(await at.trees.differences(RUN, pin)).toEqual(['a.js']);
  });

  test('not an ignored file, and not one with the committed bytes that git would change in a commit', async () => {
    const at = runBench();
    at.git(at.root, 'config', 'core.autocrlf', 'false');
    write(at.root, 'lines', 'one\r\ntwo\r\n');
    at.git(at.root, 'add', '--all');
    write(at.root, '.gitattributes', '* text\n');
    at.git(at.root, 'add', '.gitattributes');
    at.git(at.root, 'commit', '-q', '-m', 'line ends');
    await at.setUp();
    const pin = at.commit('HEAD');
    write(at.path, 'ignored', 'built');
    expect(await at.trees.differences(RUN, pin)).toEqual([]);
    write(at.path, 'lines', 'one\r\n2\r\n');
    expect(await at.trees.differences(RUN, pin)).toEqual(['lines']);
    expect(await at.trees.undo(RUN, pin)).toMatchObject({ kind: 'undone' });
    expect(await at.trees.differences(RUN, pin)).toEqual([]);
  });
});

test('a commit whose object was exchanged cannot be restored, so it is not verified', async () => {
  const at = runBench();
  await at.setUp();
  const pin = work(at, BAD);
  const blob = at.commit(`${pin}:checked`);
  const other = at.git(at.root, 'hash-object', '-w', join(at.root, 'tracked')).trim();
  const file = (name: string): string => join(at.root, '.git', 'objects', name.slice(0, 2), name.slice(2));
  rmSync(file(blob));
  writeFileSync(file(blob), readFileSync(file(other)));
  rmSync(join(at.path, 'checked'));
  expect(await failureOf(() => at.trees.undo(RUN, pin))).toMatchObject({
    kind: 'person',
    code: 'not-restored',
    message: expect.stringContaining('checked'),
  });
});

test('nothing is left behind in the folder of the run', async () => {
  const at = runBench();
  await at.setUp();
  await at.trees.differences(RUN, at.commit('HEAD'));
  expect([...filesOf(join(at.runs, 'build-it', 't1-a1')).keys()]).toEqual(['link.json']);
});
