// Which tests run: "npm test" leaves out the slow suites and runs the short form of the others, "npm run test:ci" runs the
// rest. A bare "npx vitest run <file>" runs any file, in its short form.

/**
 * The slow suites: many cases of one mechanism, each with its own programs. The main story of each mechanism is in
 * "npm test" as well, in the demo, the tutorial, the simulation, or the suite that is named.
 */
export const SLOW_SUITES = [
  // All that a person can do with sessions, in both hosts; test/contracts/host.test.ts has the hosts themselves.
  'test/e2e/sessions.test.ts',
  'test/e2e/runs-walled.test.ts',
  'test/e2e/sessions-walled.test.ts',
  'test/e2e/changed-host.test.ts',
  'test/e2e/activity.test.ts',
  // Worktrees and merges case by case, and killed at each step; runs-kills and the simulation have the engine's kills.
  'test/adapters/worktrees/run-worktrees.test.ts',
  'test/adapters/worktrees/run-kills.test.ts',
  'test/adapters/worktrees/merging.test.ts',
  'test/adapters/worktrees/adhoc-worktrees.test.ts',
  'test/adapters/git/pull-requests.test.ts',
  'test/e2e/runs-pull-requests.test.ts',
  'test/e2e/runs-landing.test.ts',
  'test/e2e/runs-held-up.test.ts',
  'test/e2e/runs-steering.test.ts',
  'test/e2e/run-commands.test.ts',
  'test/e2e/run-exit-codes.test.ts',
  'test/e2e/run-without-engine.test.ts',
  'test/e2e/cancel-anytime.test.ts',
  'test/e2e/half-saved-plans.test.ts',
  'test/e2e/kept-work.test.ts',
  'test/e2e/cleanup.test.ts',
  'test/e2e/notifications.test.ts',
  'test/e2e/strange-files.test.ts',
  'test/e2e/plan-commands.test.ts',
  'test/e2e/plan-archive.test.ts',
  'test/e2e/workshop-architect.test.ts',
  'test/e2e/flood.test.ts',
  // What holds up, stops or deceives a run, case by case; runs, runs-verify and the search have the rules themselves.
  'test/e2e/incidents.test.ts',
  'test/e2e/runs-changed-settings.test.ts',
  'test/e2e/runs-pause.test.ts',
  'test/e2e/runs-losses.test.ts',
  'test/e2e/worktree-incidents.test.ts',
  'test/e2e/runs-deceived.test.ts',
  'test/e2e/demo-chaos.test.ts',
  'test/e2e/interface-errors.test.ts',
  'test/e2e/runs-manual.test.ts',
  'test/e2e/planners.test.ts',
  'test/e2e/workshop-terminal.test.ts',
  'test/search/hostile.test.ts',
  // One case per command or per file.
  'test/e2e/refused-writes-nothing.test.ts',
  'test/e2e/json-safety.test.ts',
  'test/e2e/early-readers.test.ts',
  'test/e2e/rehearse.test.ts',
  'test/adapters/worktrees/dependency-cache.test.ts',
  // The scripted agent, line by line; every suite that builds a plan uses it.
  'test/e2e/scripted-agent.test.ts',
  // A million characters of each kind.
  'test/plan/parse-time.test.ts',
  // Properties of parsers and documents, over thousands of texts; the files beside them have the cases.
  'test/plan/markdown/blocks.test.ts',
  'test/plan/project.test.ts',
  'test/plan/foreign/round-trip.test.ts',
  'test/plan/foreign/any-text.test.ts',
  'test/workshop/project-plan.test.ts',
  'test/workshop/schemas.test.ts',
  // Edits of a plan file while it is built, one by one; plan-files-in-time and the simulation have the mechanism.
  'test/e2e/plan-files.test.ts',
  'test/plan/foreign/import-time.test.ts',
];

export type Tier = 'short' | 'ci' | 'all';

export function tier(): Tier {
  const wanted = process.env.CADRE_TESTS;
  return wanted === 'short' || wanted === 'ci' ? wanted : 'all';
}

/** Whether a suite that has a short and a longer form runs in the longer one. */
export function isCi(): boolean {
  return tier() === 'ci';
}
