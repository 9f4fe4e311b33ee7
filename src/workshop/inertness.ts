// Whether a text changes what is read of the plan file around it. The parser itself decides, on a small plan with the text in it.
import { lastCommitMessage } from '../plan/commit-message.ts';
import { parse } from '../plan/parse.ts';

/** Where in the plan file a text is: in each place, other words would be read. */
export type Place = 'header' | 'task' | 'step' | 'end';

export function isInert(text: string, place: Place): boolean {
  const { write, reads } = PROBES[place];
  return readingOf(write(text)) === reads;
}

/** The commit message of a task is that of its last "git commit", which an open quote in a command before it would swallow. */
export function leavesQuoteOpen(text: string): boolean {
  return text.includes('git commit') && lastCommitMessage(`${text}\n\n${COMMIT}`) !== MESSAGE;
}

/** With both quotes, so that either of them would end in it. */
const MESSAGE = "it's";
const COMMIT = `git commit -m "${MESSAGE}"`;

interface Probe {
  /** A small plan around the text. */
  write(text: string): string;
  /** What must be read from it, whatever the text is. */
  readonly reads: string;
}

export const FIRST_HEADINGS = '## Phase 1: p\n\n### Task 1: a\n';
const HEADER = '# T\n\n**Goal:** g';
const FILES = '**Files:**\n- Test: `f`';
const STEP = '**Step 1: s**';
/** A list of files before it would take the test. */
const TEST = '**Test:** t';
/** A "Run:" before it would take the fence. */
const FENCE = '```text\nq\n```';
const END = `Commit: \`${COMMIT}\`\n`;
const NEXT = '### Task 2: b';

const NO_PARTS = [null, [], [], null];
const PARTS = [null, ['f'], [['s', null, null]], MESSAGE];

const PROBES: Readonly<Record<Place, Probe>> = {
  header: {
    write: (text) => `${HEADER}\n\n## Context\n\n${text}\n\n${FIRST_HEADINGS}`,
    reads: JSON.stringify([['T', 'g', null, null], ['p'], [['a', ...NO_PARTS]], []]),
  },
  task: {
    write: (text) => `${FIRST_HEADINGS}\n${text}\n\n${FILES}\n\n${STEP}\n\n${END}\n${NEXT}\n`,
    reads: JSON.stringify([
      [null, null, null, null],
      ['p'],
      [
        ['a', ...PARTS],
        ['b', ...NO_PARTS],
      ],
      [],
    ]),
  },
  step: {
    write: (text) =>
      [`${FIRST_HEADINGS}\n${FILES}`, STEP, text, TEST, END, NEXT, FILES, STEP, text, FENCE, END].join('\n\n'),
    reads: JSON.stringify([
      [null, null, null, null],
      ['p'],
      [
        ['a', ...PARTS],
        ['b', ...PARTS],
      ],
      [],
    ]),
  },
  end: {
    write: (text) => `${HEADER}\n\n${FIRST_HEADINGS}\n## Notes\n\n${text}\n`,
    reads: JSON.stringify([['T', 'g', null, null], ['p'], [['a', ...NO_PARTS]], []]),
  },
};

function readingOf(planText: string): string {
  const { plan, problems } = parse(planText);
  const { title, goal, architecture, techStack, phases } = plan;
  const tasks = phases.flatMap((phase) =>
    phase.tasks.map(({ name, dependsOn, files, steps, commitMessage }) => [
      name,
      dependsOn,
      files.map(({ path }) => path),
      steps.map(({ description, command, expected }) => [description, command, expected]),
      commitMessage,
    ]),
  );
  return JSON.stringify([
    [title, goal, architecture, techStack],
    phases.map((phase) => phase.name),
    tasks,
    problems.map(({ code }) => code),
  ]);
}
