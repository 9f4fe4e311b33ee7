// The message of a merge ends in the trailer that identifies it, for any message before it.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeMark, mergeMessage } from '../../../src/core/files/merge-message.ts';
import type { Tree, TreeName } from '../../../src/core/model/run-name.ts';
import type { PlanFile } from '../../../src/plan/name.ts';

const RUN: Tree = { plan: 'x.md' as PlanFile, name: 't1-a1' as TreeName };
const MARK = 'Cadre-Run: x/t1-a1 abc';

test.each([
  ['', `x t1-a1\n\n${MARK}\n`],
  ['\n \n', `x t1-a1\n\n${MARK}\n`],
  ['feat: it', `feat: it\n\n${MARK}\n`],
  ['feat: it\n\nbody\n', `feat: it\n\nbody\n\n${MARK}\n`],
  ['feat: it\n\nCo-authored-by: A <a@b>', `feat: it\n\nCo-authored-by: A <a@b>\n${MARK}\n`],
  ['feat: it\n\nnot: a trailer\nbut text', `feat: it\n\nnot: a trailer\nbut text\n\n${MARK}\n`],
])('%j', (message, expected) => {
  expect(mergeMessage(message, RUN, 'abc')).toBe(expected);
});

test('any text gives a message without NUL whose last line is the mark', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const message = mergeMessage(text, RUN, 'abc');
      expect(message.endsWith(`\n${MARK}\n`)).toBe(true);
      expect(message.startsWith('\n')).toBe(false);
      expect(message).not.toContain('\0');
    }),
  );
});

test('the mark distinguishes runs and commits', () => {
  const other = { ...RUN, name: 't1-a2' as TreeName };
  expect(new Set([mergeMark(RUN, 'abc'), mergeMark(RUN, 'abd'), mergeMark(other, 'abc')]).size).toBe(3);
});
