// A round document is read strictly, and a structured plan in it is refused: that comes when the workshop formalizes.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type RoundDocument, readRoundDocument } from '../../src/workshop/round-document.ts';
import { planningDocumentWith, roundDocuments, roundDocumentWith } from '../support/planning-documents.ts';

const GOOD = roundDocumentWith();

function violationsOf(document: unknown): readonly string[] {
  const read = readRoundDocument(JSON.stringify(document));
  return read.ok ? [] : read.violations;
}

test('a document is read as it is', () => {
  expect(readRoundDocument(JSON.stringify(GOOD))).toEqual({ ok: true, document: GOOD });
});

test('a round may have nothing to ask and nothing to propose', () => {
  const proposals = { tasks: [], assumptions: [], risks: [], acceptance_criteria: [], files: [] };
  expect(violationsOf({ summary: 'I read the brief.', questions: [], proposals, ready: false })).toEqual([]);
});

test('generated documents are read, and what is read is read the same again', () => {
  fc.assert(
    fc.property(roundDocuments, (document) => {
      const read = readRoundDocument(JSON.stringify(document));
      expect(read).toMatchObject({ ok: true });
      expect(read.ok && readRoundDocument(JSON.stringify(read.document))).toEqual(read);
    }),
    { numRuns: 300 },
  );
});

describe('a structured plan', () => {
  const inRound =
    'the structured plan comes later, when the workshop is formalizing and asks for it; expected only "summary", "questions", "proposals" and "ready"';
  const inProposals =
    'the structured plan comes later, when the workshop is formalizing and asks for it; expected only "tasks", "assumptions", "risks", "acceptance_criteria" and "files"';

  test.each(['work', 'file_plan', 'plan', 'milestones', 'architecture', 'test_plan'])(
    'is refused under "%s"',
    (key) => {
      expect(violationsOf({ ...GOOD, [key]: {} })).toEqual([`${key}: ${inRound}`]);
      expect(violationsOf({ ...GOOD, proposals: { ...GOOD.proposals, [key]: {} } })).toEqual([
        `proposals.${key}: ${inProposals}`,
      ]);
    },
  );

  test.each(['plan.md', 'plan.files.json', 'planning.ai.json'])('is refused as "%s"', (key) => {
    expect(violationsOf({ ...GOOD, [key]: '' })).toEqual([`"${key}": ${inRound}`]);
  });

  test('is refused in place of the round', () => {
    expect(violationsOf(planningDocumentWith())).toContain(`work: ${inRound}`);
  });

  test('is refused as markdown in the summary', () => {
    expect(violationsOf({ ...GOOD, summary: 'My plan:\n\n## Phase 1: A\n\n### Task 1: B\n\nText.' })).toEqual([
      'summary: "### Task 1: B" is the task of a plan file; the structured plan comes later, when the workshop is formalizing and asks for it; expected only prose, without headings of tasks',
    ]);
  });
});

test.each<readonly [string, Partial<Record<keyof RoundDocument | 'risks' | 'question', unknown>>, string]>([
  ['a proposal beside the proposals', { risks: [] }, 'risks: this belongs in "proposals"; expected "proposals.risks"'],
  ['a misspelt key', { question: [] }, 'question: unknown key; did you mean "questions"?'],
  ['a claim that is not one', { ready: 'yes' }, 'ready: found a text; expected true or false'],
  [
    'the id of a question',
    { questions: [{ ...GOOD.questions[0], id: 'Which Words' }] },
    'questions[0].id: "Which Words" is not valid; expected an id of at most 32 small letters, digits and "-", such as "which-database"',
  ],
  [
    'the same question twice',
    { questions: [GOOD.questions[0], GOOD.questions[0]] },
    'questions[1].id: "which-words" is also the id of questions[0]; expected another id',
  ],
  [
    'the same task twice',
    { proposals: { ...GOOD.proposals, tasks: [GOOD.proposals.tasks[0], GOOD.proposals.tasks[0]] } },
    'proposals.tasks[1].id: "tokenizer" is also the id of proposals.tasks[0]; expected another id',
  ],
  [
    'a path outside of the repository',
    { proposals: { ...GOOD.proposals, files: [{ path: '../x', intent: 'create', task: 'tokenizer' }] } },
    'proposals.files[0].path: "../x" is not a path of the repository: it contains ".."; expected a path inside the repository',
  ],
])('%s is a violation', (_, parts, violation) => {
  expect(violationsOf({ ...GOOD, ...parts })).toEqual([violation]);
});
