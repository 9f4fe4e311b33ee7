// Parsing takes time linear in the length of the text, however odd the text is.
import { readFileSync } from 'node:fs';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { describe, expect, test } from 'vitest';
import { parse } from '../../src/plan/parse.ts';
import {
  counted,
  expectLinearTime,
  type Kind,
  LONG,
  MOST_ROUNDS,
  repeated,
  SHORT,
  TIMES,
  timeOf,
  timeOfAll,
} from '../support/linear-time.ts';

const KINDS: Readonly<Record<string, Kind>> = {
  'an unclosed fence': repeated('```\n### Task 1: x\n', 'code\n'),
  'one line': repeated('', 'word '),
  'one heading': repeated('### Task 1: ', 'word '),
  hashes: repeated('', '#'),
  backticks: repeated('', '`'),
  'backticks after Run': repeated('### Task 1: x\n**Step 1: y**\n\nRun: ', '`` `'),
  'list markers': repeated('', '- '),
  'quote markers': repeated('', '>'),
  'unclosed commits': repeated('### Task 1: x\n', 'git commit -m "'),
  'commits without a message': repeated('### Task 1: x\n', 'git commit '),
  'commits with bare messages': repeated('### Task 1: x\n', 'git commit -m '),
  'commits continued with backslashes': repeated('### Task 1: x\n', `git commit${' \\\n'.repeat(20)}`),
  'commits with unclosed heredocs': repeated('### Task 1: x\n', 'git commit -m "$(cat <<E\n'),
  'tasks with one number': repeated('', '### Task 1: x\n'),
  'tasks that each name two hundred': counted((number) => `### Task ${number}\n**Depends on:** 1-200\n`),
  'tasks that wait for the next': counted((number) => `### Task ${number}\n**Depends on:** ${number + 1}\n`),
  'tasks in cycles of every size': counted((number) => `### Task ${number}\n**Depends on:** 1, ${number + 1}\n`),
  'tasks that name phases without tasks': namedEmptyPhases,
  'parentheses after Depends on': repeated('### Task 1\n**Depends on:** ', '(1 '),
  'ranges after Depends on': repeated(`${'### Task 1\n'}**Depends on:** `, '1-1 , 1 - 1, '),
  'lists of files': repeated('### Task 1\n', '**Files:**\n- Create: `a`\n'),
  'files in one entry': repeated('### Task 1\n**Files:**\n- Create: ', '`a`, '),
  'boxes before a word': repeated('### ', '[ ] '),
  'parallel phases that are not closed': repeated('', '## Phase 1 (parallel'),
  'phases that are not closed': repeated('', '## Phase 1 (parallel\n'),
  'one paragraph of short lines': repeated('', 'some text\n'),
  'one underlined heading of short lines': (length) => `${repeated('', 'Task 1 \n')(length)}---\n`,
  'goals on one line': repeated('', '**Goal:** '),
  'goals on separate lines': repeated('', '**Goal:** x\n'),
  'constraints without a text': repeated('', '## Global Constraints\n'),
  steps: repeated('### Task 1\n', '**Step 1: x**\n\nRun: `y`\n\n'),
  'CRLF line ends': repeated('', '\r\n'),
  'blank lines after tasks': repeated('### Task 1: x\n', '\n'),
  'rules after a task': repeated('### Task 1: x\n', '---\n'),
  tabs: repeated('', '\t'),
  'white space after a task': repeated('### Task', ' '),
  conflicts: repeated('', '<<<<<<< a\n'),
  'half characters': repeated('### Task 1: ', '\ud800'),
  'random bytes': randomBytes,
};

describe('a million characters', () => {
  test.each(Object.entries(KINDS))('of %s take linear time', { timeout: 120_000 }, (_, kind) => {
    expectLinearTime(parse, kind);
  });
});

test('an unclosed fence ten times as long takes at most sixteen times as long', { timeout: 120_000 }, () => {
  const fence = repeated('```\n### Task 1: x\n', 'code\n');
  const [short, long] = [fence(SHORT), fence(LONG)];
  let [bestOfShort, bestOfLong] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  // One text takes too short a time to measure, so each sample parses the same amount of text several times.
  for (let round = 0; round < 3 * MOST_ROUNDS; round++) {
    bestOfShort = Math.min(bestOfShort, timeOfAll(parse, short, 5 * TIMES));
    bestOfLong = Math.min(bestOfLong, timeOfAll(parse, long, 5));
    if (round > 2 && bestOfLong <= 1.2 * bestOfShort) break;
  }
  expect((TIMES * bestOfLong) / bestOfShort).toBeLessThanOrEqual(16);
});

test('a realistic plan is parsed at least twenty times faster than mdast parses its markdown', {
  timeout: 120_000,
}, () => {
  const text = readFileSync('test/fixtures/plans/generated-5000.md', 'utf8').slice(0, 50_000);
  // Other processes may slow down only one side, so one good attempt out of three is enough.
  const factors: number[] = [];
  while (factors.length < 3 && !factors.some((factor) => factor >= 20)) factors.push(factorOver(text));
  expect(Math.max(...factors)).toBeGreaterThanOrEqual(20);
});

/** How many times as long mdast takes: medians of alternating measurements. */
function factorOver(text: string): number {
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < 9; round++) {
    theirs.push(timeOf(fromMarkdown, text));
    // About as long as one of theirs, so that both sides see the same noise.
    ours.push(...Array.from({ length: 20 }, () => timeOf(parse, text)));
  }
  return median(theirs) / median(ours);
}

function median(times: readonly number[]): number {
  return [...times].sort((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN;
}

function namedEmptyPhases(length: number): string {
  const phases = Math.floor(length / 2 / '## Phase 12345\n'.length);
  const named = counted((number) => `### Task ${number}\n**Depends on:** Phases 1-${phases}\n`);
  return counted((number) => `## Phase ${number}\n`)(length / 2) + named(length / 2);
}

/** The same bytes every time. */
function randomBytes(length: number): string {
  let seed = 1;
  const bytes = Uint8Array.from({ length }, () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return seed >>> 16;
  });
  return Buffer.from(bytes).toString('latin1');
}
