// The demo's repository before the build: a small program with a test, and the settings of cadre.

const MAIN = `// node src/main.js <measure> <text>: measures a text.
import { measures } from './measures.js';

const [name, ...words] = process.argv.slice(2);
const measure = measures[name];
if (measure === undefined) {
  console.error(\`Unknown measure "\${name}".\`);
  process.exit(2);
}
console.log(measure(words.join(' ')));
`;

const MEASURES = `// Every measure by its name.
export const measures = {
  characters: (text) => [...text].length,
};
`;

const TEST = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measures } from '../src/measures.js';

test('characters are counted as people see them', () => {
  assert.equal(measures.characters('naïve'), 5);
});
`;

const PACKAGE = `{
  "name": "measures",
  "private": true,
  "type": "module",
  "scripts": { "test": "node --test" }
}
`;

/** The profile of the agent that gets the work after a round of review. */
export const EXPERIENCED = 'experienced';

/** Which program builds, and which command verifies. Projects usually give the same agent three rounds. */
const SETTINGS = `{
  "default_program": "cadre-scripted-agent",
  "verify": ["node", "--test"],
  "profiles": { "${EXPERIENCED}": { "program": "cadre-scripted-agent" } },
  "escalation": "${EXPERIENCED}",
  "limits": { "escalate_after": 1 }
}
`;

/** Agents are killed more often than a project would accept. */
const SETTINGS_FOR_CHAOS = `{
  "default_program": "cadre-scripted-agent",
  "verify": ["node", "--test"],
  "profiles": { "${EXPERIENCED}": { "program": "cadre-scripted-agent" } },
  "escalation": "${EXPERIENCED}",
  "limits": { "escalate_after": 1, "relaunches": 100 }
}
`;

export const FILES: Readonly<Record<string, string>> = {
  'src/main.js': MAIN,
  'src/measures.js': MEASURES,
  'test/measures.test.js': TEST,
  'package.json': PACKAGE,
  'cadre.json': SETTINGS,
};

export const FILES_FOR_CHAOS: Readonly<Record<string, string>> = { ...FILES, 'cadre.json': SETTINGS_FOR_CHAOS };
