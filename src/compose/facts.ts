// The facts that rules need about worktrees and branches, seen right before they decide.
import { planText } from '../adapters/plans/plan-files.ts';
import type { Facts } from '../app/ports.ts';
import type { SessionId } from '../core/model/ids.ts';
import { treeOfBranch } from '../core/model/run-name.ts';
import { branchEvents, landingFacts, linkEvents, withFacts, worktreeFacts } from '../engine/observe.ts';
import type { PlanFile } from '../plan/name.ts';
import type { Base } from './base.ts';
import type { EngineParts } from './engine.ts';

export function observedFacts({ repo, env, disk, locks }: Base, engine: () => Promise<EngineParts>): Facts {
  const texts = { planText: (plan: PlanFile) => planText(disk, `${repo.plans}/${plan}`) };
  return {
    async forSignal(world, signal) {
      const session = world.sessions.get(signal.by.session as SessionId);
      if (session?.reviews === true) {
        const { runs, baseBranch } = await engine();
        return withFacts({ ...runs, ...texts, settings: { baseBranch: baseBranch() } }, world, signal);
      }
      if (session?.attempt === undefined && session?.plans !== true) return signal;
      // The settings do not matter here, and reading them would keep the agent waiting.
      const { openRuns } = await import('../adapters/worktrees/open-runs.ts');
      const runs = { ...openRuns({ repo, env, disk, locks }), ...texts, settings: { baseBranch: undefined } };
      return withFacts(runs, world, signal);
    },
    ofWorktree: async (plan, { branch }, task) =>
      worktreeFacts((await engine()).runs.trees, treeOfBranch(plan, branch), task),
    async ofBranches(entry) {
      const { runs, baseBranch } = await engine();
      return branchEvents({ ...runs, settings: { baseBranch: baseBranch() } }, entry);
    },
    ofLinks: async (entry) => linkEvents((await engine()).runs, { plans: new Map([[entry.plan, entry]]) }),
    async lostWork({ tasks }, commit) {
      const { merging } = (await engine()).runs;
      const merged = tasks.flatMap(({ id, run }) => (run?.merged === undefined ? [] : [{ id, merge: run.merged }]));
      const found = await Promise.all(merged.map(({ merge }) => merging.hasChangesOf(commit, merge)));
      return merged.flatMap(({ id }, index) => (found[index] ? [] : [id]));
    },
    async ofLanding(entry) {
      const { runs, baseBranch } = await engine();
      return landingFacts(runs, entry, baseBranch());
    },
  };
}
