// Does one thing to a worktree in a process that a test kills. Usage: node run-steps.mjs <base> <what> [words...]
import { existsSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { pullRequests } from '../../../src/adapters/git/pull-requests.ts';
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
import type { Intend } from '../../../src/core/ports/merging.ts';
import type { PlanFile } from '../../../src/plan/name.ts';

const [, , base = '', what = '', ...words] = process.argv;
const root = join(base, 'repo');
const places = {
  root,
  gitFolder: join(root, '.git'),
  worktrees: join(base, 'state', 'worktrees'),
  runs: join(base, 'state', 'runs'),
  ownGit: join(base, 'state', 'git'),
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
const merges = merging({ ...context, pulls: pullRequests({ ...places, git: context.git }) });
const PLAN_BRANCH = 'plan/build-it';
const INTENT = join(base, 'intent.json');
const setup = ['sh', '-c', 'echo once >> ignored-setup'];

const THINGS: Readonly<Record<string, () => Promise<unknown>>> = {
  async 'set-up'() {
    const { commit: to } = await trees.baseOf(plan, undefined);
    await merges.finish({ plan, branch: PLAN_BRANCH, from: null, to });
    return trees.setUp(run, to, { setup, patience: 60_000 });
  },
  import: () => context.imports.finish(trees.pathOf(run)),
  undo: () => trees.undo(run, words[0] ?? ''),
  keep: () => trees.pin(run, 'a test'),
  relink: async () => ({ kind: 'relinked', ...(await trees.relink(run)) }),
  remove: () => trees.remove(run),
  restore: () => trees.restore(run),
  ensure: async () => ({ kind: 'ensured', path: await adhoc.ensure(place, BRANCH, words[0] ?? '') }),
  async release() {
    await adhoc.release(place, BRANCH, 'cadre: paused');
    return { kind: 'released' };
  },
  renew: () => trees.renewBranch(plan, 1),
  set() {
    const [found = '', to = ''] = words;
    return merges.setBranch({ plan, from: found, to, keep: found });
  },
  merge() {
    const [pin = '', tip = ''] = words;
    const intended = existsSync(INTENT) ? JSON.parse(readFileSync(INTENT, 'utf8')) : undefined;
    if (intended !== undefined) return merges.finish({ plan, branch: PLAN_BRANCH, ...intended });
    const request = { run, base: 'main', pin, tip, message: 'feat: it' };
    return merges.merge(request, async () => ({ kind: 'passed' }), intend);
  },
};

/** Takes the place of the journal. */
const intend: Intend = async (step) => {
  writeFileSync(INTENT, JSON.stringify(step));
  return true;
};

try {
  writeSync(1, JSON.stringify(await THINGS[what]?.()));
} catch (error) {
  if (!(error instanceof Failure)) throw error;
  writeSync(1, JSON.stringify({ kind: 'failure', code: error.code, why: error.message }));
}
