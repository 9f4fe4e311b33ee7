// Opens what was kept and what is left. That needs git and worktrees, but no settings, which may be what is broken.
import type { Cleanup } from '../core/ports/cleanup.ts';
import type { KeptWork } from '../core/ports/kept.ts';
import type { Base } from './base.ts';

export async function openKept(base: Base): Promise<KeptWork> {
  return (await openBoth(base)).kept;
}

export async function openCleanup(base: Base): Promise<Cleanup> {
  const [{ cleanup }, { portBlocks }, { reports }, { kept, git, trees }] = await Promise.all([
    import('../adapters/cleanup/cleanup.ts'),
    import('../adapters/worktrees/port-blocks.ts'),
    import('../adapters/sessions/reports.ts'),
    openBoth(base),
  ]);
  const { repo, disk, locks } = base;
  const ports = portBlocks({ disk, locks, home: repo.home });
  return cleanup({ ...repo, git, kept, trees, ports, reports: reports(repo.reports), locks });
}

async function openBoth({ repo, env, disk, locks }: Base) {
  const [{ openGit }, { openRuns }, { keptWork }] = await Promise.all([
    import('../adapters/git/git.ts'),
    import('../adapters/worktrees/open-runs.ts'),
    import('../adapters/kept/kept-work.ts'),
  ]);
  const git = openGit({ ...repo, env });
  const { trees } = openRuns({ repo, env, disk, locks });
  return { git, trees, kept: keptWork({ ...repo, git, trees, locks }) };
}
