// Does one thing to a worktree in a process that a test kills. Usage: node run-steps.mjs <base> <what> [words...]
import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { disk } from '../../../src/adapters/system/disk.ts';
import { stepThatFails } from '../../../src/adapters/system/failpoints.ts';
import { fileLocks } from '../../../src/adapters/system/lock.ts';
import { adhocWorktrees } from '../../../src/adapters/worktrees/adhoc-worktrees.ts';
import { merging } from '../../../src/adapters/worktrees/merging.ts';
import { runWorktrees } from '../../../src/adapters/worktrees/run-worktrees.ts';
import { treeContext } from '../../../src/adapters/worktrees/tree-context.ts';
import { Failure } from '../../../src/core/model/failure.ts';
import { ownPlaceOf, sessionIdFor } from '../../../src/core/model/ids.ts';
import type { Tree, TreeName } from '../../../src/core/model/run-name.ts';
import type { PlanFile } from '../../../src/plan/name.ts';

const [, , base = '', what = '', ...words] = process.argv;
const root = join(base, 'repo');
const places = {
  root,
  gitFolder: join(root, '.git'),
  worktrees: join(base, 'state', 'worktrees'),
  runs: join(base, 'state', 'runs'),
  env: process.env,
  home: join(base, 'home'),
  disk,
  locks: fileLocks({ command: 'a test' }),
  reached: stepThatFails(process.env.CADRE_FAILPOINT ?? ''),
};
const plan = 'build-it.md' as PlanFile;
const run: Tree = { plan, name: 't1-a1' as TreeName };
const context = treeContext(places);
const trees = runWorktrees(context);
const adhoc = adhocWorktrees(context);
const place = ownPlaceOf(sessionIdFor(1));
const BRANCH = 'cadre/adhoc/work-s1';
const setup = ['sh', '-c', 'echo once >> ignored-setup'];

const THINGS: Readonly<Record<string, () => Promise<unknown>>> = {
  async 'set-up'() {
    const { branch } = await trees.planBranch(plan, undefined);
    return trees.setUp(run, branch, { setup, patience: 60_000 });
  },
  undo: () => trees.undo(run, words[0] ?? ''),
  keep: () => trees.pin(run, 'a test'),
  remove: () => trees.remove(run),
  restore: () => trees.restore(run),
  ensure: async () => ({ kind: 'ensured', path: await adhoc.ensure(place, BRANCH, words[0] ?? '') }),
  async release() {
    await adhoc.release(place, BRANCH, 'cadre: paused');
    return { kind: 'released' };
  },
  renew: () => trees.renewBranch(plan, 1),
  merge() {
    const [pin = '', tip = ''] = words;
    const request = { run, planBranch: 'plan/build-it', base: 'main', pin, tip, message: 'feat: it' };
    return merging(places).merge(request, async () => ({ kind: 'passed' }));
  },
};

try {
  writeSync(1, JSON.stringify(await THINGS[what]?.()));
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  writeSync(1, JSON.stringify({ kind: 'failure', code: error.code, why: error.message }));
}
