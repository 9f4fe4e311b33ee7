// Both documents by example, and the rules that an example cannot show: for the planner's prompt.
import type { RoundDocument } from './round-document.ts';
import { FILE_INTENTS, type PlanningDocument, TASK_KINDS } from './structured-plan.ts';

const ROUND: RoundDocument = {
  summary:
    'Notes are markdown files that src/notes.ts reads. I decided on an index in memory, because there are few thousand notes.',
  questions: [
    {
      id: 'which-words',
      text: 'Should "run" also find "running"?',
      blocking: true,
      why: 'Stemming needs another tokenizer and a list of languages.',
      suggestions: ['Only whole words', 'English stemming'],
    },
  ],
  proposals: {
    tasks: [
      { id: 'tokenizer', title: 'Tokenizer', subtasks: ['Split at everything but letters and digits'], depends: [] },
      { id: 'search', title: 'Search command', subtasks: ['Build the index', 'Rank by hits'], depends: ['tokenizer'] },
    ],
    assumptions: ['All notes fit into memory.'],
    risks: ['Start-up becomes slow with many notes.'],
    acceptance_criteria: ['"notes search word" lists every note with that word, best first.'],
    files: [
      { path: 'src/tokens.ts', intent: 'create', task: 'tokenizer' },
      { path: 'src/notes.ts', intent: 'update', task: 'search' },
    ],
  },
  ready: false,
};

const PLANNING: PlanningDocument = {
  id: 'full-text-search',
  title: 'Full-text search',
  brief: 'People want to find what they wrote.',
  context: 'Notes are markdown files that src/notes.ts reads. There is no search yet.',
  goals: ['People find a note by any word in it.'],
  scope: { in: ['Whole words, in any order'], out: ['Stemming', 'Typing mistakes'] },
  architecture: 'An inverted index in memory, built from the notes when a search starts.',
  tech_stack: ['TypeScript', 'vitest'],
  work: {
    milestones: [
      { id: 'index', title: 'Index' },
      { id: 'query', title: 'Query', parallel: true },
    ],
    tasks: [
      {
        id: 'tokenizer',
        title: 'Tokenizer',
        kind: 'feature',
        milestone: 'index',
        depends: [],
        description:
          'Export `tokens(text: string): string[]`: words in lower case, split at everything but letters and digits.',
        steps: [
          {
            title: 'Write the failing test',
            text: 'Cover umlauts, digits, and a text without words.',
            run: 'npm test -- tokens',
            expect: 'FAIL: there is no src/tokens.ts',
          },
          { title: 'Write the tokenizer', run: 'npm test -- tokens', expect: 'PASS' },
        ],
        test: 'tokens("Grüße, 2 Welten!") is ["grüße", "2", "welten"].',
        avoid: ['Add a package.'],
        commit: 'search: split notes into words',
      },
      {
        id: 'search',
        title: 'Search command',
        kind: 'feature',
        milestone: 'query',
        depends: ['tokenizer'],
        description:
          'Add `search(notes: Note[], query: string): Note[]` to src/notes.ts: best first, by number of hits.',
        steps: [{ title: 'Test and write it', run: 'npm test -- search', expect: 'PASS' }],
        test: 'A note with two hits comes before a note with one.',
        avoid: ['Keep the index on disk.'],
        commit: 'search: find notes by their words',
      },
    ],
  },
  risks: [{ text: 'Start-up becomes slow with many notes.', mitigation: 'The test plan measures 5,000 notes.' }],
  assumptions: ['All notes fit into memory.'],
  acceptance_criteria: [
    { id: 'AC1', text: '"notes search word" lists every note with that word, best first.', task: 'search' },
    { id: 'AC2', text: 'A search in 5,000 notes takes less than a second.' },
  ],
  file_plan: [
    { path: 'src/tokens.ts', intent: 'create', task: 'tokenizer' },
    { path: 'test/tokens.test.ts', intent: 'test', task: 'tokenizer' },
    { path: 'src/notes.ts', intent: 'update', task: 'search' },
    { path: 'test/search.test.ts', intent: 'test', task: 'search' },
  ],
  notes: ['The index can move to disk later without a change of its interface.'],
  test_plan: ['Unit tests of tokens and ranking.', 'Time a search in 5,000 generated notes.'],
};

/** A round document with every key. */
export const ROUND_OUTLINE: string = JSON.stringify(ROUND, null, 2);

/** A planning document with every key. */
export const PLANNING_OUTLINE: string = JSON.stringify(PLANNING, null, 2);

/** What holds for a round document besides its keys. */
export const ROUND_RULES: readonly string[] = [
  'Every key is required; a list may be empty.',
  'The id of a question has small letters, digits and "-". Keep it when you ask the same question again.',
  `"intent" is one of ${quoted(FILE_INTENTS)}; "task" is the id of a proposed task.`,
  'Do not hand in the structured plan or a plan file yet.',
];

/** What holds for a planning document besides its keys. */
export const PLANNING_RULES: readonly string[] = [
  'Every key is required, apart from "parallel", "run", "expect", "text" of a step and "task" of a criterion.',
  `"kind" is one of ${quoted(TASK_KINDS)}. Every task but a "chore" changes at least one file of "file_plan".`,
  'Milestones are built in their order, and every milestone has a task. Its tasks run one after the other, or at the same time if it is "parallel".',
  'An empty "depends" means everything before the task. Otherwise the task waits for the listed tasks only, none of them of a later milestone, and never in a circle.',
  'Two tasks that may run at the same time do not change the same file.',
  `"intent" is one of ${quoted(FILE_INTENTS)}. "create" is for a file that does not exist yet, "test" for a test file that may exist. List a file once for each task.`,
  'Paths are relative to the root of the repository, with "/", one file each, without line numbers.',
  'A task contains everything its implementer needs to know, without placeholders: the implementer does not read the other tasks.',
];

function quoted(words: readonly string[]): string {
  return words.map((word) => `"${word}"`).join(', ');
}
