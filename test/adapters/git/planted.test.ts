// Programs that an agent plants in the repository's configuration, attributes and hooks: none of them runs in cadre's git.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { baseRef } from '../../../src/adapters/git/cadre-refs.ts';
import { openGit } from '../../../src/adapters/git/git.ts';
import { fetchBranch } from '../../../src/adapters/git/remote.ts';
import { REVIEW_TREE, type Tree, type TreeName } from '../../../src/core/model/run-name.ts';
import type { MergeRequest } from '../../../src/core/ports/merging.ts';
import { failureOf } from '../../support/pieces.ts';
import {
  ADHOC_BRANCH,
  BRANCH,
  GOOD,
  NOTHING_TO_SET_UP,
  PLACE,
  PLAN,
  PLAN_BRANCH,
  RUN,
  type RunBench,
  runBench,
  work,
  write,
} from '../../support/run-bench.ts';

const other: Tree = { plan: PLAN, name: 't2-a1' as TreeName };
const review: Tree = { plan: PLAN, name: REVIEW_TREE };

const CANARY = 'canary';
const sang = (at: RunBench): boolean => existsSync(join(at.base, CANARY));

/** Leaves the canary, and behaves like a filter that changes nothing. */
function planted(at: RunBench): string {
  const path = join(at.base, 'planted.sh');
  writeFileSync(path, `#!/bin/sh\ntouch ${join(at.base, CANARY)}\ncat\n`, { mode: 0o755 });
  return path;
}

function hookAt(path: string, program: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${program} </dev/null\n`, { mode: 0o755 });
}

interface Vector {
  readonly config?: (program: string) => Readonly<Record<string, string>>;
  /** Committed by the agent in .gitattributes. */
  readonly attributes?: string;
  readonly plant?: (at: RunBench, program: string) => void;
}

const HOOKS = [
  ...['pre-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit', 'post-checkout', 'post-merge', 'pre-push'],
  ...['post-index-change', 'reference-transaction', 'fsmonitor-watchman', 'post-rewrite', 'pre-merge-commit'],
];

const VECTORS: Readonly<Record<string, Vector>> = {
  hooks: {
    plant: ({ root }, program) => {
      for (const hook of HOOKS) hookAt(join(root, '.git', 'hooks', hook), program);
    },
  },
  'a folder of hooks': {
    config: () => ({ 'core.hooksPath': '.git/other-hooks' }),
    plant: ({ root }, program) => {
      for (const hook of HOOKS) hookAt(join(root, '.git', 'other-hooks', hook), program);
    },
  },
  'a file system monitor': { config: (program) => ({ 'core.fsmonitor': program }) },
  'a clean filter': { config: (program) => ({ 'filter.e.clean': program }), attributes: '* filter=e' },
  'a smudge filter': { config: (program) => ({ 'filter.e.smudge': program }), attributes: '* filter=e' },
  'a filter process': { config: (program) => ({ 'filter.e.process': program }), attributes: '* filter=e' },
  'a filter that is named in .git/info/attributes': {
    config: (program) => ({ 'filter.e.clean': program, 'filter.e.smudge': program }),
    plant: ({ root }) => write(root, '.git/info/attributes', '* filter=e\n'),
  },
  'a filter that is named in a file of attributes': {
    config: (program) => ({
      'filter.e.clean': program,
      'filter.e.smudge': program,
    }),
    plant: (at) => {
      write(at.base, 'attributes', '* filter=e\n');
      at.git(at.root, 'config', 'core.attributesFile', join(at.base, 'attributes'));
    },
  },
  'a merge driver': {
    config: (program) => ({ 'merge.e.driver': `${program} %A </dev/null` }),
    plant: ({ root }) => write(root, '.git/info/attributes', '* merge=e\n'),
    attributes: '* merge=e',
  },
  'a text conversion': { config: (program) => ({ 'diff.e.textconv': program }), attributes: '* diff=e' },
  'an external diff': {
    config: (program) => ({ 'diff.external': program, 'diff.e.command': program }),
    attributes: '* diff=e',
  },
  'an included file': {
    config: () => ({ 'include.path': 'more-config' }),
    plant: ({ root }, program) =>
      write(
        root,
        '.git/more-config',
        `[filter "e"]\n\tclean = ${program}\n\tsmudge = ${program}\n[core]\n\tfsmonitor = ${program}\n`,
      ),
    attributes: '* filter=e',
  },
  'a file that is included for this repository': {
    plant: (at, program) => {
      at.git(at.root, 'config', `includeIf.gitdir:${at.root}/.path`, 'more-config');
      write(at.root, '.git/more-config', `[filter "e"]\n\tclean = ${program}\n\tsmudge = ${program}\n`);
    },
    attributes: '* filter=e',
  },
  'a configuration of the worktree': {
    config: () => ({ 'extensions.worktreeConfig': 'true' }),
    plant: ({ root }, program) => {
      for (const folder of ['.git', '.git/worktrees/t1-a1'])
        write(root, `${folder}/config.worktree`, `[filter "e"]\n\tclean = ${program}\n\tsmudge = ${program}\n`);
    },
    attributes: '* filter=e',
  },
  'an editor, a pager, a signing program and aliases': {
    config: (program) => ({
      'core.editor': program,
      'sequence.editor': program,
      'core.pager': program,
      'pager.diff': program,
      'gpg.program': program,
      'commit.gpgSign': 'true',
      'alias.status': `!${program}`,
    }),
  },
  'a command that lists the refs of alternates': {
    config: (program) => ({ 'core.alternateRefsCommand': program }),
    plant: (at) => {
      at.git(at.base, 'clone', '-q', '--bare', at.root, 'alternate');
      write(at.root, '.git/objects/info/alternates', `${at.base}/alternate/objects\n`);
    },
  },
  'programs for the remote': {
    config: (program) => ({ 'remote.origin.uploadpack': program, 'remote.origin.receivepack': program }),
  },
};

describe('does not run', () => {
  for (const [what, vector] of Object.entries(VECTORS))
    test(what, async () => {
      const at = runBench();
      at.git(at.base, 'clone', '-q', '--bare', at.root, 'remote.git');
      at.git(at.root, 'remote', 'add', 'origin', join(at.base, 'remote.git'));
      await at.setUp();
      await at.setUp(other);
      const files = vector.attributes === undefined ? {} : { '.gitattributes': `${vector.attributes}\n` };
      work(at, { ...files, shared: 'one\ntwo\nthree\nfour\nfive\n' });
      const planner = planted(at);
      for (const [key, value] of Object.entries(vector.config?.(planner) ?? {})) at.git(at.root, 'config', key, value);
      vector.plant?.(at, planner);
      rmSync(join(at.base, CANARY), { force: true });
      await tour(at);
      expect(sang(at)).toBe(false);
    });
});

/** Everything that cadre does with git. A filter of the agent's own commit may make a step fail; it must not run. */
async function tour(at: RunBench): Promise<void> {
  const tolerate = async (step: () => Promise<unknown>): Promise<void> => {
    try {
      await step();
    } catch (error) {
      expect(error).toMatchObject({ name: 'Failure', code: 'local-filter' });
    }
  };
  const requestFor = async (run: Tree): Promise<MergeRequest> => {
    const [pin = '', tip] = [await at.trees.headOf(run), at.commit(PLAN_BRANCH)];
    return { run, base: 'main', message: 'feat: it', pin, tip };
  };
  write(at.path, 'new', 'x');
  write(at.path, 'tracked', 'changed\n');
  await at.trees.look(RUN);
  await tolerate(() => at.trees.commitFor(RUN, 'for an agent'));
  write(at.path, 'deep/kept', 'changed\n');
  await tolerate(() => at.trees.pin(RUN, 'a test'));
  await tolerate(async () => at.trees.undo(RUN, (await at.trees.headOf(RUN)) ?? ''));
  write(at.pathOf(other), 'tracked', 'another\n');
  await tolerate(() => at.trees.commitFor(other, 'for another agent'));
  await at.merging.merge(await requestFor(RUN), GOOD);
  // Both have changed a file, so its contents are merged.
  await at.merging.merge(await requestFor(other), GOOD);
  // The person commits with plumbing, which runs no hooks.
  const tree = at.git(at.root, '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', 'write-tree').trim();
  const commit = at.git(at.root, '-c', 'commit.gpgSign=false', 'commit-tree', tree, '-p', 'main', '-m', 'base').trim();
  at.git(at.root, '-c', 'core.hooksPath=/dev/null', 'update-ref', 'refs/heads/main', commit);
  const base = await at.trees.baseOf(PLAN, 'main');
  await at.merging.syncBase({ plan: PLAN, tip: at.commit(PLAN_BRANCH), base, message: 'sync' }, GOOD);
  const tip = at.commit(PLAN_BRANCH);
  await at.merging.canLand(tip, base);
  await tolerate(() => at.merging.land({ tip, base: 'main', message: 'land' }));
  // Fetches and pushes. The plan branch has all of it, so there is nothing to merge on the remote.
  await at.merging.offer(await requestFor(other), GOOD);
  await tolerate(() => at.trees.detach(review, at.commit(PLAN_BRANCH), NOTHING_TO_SET_UP));
  await tolerate(() => at.trees.remove(RUN));
  await tolerate(() => at.trees.restore(RUN));
  await tolerate(async () => {
    await at.adhoc.ensure(PLACE, ADHOC_BRANCH, at.commit(PLAN_BRANCH));
    write(at.adhocPath, 'tracked', 'by a session\n');
    await at.adhoc.release(PLACE, ADHOC_BRANCH, 'cadre: paused');
  });
}

describe('for a remote', () => {
  const SSH = { 'core.sshCommand': 'sh PLANTED', 'core.gitProxy': 'PLANTED', 'credential.helper': '!PLANTED' };

  /** A remote that wants a password. */
  async function locked(): Promise<string> {
    const server = createServer((_request, response) => {
      response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="x"' }).end();
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    onTestFinished(() => void server.close());
    const address = server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/thing.git`;
  }

  for (const kind of ['ssh', 'git', 'http'])
    test(`no ssh command, proxy or credential helper of the repository runs (${kind})`, async () => {
      const at = runBench();
      const program = planted(at);
      for (const [key, value] of Object.entries(SSH)) at.git(at.root, 'config', key, value.replace('PLANTED', program));
      const url = kind === 'http' ? await locked() : `${kind}://127.0.0.1:1/thing.git`;
      at.git(at.root, 'remote', 'add', 'origin', url);
      expect(await failureOf(() => fetchBranch({ git: openGit(at.places), root: at.root }, 'main'))).toMatchObject({
        code: 'not-fetched',
      });
      expect(sang(at)).toBe(false);
    });

  test('a credential helper of the person’s global configuration runs', async () => {
    const at = runBench();
    at.git(at.root, 'config', '--global', 'credential.helper', `!${planted(at)}`);
    at.git(at.root, 'remote', 'add', 'origin', await locked());
    await failureOf(() => fetchBranch({ git: openGit(at.places), root: at.root }, 'main'));
    expect(sang(at)).toBe(true);
  });
});

describe('does not count:', () => {
  test('a graft, which makes history look other than it is', async () => {
    const at = runBench();
    await at.setUp();
    const pin = work(at, { one: '1' });
    write(at.root, '.git/info/grafts', `${pin}\n`);
    expect(await at.trees.look(RUN)).toMatchObject({ kind: 'present', commits: 1 });
    const request = { run: RUN, base: 'main', message: 'feat: it', pin };
    expect(await at.merging.merge({ ...request, tip: at.commit(PLAN_BRANCH) }, GOOD)).toMatchObject({ kind: 'merged' });
  });

  test('the forged end of a shallow history', async () => {
    const at = runBench();
    await at.setUp();
    const pin = work(at, { one: '1' });
    write(at.root, '.git/shallow', `${pin}\n`);
    const request = { run: RUN, base: 'main', message: 'feat: it', pin };
    expect(await at.merging.merge({ ...request, tip: at.commit('main') }, GOOD)).toMatchObject({ kind: 'merged' });
  });

  test('a filter that only the repository defines: a checkout that needs it fails, and says so', async () => {
    const at = runBench();
    write(at.root, '.gitattributes', '*.bin filter=large\n');
    write(at.root, 'a.bin', 'x');
    at.git(at.root, 'add', '--all');
    at.git(at.root, 'commit', '-q', '-m', 'large files');
    at.git(at.root, 'config', 'filter.large.smudge', planted(at));
    expect(await failureOf(() => at.setUp())).toMatchObject({
      kind: 'person',
      code: 'local-filter',
      message: expect.stringContaining('a.bin needs the filter "large"'),
    });
    at.git(at.root, 'config', '--unset', 'filter.large.smudge');
    at.git(at.root, 'config', '--global', 'filter.large.smudge', planted(at));
    expect(await at.setUp()).toMatchObject({ kind: 'ready' });
    expect(sang(at)).toBe(true);
  });

  test('a setting by which git confuses names that are different on the disk', async () => {
    const at = runBench();
    // Otherwise the setting is right.
    if (existsSync(join(at.root, '.GIT'))) return;
    await at.setUp();
    const head = work(at, { 'Checked.txt': 'bad' });
    at.git(at.root, 'config', 'core.ignoreCase', 'true');
    write(at.path, 'checked.txt', 'good');
    expect(at.git(at.path, 'status', '--porcelain')).toBe('');
    expect(await at.trees.differences(RUN, head)).toEqual(['checked.txt']);
    expect(await at.trees.undo(RUN, head)).toMatchObject({ kind: 'undone', changed: ['checked.txt'] });
    expect(existsSync(join(at.path, 'checked.txt'))).toBe(false);
    const [pin] = await at.trees.pins(RUN);
    expect(at.git(at.root, 'show', `${pin?.ref}:checked.txt`)).toBe('good');
    expect(at.git(at.root, 'show', `${pin?.ref}:Checked.txt`)).toBe('bad');
  });

  describe('a branch that an agent has prepared for a later run', () => {
    const first = { ...NOTHING_TO_SET_UP, isFirst: true };
    const ref = `refs/heads/${BRANCH}`;

    async function prepared(...refs: readonly string[]) {
      const at = runBench();
      const tip = await at.planBranch();
      const blob = at.git(at.root, 'rev-parse', 'main:tracked').trim();
      at.git(at.root, 'update-index', '--add', '--cacheinfo', `100644,${blob},evil`);
      const evil = at.git(at.root, 'commit-tree', at.git(at.root, 'write-tree').trim(), '-p', tip, '-m', 'evil').trim();
      for (const one of refs) at.git(at.root, 'update-ref', one, evil);
      return { at, tip, evil };
    }

    test.each([[[ref, baseRef(RUN)]], [[ref]], [[baseRef(RUN)]]])(
      '(%s): the run starts from the plan branch',
      async (refs) => {
        const { at, tip, evil } = await prepared(...refs);
        const setup = await at.trees.setUp(RUN, tip, first);
        expect(setup).toMatchObject({ kind: 'ready', base: tip });
        expect([at.commit(ref), at.commit(baseRef(RUN)), existsSync(join(at.path, 'evil'))]).toEqual([tip, tip, false]);
        const kept = (await at.trees.pins(RUN)).map(({ commit }) => commit);
        expect(kept).toEqual(refs.includes(ref) ? [evil] : []);
        if (refs.includes(ref)) expect(setup).toMatchObject({ notes: [expect.stringContaining(BRANCH)] });
        expect(await at.trees.look(RUN)).toMatchObject({ head: tip, branch: BRANCH, commits: 0, dirtyCount: 0 });
      },
    );

    test('is not confused with the branch of a setup that was cut off, also if the plan branch has moved since', async () => {
      const { at, tip } = await prepared();
      await at.trees.setUp(RUN, tip, first);
      const later = at.git(at.root, 'commit-tree', `${tip}^{tree}`, '-p', tip, '-m', 'later').trim();
      at.git(at.root, 'update-ref', `refs/heads/${PLAN_BRANCH}`, later);
      expect(await at.trees.setUp(RUN, later, first)).toMatchObject({ kind: 'ready', base: tip, notes: [] });
      expect(await at.trees.pins(RUN)).toEqual([]);
    });
  });

  test('an index that an agent has damaged does not end the engine', async () => {
    const at = runBench();
    await at.setUp();
    writeFileSync(join(at.root, '.git', 'worktrees', 't1-a1', 'index'), 'garbage');
    expect(await at.trees.look(RUN)).toMatchObject({ kind: 'gone', why: expect.stringContaining('cannot be read') });
  });
});
