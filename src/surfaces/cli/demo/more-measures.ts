// The second phase of the demo's plan: parallel tasks. Two of them conflict, and the agent of the third oversteps.

export const PLAN_BRANCH = 'plan/measures';

/** Tasks 3 and 4 change the same lines of it. */
export const CONTESTED = 'src/measures.js';

/** The second of the two tasks merges the plan branch and writes the file with both measures. */
const RESOLVING = `# The other task was merged first.
turn 2
run git merge --no-edit ${PLAN_BRANCH}
write ${CONTESTED}
| // Every measure by its name.
| import { longest } from './longest.js';
| import { minutes } from './minutes.js';
| import { sentences } from './sentences.js';
| import { words } from './words.js';
|
| export const measures = {
|   characters: (text) => [...text].length,
|   words,
|   sentences,
|   longest,
|   minutes,
| };
commit measures: keep both
signal fix-finished`;

export const LONGEST = `
### Task 3: Find the longest word

**Files:**
- Create: \`src/longest.js\`
- Modify: \`src/measures.js\`
- Test: \`test/longest.test.js\`

**Step 1: Write the test, then the measure**

Run: \`node --test\`
Expected: all tests pass

\`\`\`script
role implementer
write test/longest.test.js
| import assert from 'node:assert/strict';
| import { test } from 'node:test';
| import { longest } from '../src/longest.js';
|
| test('the longest word is found', () => {
|   assert.equal(longest('a long sentence of words'), 'sentence');
| });
write src/longest.js
| export function longest(text) {
|   return text.split(/\\s+/).reduce((most, word) => (word.length > most.length ? word : most), '');
| }
write src/measures.js
| // Every measure by its name.
| import { longest } from './longest.js';
| import { sentences } from './sentences.js';
| import { words } from './words.js';
|
| export const measures = {
|   characters: (text) => [...text].length,
|   words,
|   sentences,
|   longest,
| };
commit longest: find the longest word
signal implement-finished

${RESOLVING}
\`\`\`
`;

export const MINUTES_TASK = `
### Task 4: Estimate the reading time

**Files:**
- Create: \`src/minutes.js\`
- Modify: \`src/measures.js\`
- Test: \`test/minutes.test.js\`

**Step 1: Write the test, then the measure**

Two hundred words take a minute. Round up.

Run: \`node --test\`
Expected: all tests pass

\`\`\`script
role implementer
write test/minutes.test.js
| import assert from 'node:assert/strict';
| import { test } from 'node:test';
| import { minutes } from '../src/minutes.js';
|
| test('two hundred words take a minute, and one more takes two', () => {
|   assert.deepEqual([minutes('word '.repeat(200)), minutes('word '.repeat(201))], [1, 2]);
| });
write src/minutes.js
| import { words } from './words.js';
|
| export function minutes(text) {
|   return Math.ceil(words(text) / 200);
| }
write src/measures.js
| // Every measure by its name.
| import { minutes } from './minutes.js';
| import { sentences } from './sentences.js';
| import { words } from './words.js';
|
| export const measures = {
|   characters: (text) => [...text].length,
|   words,
|   sentences,
|   minutes,
| };
commit minutes: estimate the reading time
signal implement-finished

${RESOLVING}
\`\`\`
`;

export const HELP = `
### Task 5: List the measures

**Files:**
- Create: \`src/listed.js\`
- Modify: \`src/main.js\`
- Test: \`test/listed.test.js\`

**Step 1: Write the test, then the list**

Without a measure, or with an unknown one, the program lists all of them.

Run: \`node --test\`
Expected: all tests pass

\`\`\`script
role implementer
write test/listed.test.js
| import assert from 'node:assert/strict';
| import { test } from 'node:test';
| import { listed } from '../src/listed.js';
|
| test('the measures are listed', () => {
|   assert.match(listed(), /^characters, words, sentences/);
| });
write src/listed.js
| import { measures } from './measures.js';
|
| export function listed() {
|   return Object.keys(measures).join(', ');
| }
write src/main.js
| // node src/main.js <measure> <text>: measures a text.
| import { listed } from './listed.js';
| import { measures } from './measures.js';
|
| const [name, ...words] = process.argv.slice(2);
| const measure = measures[name];
| if (measure === undefined) {
|   console.error(\`Measures: \${listed()}\`);
|   process.exit(2);
| }
| console.log(measure(words.join(' ')));
commit main: list the measures

# It oversteps: an implementer may not approve its own work. It tries as a person, as a reviewer, and with a file.
run cadre approve measures#5
signal review-approved
sentinel review-approved
# It waits for the person to tell it what to do.
read-line
signal implement-finished
\`\`\`
`;
