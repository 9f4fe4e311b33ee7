// What the demo explains to a person who has never seen cadre: each thing once, when it first happens.
import type { JournalRecord } from '../../../core/model/record.ts';
import type { RunEvent } from '../../../machines/run.ts';
import { showName } from '../../../text/show.ts';

export const INTRODUCTION: readonly string[] = [
  'cadre builds a plan with a crew of agents. You write the plan. An implementer builds each task in its own worktree, the engine runs the tests, two reviewers read the result, and what they approve is merged.',
  'The agents of this demo are scripted: they do what the plan says, mistakes included, so you need no model, key or network. Everything else is real: git, the worktrees, the tests, the terminals, the engine and its journal.',
];

export const CHAOS: readonly string[] = [
  'cadre builds the plan of "cadre demo" while its programs are killed at random moments with "kill -9": the engine, the "cadre run" that follows it, git, and the agents. Whatever is killed loses nothing: the engine reads its journal and continues, and an agent that died is started again for the same turn.',
  'The person of this demo only types "cadre run" again when it was killed.',
];

export interface Note {
  readonly when: (record: JournalRecord) => boolean;
  /** A paragraph. */
  readonly text: (record: JournalRecord) => string;
}

export const NOTES: readonly Note[] = [
  {
    when: starts('implementer'),
    text: () =>
      'The agent has a task, a branch and a terminal. It cannot change the state of the plan: it signals what it has done, and the engine decides what happens next.',
  },
  {
    when: moved('tests_fail'),
    text: (record) =>
      `The agent says that it is finished, but that is only a claim. The engine ran the tests itself, and "${failingTests(record)}" failed. So there is no review yet: the implementer starts again, with the output of the tests in its prompt.`,
  },
  {
    when: starts('spec-reviewer'),
    text: () =>
      'Two agents review the work, read-only. The first asks whether it does what the task says, the second whether it is well built. Each verdict holds for the one commit that passed the tests, and for no later one.',
  },
  {
    when: moved('merged'),
    text: () =>
      'The approved work is now one commit on the plan branch. Your checkout and your branches are untouched.',
  },
  {
    when: moved('changes'),
    text: (record) =>
      `The tests pass, but the reviewer says: "${causeOf(record)}" The implementer gets that in its next prompt, and its fix is tested and reviewed again.`,
  },
  {
    when: (record) =>
      (record.changes ?? []).some(
        (one) => one.of === 'findings' && one.findings.some(({ state }) => state === 'deferred'),
      ),
    text: () =>
      'Its other finding is minor. Minor findings start no round: they wait for the review of the whole plan, and "cadre findings" lists them.',
  },
  {
    when: (record) => record.event === 'session_begun' && record.begun.escalated === true,
    text: (record) =>
      `After some rounds of review (here: one) another agent gets the work, with the profile "${profileIn(record)}" and the open findings.`,
  },
  {
    when: (record) => record.event === 'stage_passed' && hasClosed(record),
    text: () =>
      'The second review was about the fix alone: the reviewer gave a verdict on each open finding, and read what had changed since its first review.',
  },
  {
    when: (record) => record.event === 'launch' && record.task === '5',
    text: () =>
      'These tasks do not depend on each other, so they are built in parallel, all starting from the same commit.',
  },
  {
    when: moved('merge_conflict'),
    text: (record) =>
      `Tasks 3 and 4 both changed ${causeOf(record)}, and the other one was merged first ("cadre plan lint" warns about that). The engine tried the merge where it can break nothing. Now the implementer gets the list of files, merges the plan branch and resolves the conflict, and the result is tested and reviewed again.`,
  },
  {
    when: (record) => record.moves.some(({ machine, to }) => machine === 'plan' && to === 'reviewing'),
    text: () => 'Every task is done. One more reviewer reads everything together.',
  },
];

/** Shown after an agent has tried to approve its own work. */
export const OVERSTEPPED =
  'The implementer of task 5 tried to approve its own work, which no implementer may do. It tried as a person, as a reviewer, and with a signal file. cadre refused all three and kept them with the reason, where "cadre quarantine" lists them. The plan did not change. This is what the terminal of the agent shows:';

/** What the person sends to that agent. */
export const ADMONITION = 'Someone else approves. Signal that you are finished.';

function profileIn(record: JournalRecord): string {
  return record.event === 'session_begun' ? showName(record.begun.profile ?? '') : '';
}

function hasClosed({ changes = [] }: JournalRecord): boolean {
  return changes.some((one) => one.of === 'findings' && one.findings.some(({ state }) => state === 'addressed'));
}

function starts(role: string): Note['when'] {
  return (record) => record.event === 'session_begun' && record.begun.role === role;
}

function moved(event: RunEvent): Note['when'] {
  return (record) => record.moves.some((move) => move.machine === 'coder' && move.event === event);
}

function causeOf(record: JournalRecord): string {
  return 'cause' in record ? showName(record.cause ?? '') : '';
}

/** Node's test runner has two formats. A name with a path in it is the test file, not a test. */
function failingTests(record: JournalRecord): string {
  const output = 'cause' in record ? (record.cause ?? '') : '';
  const names = [...output.matchAll(/^\s*(?:not ok \d+ - |✖ )(.+?)(?: \([\d.]+ms\))?$/gm)].map(
    (match) => match[1] ?? '',
  );
  return [...new Set(names)].filter((name) => !/[/:]/.test(name)).join('" and "');
}
