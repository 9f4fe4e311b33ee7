// The brief of "cadre demo --from-brief", and what its scripted planner hands in, round by round.

export const QUESTION = 'pace';
export const ANSWER = 'Two hundred words take a minute; round up.';

/** A file of the repository that the first structured plan wants to create. */
export const EXISTING = 'src/measures.js';

/** What the plan is called, without its date. */
export const NAME = 'reading-time';

const WORDS_SCRIPT = `role implementer
write test/words.test.js
| import assert from 'node:assert/strict';
| import { test } from 'node:test';
| import { words } from '../src/words.js';
|
| test('several spaces count as one', () => {
|   assert.equal(words(' one   two '), 2);
| });
write src/words.js
| export function words(text) {
|   return text.split(/\\s+/).filter((word) => word !== '').length;
| }
commit words: count words
signal implement-finished`;

const MINUTES_SCRIPT = `role implementer
write test/minutes.test.js
| import assert from 'node:assert/strict';
| import { test } from 'node:test';
| import { measures } from '../src/measures.js';
|
| test('two hundred words take a minute, and one more takes two', () => {
|   assert.deepEqual([measures.minutes('word '.repeat(200)), measures.minutes('word '.repeat(201))], [1, 2]);
| });
write src/measures.js
| // Every measure by its name.
| import { words } from './words.js';
|
| export const measures = {
|   characters: (text) => [...text].length,
|   words,
|   minutes: (text) => Math.ceil(words(text) / 200),
| };
commit minutes: estimate the reading time
signal implement-finished`;

const TASKS = [
  { id: 'words', title: 'Count words', subtasks: ['Ignore extra spaces'], depends: [] },
  { id: 'minutes', title: 'Estimate the reading time', subtasks: ['Round up'], depends: ['words'] },
];

const FILE_PLAN = [
  { path: 'src/words.js', intent: 'create', task: 'words' },
  { path: 'test/words.test.js', intent: 'test', task: 'words' },
  { path: EXISTING, intent: 'update', task: 'minutes' },
  { path: 'test/minutes.test.js', intent: 'test', task: 'minutes' },
];

const CRITERIA = ['"node src/main.js minutes <text>" prints whole minutes.'];

const QUESTIONS = [
  {
    id: QUESTION,
    text: 'How many words does a person read in a minute?',
    blocking: true,
    why: 'The estimate depends on it, and the code says nothing.',
    suggestions: ['200', '250'],
  },
];

const FIRST_ROUND = {
  summary: 'The measures are in src/measures.js, one function each. Reading time needs a count of words first.',
  questions: QUESTIONS,
  proposals: { tasks: TASKS.slice(0, 1), assumptions: [], risks: [], acceptance_criteria: CRITERIA, files: [] },
  ready: false,
};

const SECOND_ROUND = {
  summary: 'With the answer there are two small tasks, the second of which needs the first.',
  questions: [],
  proposals: {
    tasks: TASKS,
    assumptions: ['Words are separated by spaces.'],
    risks: [],
    acceptance_criteria: CRITERIA,
    files: FILE_PLAN,
  },
  ready: true,
};

const PLAN = {
  id: NAME,
  title: 'Reading time',
  brief: 'People want to know how long a text takes to read.',
  context: `Measures are functions in ${EXISTING}; src/main.js prints one of them.`,
  goals: ['The program estimates how long a text takes to read.'],
  scope: { in: ['Words and minutes'], out: ['Languages without spaces'] },
  architecture: 'One function for each measure.',
  tech_stack: ['JavaScript', 'node:test'],
  work: {
    milestones: [{ id: 'measures', title: 'Two measures' }],
    tasks: [
      task({
        id: 'words',
        title: 'Count words',
        depends: [],
        description: 'Export `words(text)` from src/words.js.',
        script: WORDS_SCRIPT,
      }),
      task({
        id: 'minutes',
        title: 'Estimate the reading time',
        depends: ['words'],
        description: `${ANSWER} Add \`minutes\` to ${EXISTING}.`,
        script: MINUTES_SCRIPT,
      }),
    ],
  },
  risks: [],
  assumptions: ['Words are separated by spaces.'],
  acceptance_criteria: [{ id: 'AC1', text: CRITERIA[0], task: 'minutes' }],
  file_plan: FILE_PLAN,
  notes: ['The blocks marked "script" are for the agents of the demo.'],
  test_plan: ['Run "node --test".'],
};

/** It creates a file that exists, and is refused. */
const WRONG_PLAN = {
  ...PLAN,
  file_plan: FILE_PLAN.map((file) => (file.path === EXISTING ? { ...file, intent: 'create' } : file)),
};

interface ScriptedTask {
  readonly id: string;
  readonly title: string;
  readonly depends: readonly string[];
  readonly description: string;
  readonly script: string;
}

function task({ id, title, depends, description, script }: ScriptedTask): object {
  return {
    id,
    title,
    kind: 'feature',
    milestone: 'measures',
    depends,
    description: `${description}\n\n\`\`\`script\n${script}\n\`\`\``,
    steps: [{ title: 'Write the test, then the measure', run: 'node --test', expect: 'all tests pass' }],
    test: `test/${id}.test.js passes.`,
    avoid: ['Change another measure.'],
    commit: `${id}: ${title.toLowerCase()}`,
  };
}

export const BRIEF = `Reading time

People want to know how long a text takes to read. Add that as a measure.

The block below is for the planner of the demo, which hands in these documents. Without it this is an ordinary brief.

\`\`\`script
role planner
round
| ${JSON.stringify(FIRST_ROUND)}
turn 2
round
| ${JSON.stringify(SECOND_ROUND)}
turn 3
round
| ${JSON.stringify(WRONG_PLAN)}
round
| ${JSON.stringify(PLAN)}
\`\`\`
`;
