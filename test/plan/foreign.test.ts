// Files in other formats: what they contain instead of tasks is named, and what is not markdown is an error.
import { describe, expect, test } from 'vitest';
import { isUsable, parse } from '../../src/plan/parse.ts';

const BOXES = (count: number) =>
  `The ${count} checkboxes of this file are not tasks. The whole file would be one task.`;
const HEADINGS = (count: number, first: string) =>
  `The ${count} numbered headings of this file, such as "${first}", are not tasks: the heading of a task starts with "Task" and a number. The whole file would be one task.`;

describe('a file without task headings', () => {
  test.each([
    ['spec-kit', '# Tasks: Login\n\n## Setup\n\n- [ ] T001 Create it\n- [x] T002 [P] Lint it\n', [[5, BOXES(2)]]],
    [
      'OpenSpec',
      '## 1. Schema\n\n- [ ] 1.1 Add it\n\n## 2. Code\n\n- [ ] 2.1 Use it\n',
      [
        [1, HEADINGS(2, '## 1. Schema')],
        [3, BOXES(2)],
      ],
    ],
    ['Kiro', '# Plan\n\n- [ ] 1. Set it up\n  - [ ] 1.1 Create it\n    - _Requirements: 1.1_\n', [[3, BOXES(2)]]],
    ['Chinese', '# 计划\n\n### 任务 1：登录\n\n### 任务 2：退出\n', [[3, HEADINGS(2, '### 任务 1：登录')]]],
    ['German', '### Aufgabe 1: Anmelden\n\n### Aufgabe 2: Abmelden\n', [[1, HEADINGS(2, '### Aufgabe 1: Anmelden')]]],
    [
      'one checkbox',
      '# Notes\n\n* [ ] do it\n',
      [[3, 'The checkbox of this file is not a task. The whole file would be one task.']],
    ],
    ['prose', '# Notes\n\nDo it, [x] or not.\n\n## 2026\n', []],
  ])('says what %s has instead', (_format, text, expected) => {
    const { problems } = parse(text);
    const found = problems.filter(({ code }) => code === 'foreign-tasks');
    expect(found.map(({ line, message }) => [line, message])).toEqual(expected);
    expect(problems.some(({ code }) => code === 'no-tasks')).toBe(true);
  });
});

describe('a checklist below the only task heading', () => {
  test('is text of that task, and the person learns it', () => {
    const { problems } = parse('# P\n\n## Task 1: A\n\n- [ ] look\n- [ ] leap\n');
    const message =
      'The 2 checkboxes of this file are neither tasks nor steps: they are text of Task 1, which is built and merged as a whole. Write a task heading for each that should be a task.';
    expect(problems).toEqual([{ line: 5, column: 1, severity: 'warning', code: 'checklist', message }]);
  });

  test.each([
    ['one checkbox', '### Task 1: A\n\n- [ ] look\n'],
    ['steps', '### Task 1: A\n\n- [ ] **Step 1: Look**\n- [ ] **Step 2: Leap**\n'],
    ['another task', '### Task 1: A\n\n- [ ] look\n- [ ] leap\n\n### Task 2: B\n\nx\n'],
  ])('is not mentioned for %s', (_what, text) => {
    expect(parse(text).problems).toEqual([]);
  });
});

describe('a file that is not markdown', () => {
  test.each([
    ['JSON', '{"plans": {}}'],
    ['JSON', '\ufeff\n[\n  {"a": 1}\n]\n'],
    ['JSON', '{"a": "the end is miss'],
    ['JSON', `[${'{"id":1,"text":"# not a heading"},'.repeat(40_000)}]`],
    ['HTML', '<!DOCTYPE html>\n<html><body><h1>Task 1</h1></body></html>\n'],
    ['HTML', '<html lang="en">\n'],
    ['XML', '<?xml version="1.0"?>\n<a/>\n'],
    ['RTF', '{\\rtf1 Task 1}'],
    ['PDF', '%PDF-1.7 text\n'],
    ['a script', '#!/bin/sh\n# Task 1: x\necho\n'],
  ])('but %s is an error, and the only one', (name, text) => {
    const message = `This is ${name}, not markdown. A plan is a markdown file with task headings.`;
    expect(parse(text).problems).toEqual([{ line: 1, column: 1, severity: 'error', code: 'not-markdown', message }]);
  });

  test.each([
    '{"a": 1}\n\n# A plan that starts with an example\n\n### Task 1: A\n',
    '[[wiki]] links\n\n### Task 1: A\n',
    '[1]: https://example.org\n\n### Task 1: A\n',
    '<div align="center">\n\n# Plan\n\n</div>\n\n### Task 1: A\n',
    '---\ntitle: front matter\n---\n\n### Task 1: A\n',
    '<!-- a comment -->\n\n### Task 1: A\n',
  ])('is not suspected in %j', (text) => {
    expect(isUsable(parse(text).problems)).toBe(true);
  });
});
