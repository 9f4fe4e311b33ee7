// The facts that rules need about worktrees and branches, seen right before they decide.
import type { Facts } from '../app/ports.ts';
import type { SessionId } from '../core/model/ids.ts';
import { treeOfBranch } from '../core/model/run-name.ts';
import { landingFacts, withFacts, worktreeFacts } from '../engine/observe.ts';
import type { Base } from './base.ts';
import type { EngineParts } from './engine.ts';

export function observedFacts({ repo, env, disk, locks }: Base, engine: () => Promise<EngineParts>): Facts {
  return {
    async forSignal(world, signal) {
      const session = world.sessions.get(signal.by.session as SessionId);
      if (session?.reviews === true) {
        const { runs, baseBranch } = await engine();
        return withFacts({ ...runs, settings: { baseBranch: baseBranch() } }, world, signal);
      }
      if (session?.attempt === undefined) return signal;
      // The settings do not matter here, and reading them would keep the agent waiting.
      const { openRuns } = await import('../adapters/worktrees/open-runs.ts');
      return withFacts({ ...openRuns(repo, env, disk, locks), settings: { baseBranch: undefined } }, world, signal);
    },
    ofWorktree: async (plan, { branch }) => worktreeFacts((await engine()).runs.trees, treeOfBranch(plan, branch)),
    async ofLanding(entry) {
      const { runs, baseBranch } = await engine();
      return landingFacts(runs, entry, baseBranch());
    },
  };
}
