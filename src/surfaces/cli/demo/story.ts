// What a person who has never seen cadre is told while the demo's plan is built: each thing once, when it happens first.
import type { JournalRecord } from '../../../core/model/record.ts';
import type { RunEvent } from '../../../machines/run.ts';
import { showName } from '../../../text/show.ts';

export const INTRODUCTION: readonly string[] = [
  'cadre gets a plan built by a crew of agents. You write the plan; an implementer builds each task in a worktree of its own, the engine runs the tests itself, two reviewers look at the result, and what they approve is merged.',
  'Here the agents are scripted: they do what the plan tells them, mistakes included, so nothing needs a model, a key or the network. Everything else is real: git, the worktrees, the tests, the terminals, the engine and its journal.',
];

export interface Note {
  readonly when: (record: JournalRecord) => boolean;
  /** A paragraph. */
  readonly text: (record: JournalRecord) => string;
}

export const NOTES: readonly Note[] = [
  {
    when: begins('implementer'),
    text: () =>
      'An agent has the task, a branch and a terminal of its own. It changes nothing about the plan: it can only signal what it has done, and the engine decides what follows.',
  },
  {
    when: moved('tests_fail'),
    text: (record) =>
      `The agent has said that it is finished; that is a claim. The engine has run the tests itself, and "${failingTests(record)}" fails. So nobody reviews it yet: the implementer is begun again, with the output of the tests in its prompt.`,
  },
  {
    when: begins('spec-reviewer'),
    text: () =>
      'Two reviews, by agents that may only read: first whether it is what the task asks for, then how good it is. A verdict counts for the one commit that was verified, and for nothing that comes after it.',
  },
  {
    when: moved('merged'),
    text: () =>
      "What was approved is now one commit on the plan's branch. Your own checkout and your branches are not touched.",
  },
  {
    when: moved('changes'),
    text: (record) =>
      `The tests pass, but the reviewer says: "${causeOf(record)}" The implementer has that in its next prompt, and what it makes of it is verified and reviewed anew.`,
  },
  {
    when: (record) => record.event === 'launch' && record.task === '5',
    text: () => 'These tasks do not wait for each other, so they are built side by side, all from the same commit.',
  },
  {
    when: moved('merge_conflict'),
    text: (record) =>
      `Tasks 3 and 4 have both changed ${causeOf(record)}, and the other one was merged first ("cadre plan lint" warns of that). The engine has tried the merge where it can break nothing. The task goes back with the list of files: its implementer merges the plan's branch, resolves the conflict, and everything is verified and reviewed again.`,
  },
  {
    when: (record) => record.moves.some(({ machine, to }) => machine === 'plan' && to === 'reviewing'),
    text: () => 'Every task is done. A last reviewer looks at all of it together.',
  },
];

/** Said when an agent has tried to approve its own work. */
export const OVERSTEPPED =
  'The implementer of task 5 has tried to approve its own work, and who builds does not approve. It has tried as a person would, as a reviewer would, and with a file. Where it used cadre, cadre has told it so at once. All three tries are kept aside with the reason, where "cadre quarantine" shows them. The plan stands where it stood, and goes on. This is what the agent has on its terminal:';

/** What the person says to that agent. */
export const ADMONITION = 'Somebody else approves. Say that you are finished.';

function begins(role: string): Note['when'] {
  return (record) => record.event === 'session_begun' && record.begun.role === role;
}

function moved(event: RunEvent): Note['when'] {
  return (record) => record.moves.some((move) => move.machine === 'coder' && move.event === event);
}

function causeOf(record: JournalRecord): string {
  return 'cause' in record ? showName(record.cause ?? '') : '';
}

/** The test runner of node writes it in one of two ways; a path is the file that the test stands in. */
function failingTests(record: JournalRecord): string {
  const output = 'cause' in record ? (record.cause ?? '') : '';
  const names = [...output.matchAll(/^\s*(?:not ok \d+ - |✖ )(.+?)(?: \([\d.]+ms\))?$/gm)].map(
    (match) => match[1] ?? '',
  );
  return [...new Set(names)].filter((name) => !/[/:]/.test(name)).join('" and "');
}
