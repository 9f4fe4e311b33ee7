// The first phase of the demo's plan: one task first fails its tests, the other is first sent back by its reviewer.

/** The test that the first attempt at task 1 fails. */
export const FAILING_TEST = 'several spaces count as one';

/** What the reviewer of task 2 asks for. */
const MISSING_TEST = 'The task asks for a test of the empty text, but there is none.';
const ODD_TEXT = '"Who? Me. Ah!" says little about what is counted.';

/** What the reviewer of task 2 finds: one finding that sends it back, and one that waits. */
const REVIEW = JSON.stringify({
  findings: [
    { severity: 'important', place: 'test/sentences.test.js:5', problem: MISSING_TEST },
    { severity: 'minor', place: 'test/sentences.test.js:6', problem: ODD_TEXT },
  ],
});

/** What the implementer gets of it. */
export const FINDING = `f1 [important] test/sentences.test.js:5: ${MISSING_TEST}`;

export const WORDS = `
### Task 1: Count words

**Files:**
- Create: \`src/words.js\`
- Modify: \`src/measures.js\`
- Test: \`test/words.test.js\`

**Step 1: Write the tests, then the measure**

Several spaces in a row count as one.

Run: \`node --test\`
Expected: all tests pass

\`\`\`script
role implementer
write test/words.test.js
| import assert from 'node:assert/strict';
| import { test } from 'node:test';
| import { measures } from '../src/measures.js';
|
| test('words are counted', () => {
|   assert.equal(measures.words('one two three'), 3);
| });
|
| test('${FAILING_TEST}', () => {
|   assert.equal(measures.words('one   two'), 2);
| });
write src/words.js
| export function words(text) {
|   return text.split(' ').length;
| }
write src/measures.js
| // Every measure by its name.
| import { words } from './words.js';
|
| export const measures = {
|   characters: (text) => [...text].length,
|   words,
| };
commit words: count words
signal implement-finished

# The engine has run the tests, and the prompt shows what failed.
turn 2
write src/words.js
| export function words(text) {
|   return text.split(/\\s+/).filter((word) => word !== '').length;
| }
commit words: ignore extra spaces
signal fix-finished
\`\`\`
`;

export const SENTENCES = `
### Task 2: Count sentences

**Files:**
- Create: \`src/sentences.js\`
- Modify: \`src/measures.js\`
- Test: \`test/sentences.test.js\`

**Step 1: Write the tests, then the measure**

A sentence ends with a full stop, a question mark or an exclamation mark. The empty text has no sentences; test that too.

Run: \`node --test\`
Expected: all tests pass

\`\`\`script
role implementer
write test/sentences.test.js
| import assert from 'node:assert/strict';
| import { test } from 'node:test';
| import { measures } from '../src/measures.js';
|
| test('sentences are counted', () => {
|   assert.equal(measures.sentences('Who? Me. Ah!'), 3);
| });
write src/sentences.js
| export function sentences(text) {
|   return text.match(/[.?!]+/g)?.length ?? 0;
| }
write src/measures.js
| // Every measure by its name.
| import { sentences } from './sentences.js';
| import { words } from './words.js';
|
| export const measures = {
|   characters: (text) => [...text].length,
|   words,
|   sentences,
| };
commit sentences: count sentences
signal implement-finished

# The reviewer has asked for changes.
turn 2
write test/sentences.test.js
| import assert from 'node:assert/strict';
| import { test } from 'node:test';
| import { measures } from '../src/measures.js';
|
| test('sentences are counted', () => {
|   assert.equal(measures.sentences('Who? Me. Ah!'), 3);
| });
|
| test('the empty text has no sentences', () => {
|   assert.equal(measures.sentences(''), 0);
| });
commit sentences: test the empty text
signal fix-finished

role spec-reviewer
signal review-changes ${REVIEW}
turn 2
signal review-approved
\`\`\`
`;
