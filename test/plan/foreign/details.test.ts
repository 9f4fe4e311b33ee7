// What is read from the lines of a task: its name, its files, its labels, and what it waits for.
import { describe, expect, test } from 'vitest';
import { importPlan, planNameFrom } from '../../../src/plan/foreign/import-plan.ts';
import { filesNamedIn } from '../../../src/plan/foreign/named-files.ts';
import { shortName } from '../../../src/plan/foreign/one-line.ts';
import { parse } from '../../../src/plan/parse.ts';
import { tasksOf } from '../../support/plan-texts.ts';

function imported(text: string) {
  const made = importPlan({ text, path: 'tasks.md', all: false, companions: [] });
  if (made.kind === 'refused') throw new Error(made.why);
  return { ...made, plan: parse(made.text).plan };
}

/** Each task with what it waits for: "1-" follows the order of the file, "2:1" waits for 1. A parallel phase is in brackets. */
function order(text: string): string {
  return imported(text)
    .plan.phases.map(({ parallel, tasks }) => {
      const all = tasks.map(({ address, dependsOn }) =>
        dependsOn === null ? `${address}-` : `${address}:${dependsOn.join('+')}`,
      );
      return parallel ? `[${all.join(' ')}]` : all.join(' ');
    })
    .join(' | ');
}

describe('tasks of spec-kit', () => {
  const spec = (...lines: readonly string[]): string =>
    lines.map((line) => (line === '' ? '\n## Phase 1: x\n' : `- [ ] ${line}`)).join('\n');

  test.each([
    ['one after the other', spec('T001 a', 'T002 b'), '1- 2-'],
    ['all at the same time', spec('T001 [P] a', 'T002 [P] b'), '[1- 2-]'],
    ['some at the same time, before others', spec('T001 [P] a', 'T002 [P] b', 'T003 c'), '1: 2: 3-'],
    [
      'some at the same time, after another',
      spec('T001 a', 'T002 [P] b', 'T003 [P] c', 'T004 [P] d'),
      '1- 2:1 3:1 4:1',
    ],
    ['one batch after another', spec('T1 [P] a', 'T2 [P] b', 'T3 c', 'T4 [P] d', 'T5 [P] e'), '1: 2: 3- 4:3 5:3'],
    ['a batch at the start of a phase', spec('', 'T1 a', '', 'T2 [P] b', 'T3 [P] c', 'T4 d'), '1- | 2:1 3:1 4-'],
    [
      'a batch after a parallel phase',
      spec('', 'T1 [P] a', 'T2 [P] b', '', 'T3 [P] c', 'T4 [P] d', 'T5 e'),
      '[1- 2-] | 3:1+2 4:1+2 5-',
    ],
    [
      'not at the same time if they write the same file',
      spec('T1 [P] in src/a.ts', 'T2 [P] in src/a.ts', 'T3 [P] c'),
      '1- 2:1 3:1',
    ],
    ['at the same time if they only read it', spec('T1 [P] Review src/a.ts', 'T2 [P] Check src/a.ts'), '[1- 2-]'],
    ['not at the same time if one depends on the other', spec('T1 [P] a', 'T2 [P] b (depends on T1)'), '1- 2-'],
    ['at the same time with the mark of another tool', spec('T1 (P) a', 'T2 (P) b'), '[1- 2-]'],
    ['alone, and marked all the same', spec('T1 [P] a'), '1-'],
  ])('run %s', (_what, text, expected) => {
    expect(order(text)).toBe(expected);
  });

  test('do not get the steps of a checkbox that is not a task', () => {
    const { plan, remarks } = imported(
      '- [ ] T1 a\n  - [ ] its step\n- [ ] All tests pass\n  - [ ] also the slow ones\n',
    );
    expect(tasksOf(plan).map((task) => task.steps.length)).toEqual([1]);
    expect(remarks).toEqual(['2 checkboxes without a task number were left out, such as "All tests pass" in line 3.']);
  });

  test('that collide are named', () => {
    expect(imported(spec('T1 [P] in src/a.ts', 'T2 [P] in src/a.ts')).remarks).toEqual([
      'Tasks that are marked as parallel name a file of a neighbour, or depend on it, and wait for it: T2.',
    ]);
  });
});

describe('an entry of a list without a box', () => {
  const steps = (text: string): readonly string[] =>
    tasksOf(imported(text).plan).map((task) =>
      [task.name, ...task.steps.map(({ description }) => description)].join(' / '),
    );

  test('is a task whose steps are the checkboxes in it, and not a part of the one before', () => {
    const text = '- [ ] Heat the oven\n- Dough\n    - [x] rye\n    - [ ] wheat\n- [ ] Shape it\n  - [ ] round\n';
    expect(steps(text)).toEqual(['Heat the oven', 'Dough / rye (already done) / wheat', 'Shape it / round']);
  });

  test('is done when all of them are', () => {
    const { plan, leftOut } = imported('- Dough\n  - [x] rye\n  - [x] wheat\n- [ ] Shape it\n');
    expect(tasksOf(plan).map(({ name }) => name)).toEqual(['Shape it']);
    expect(leftOut.done).toBe(1);
  });

  test('is text of its section where no checkbox is nested in it', () => {
    const { plan, text } = imported(
      '# Bread\n\n- before\n- [ ] Heat the oven\n  - its note\n- between\n\n  more\n- [ ] Bake\n',
    );
    expect(tasksOf(plan).map(({ name, rawText }) => [name, /note|between|more/.exec(rawText)?.[0]])).toEqual([
      ['Heat the oven', 'note'],
      ['Bake', undefined],
    ]);
    expect(text).toContain('> - before\n> - between\n>\n>   more');
  });

  test('labels the tasks in it where tasks have numbers', () => {
    const { plan, remarks } = imported(
      '- [ ] T001 Heat the oven\n- Dough\n  - [ ] T002 Knead it\n- [ ] T003 Bake it\n',
    );
    expect(tasksOf(plan).map(({ rawText }) => /Source:\*\* (.*)/.exec(rawText)?.[1])).toEqual([
      'T001',
      'T002; Dough',
      'T003',
    ]);
    expect(remarks).toEqual([]);
  });
});

describe('a checkbox', () => {
  test.each([
    ['- [ ]2.1 Knead it\n- [x]2.2 Bake it\n', ['Knead it']],
    ['- [ ]Knead it\n- [ ]**Bake** it\n- [ ]`eat` it\n', ['Knead it', '**Bake** it', '`eat` it']],
    ['- [ ]* 1. Knead it\n- [ ] 2. Bake it\n', ['Knead it', 'Bake it']],
    ['- [x](https://example.org) is a link\n- [ ] Bake it\n', ['Bake it']],
    ['- [ ] 1. Knead it\n- [ ] 2a. Bake it\n', ['Knead it', 'Bake it']],
  ])('may be written without a space after it: %j', (text, names) => {
    expect(tasksOf(imported(text).plan).map(({ name }) => name)).toEqual(names);
  });

  test.each([
    ['- [ ] **Knead the_dough**\n- [ ] __Bake it__:\n', ['Knead the_dough', 'Bake it']],
    ['- [ ] 1. **Knead it**\n- [ ] 2. **Bake** and **eat**\n', ['Knead it', '**Bake** and **eat**']],
    ['- [ ] T001 **Knead it**\n- [ ] T002 ****\n', ['Knead it', '****']],
  ])('whose whole name is bold gets a plain name: %j', (text, names) => {
    expect(tasksOf(imported(text).plan).map(({ name }) => name)).toEqual(names);
  });

  test('counts at the start of a line where the file has no list of them', () => {
    const { plan, leftOut } = imported('[x] Knead it\n[] Bake it (round)\n[ ] Eat it\n\nSee [x] and [ ].\n');
    expect(tasksOf(plan).map(({ name }) => name)).toEqual(['Bake it (round)', 'Eat it']);
    expect(leftOut.done).toBe(1);
  });
});

describe('a checkpoint', () => {
  test.each([
    ['- [ ] 1. Knead\n- [ ] 2. Checkpoint - Ensure all tests pass\n', 'task 2'],
    ['- [ ] 1. Knead\n- [ ] 2. Final checkpoint — Ensure all tests pass\n  - Ask the person.\n', 'task 2'],
    ['- [ ] 1.1 Knead\n- [ ] Checkpoint: it has risen\n', '"Checkpoint: it has risen"'],
    ['- [ ] 1. こねる\n- [ ] 2. チェックポイント - 動作確認\n', 'task 2'],
    ['- [ ] Knead\n- [ ] **Checkpoint 1**: it has risen\n', '"**Checkpoint 1**: it has risen"'],
  ])('builds nothing and is left out: %j', (text, name) => {
    const { plan, remarks } = imported(text);
    expect(tasksOf(plan)).toHaveLength(1);
    expect(remarks).toContain(`A checkpoint was left out, because cadre verifies and reviews every task: ${name}.`);
  });

  test('that is checked off counts as done', () => {
    expect(imported('- [ ] 1. Knead\n- [x] 2. Final Checkpoint\n').leftOut.done).toBe(1);
  });

  test.each([
    '- [ ] Knead\n- [ ] Checkpoint the journal\n',
    '- [ ] Knead\n- [ ] Create a checkpoint: weekly\n',
    '- [ ] Knead\n- [ ] Checkpoint: with work in it\n  - [ ] Write the tests\n',
    '- [ ] Knead\n- [ ] \\Checkpoint: a task all the same\n',
    '- [ ] Checkpoint: one\n- [ ] Checkpoint: two\n',
  ])('is not suspected in %j', (text) => {
    expect(tasksOf(imported(text).plan)).toHaveLength(2);
  });
});

describe('tasks of Task Master', () => {
  const tasks = (...waits: readonly (readonly (number | string)[])[]): string =>
    JSON.stringify({ tasks: waits.map((dependencies, index) => ({ id: index + 1, title: 'x', dependencies })) });

  test.each([
    ['in the order of the file if none depends on another', tasks([], []), '1- 2-'],
    ['as soon as those they depend on are done', tasks([], [1], [1], [2, 3]), '1: 2:1 3:1 4:2+3'],
    ['also after a later one', tasks([2], []), '1:2 2:'],
    ['after a task if they depend on its subtask', tasks([], ['1.3']), '1: 2:1'],
    ['without what leads back to themselves', tasks([2], [3], [1]), '1:2 2: 3:1'],
    ['without themselves and unknown ones', tasks([1, 9], [1]), '1: 2:1'],
  ])('run %s', (_what, text, expected) => {
    expect(order(text)).toBe(expected);
  });

  test('do not wait for one that is deferred, which is said', () => {
    const text = JSON.stringify({
      tasks: [
        { id: 1, title: 'a', status: 'deferred' },
        { id: 2, title: 'b', status: 'done' },
        { id: 3, title: 'c', dependencies: [1, 2] },
      ],
    });
    expect(imported(text).remarks).toContain(
      'Tasks depend on others that are cancelled or deferred, and do not wait: task 3 depends on 1.',
    );
  });

  test('may be in tags that are in an object "tags"', () => {
    const text = JSON.stringify({
      version: '1.0',
      tags: { master: { tasks: [{ title: 'a' }] }, night: { tasks: [{ title: 'old' }] } },
      night: { tasks: [{ title: 'b' }] },
    });
    expect(imported(text)).toMatchObject({ otherTags: ['night'] });
    expect(imported(text).text).toContain('### Task 1: a');
    const night = importPlan({ text, path: 'b.json', tag: 'night', all: false, companions: [] });
    expect(night.kind === 'imported' && night.text).toContain('### Task 1: b');
  });

  test('that have neither a title nor a description are left out, and counted', () => {
    const text = '{"tasks": [{"id": 1, "title": "Bake"}, {"id": 2, "job": "code"}]}';
    expect(imported(text).remarks).toEqual(['1 entry of the list is not a task and was left out.']);
    const made = importPlan({
      text: '{"tasks": [{"id": 2, "job": "code"}]}',
      path: 'a.json',
      all: false,
      companions: [],
    });
    expect(made).toMatchObject({ kind: 'refused', code: 'no-tasks' });
  });

  test('of another tag are read if a person asks for it', () => {
    const text = '{"master": {"tasks": [{"title": "a"}]}, "night": {"tasks": [{"title": "b"}]}}';
    const made = importPlan({ text, path: 'tasks.json', tag: 'night', all: false, companions: [] });
    expect(made).toMatchObject({
      title: 'night',
      otherTags: ['master'],
      remarks: [expect.stringContaining('"night"')],
    });
  });
});

describe('the files of a task', () => {
  test.each([
    ['Create src/a/b.ts and `src/c.ts:10-20`', ['create src/a/b.ts', 'create src/c.ts:10-20']],
    ['Add it to `README.md` and App.tsx', ['modify README.md']],
    ['Test it in tests/a_test.py, e2e/b.ts.', ['test tests/a_test.py', 'test e2e/b.ts']],
    ['Delete `src/old.ts`', ['delete src/old.ts']],
    ['Remove a comment from src/old.ts', ['modify src/old.ts']],
    ['Review src/a.ts', ['reference src/a.ts']],
    ['Write it like src/a.ts', ['reference src/a.ts']],
    ['See https://example.org/a.html and example.com/b.html', []],
    ['Change /etc/hosts.conf, ~/x/y.sh, ../up.ts, src/*.ts, src/models/ and a/b', []],
    ['Run `npm run build` and `expr.value`', []],
    ['パン：`src/パン.ts`を作る', ['modify src/パン.ts']],
  ])('%s', (name, expected) => {
    expect(
      filesNamedIn(name, []).map(({ action, path, lines }) => `${action} ${path}${lines === null ? '' : `:${lines}`}`),
    ).toEqual(expected);
  });
});

describe('the files in the text of a task', () => {
  test.each([
    [
      'Database',
      '1. Create `src/schema.rs` with tables\n2. Update `Cargo.toml`',
      ['create src/schema.rs', 'modify Cargo.toml'],
    ],
    [
      'Create the server',
      'Update `src/main.rs`, then extend the file src/lib.rs',
      ['modify src/main.rs', 'modify src/lib.rs'],
    ],
    ['Create the server', 'It is in `src/server.rs`', ['create src/server.rs']],
    ['Models', 'Create a new file at `src/models.rs`', ['create src/models.rs']],
    ['Implement the catalog', 'Create a new page `pages/catalog.js`', ['create pages/catalog.js']],
    ['Implement the catalog', 'Create a form in `pages/catalog.js`', ['modify pages/catalog.js']],
    ['Implement the catalog', 'Update what you create `pages/catalog.js`', ['create pages/catalog.js']],
    ['Create the catalog', 'Update the old page component `pages/catalog.js`', ['modify pages/catalog.js']],
    ['Create the script', 'See contract: `contracts/state.md`', ['reference contracts/state.md']],
    ['Rewrite `a/b.md`', 'Remove the reference to `old/c.sh`', ['modify a/b.md', 'reference old/c.sh']],
    ['Add a flag', 'Delete `src/old.ts`', ['modify src/old.ts']],
    ['Verify the build', 'Update `Cargo.toml`', ['reference Cargo.toml']],
  ])('%s: %s', (name, text, expected) => {
    expect(filesNamedIn(name, [text]).map(({ action, path }) => `${action} ${path}`)).toEqual(expected);
  });
});

describe('the name of a task', () => {
  test.each([
    ['Short', 'Short'],
    ['A sentence.', 'A sentence'],
    ['And so on ...', 'And so on ...'],
    [
      `The first sentence, which says it all. ${'And more. '.repeat(20)}`.trim(),
      /^The first sentence, which says it all\. And more\..*[^.]$/,
    ],
    [
      `A clause that is long enough to be a name, ${'and another one '.repeat(10)}`.trim(),
      'A clause that is long enough to be a name …',
    ],
    [`Write the function that does what \`${'a'.repeat(90)}\` did`, 'Write the function that does what …'],
    ['x'.repeat(150), `${'x'.repeat(100)} …`],
  ])('%j', (line, expected) => {
    if (typeof expected === 'string') expect(shortName(line)).toBe(expected);
    else expect(shortName(line)).toMatch(expected);
    expect(shortName(line).length).toBeLessThanOrEqual(103);
  });

  test('is followed by the whole line where it was cut', () => {
    const line = `Bake ${'a loaf of bread, '.repeat(10)}and eat it`;
    const [task] = tasksOf(imported(`- [ ] ${line}\n`).plan);
    expect(task?.name).toMatch(/^Bake .* …$/);
    expect(task?.rawText).toContain(`> ${line}`);
  });
});

describe('the title of a plan', () => {
  test.each([
    ['# Tasks: Bread', 'Bread'],
    ['# Implementation Plan', 'B'],
    ['# TODO', 'B'],
    ['# Tasks 057 — Bread', 'Plan: Tasks 057 — Bread'],
    ['# Tasks: Phase 1 — Bread', 'Plan: Phase 1 — Bread'],
    ['# Task list of the bakery', 'Plan: Task list of the bakery'],
    ['# Goal', 'Plan: Goal'],
    ['# Version 2 of the bread', 'Version 2 of the bread'],
  ])('%s', (heading, title) => {
    const made = importPlan({
      text: `${heading}\n\n- [ ] a\n`,
      path: 'specs/001-b/tasks.md',
      all: false,
      companions: [],
    });
    expect(made).toMatchObject({ title });
    expect(parse(made.kind === 'imported' ? made.text : '')).toMatchObject({ plan: { title }, problems: [] });
  });
});

describe('the name of a phase', () => {
  test.each([
    ['Phase 2: Dough', 'Dough'],
    ['フェーズ2: 生地', '生地'],
    ['第2阶段：面团', '面团'],
    ['Fase 2 - Massa', 'Massa'],
  ])('has no number: %s', (heading, name) => {
    const { plan } = imported(`## ${heading}\n\n- [ ] a\n\n## Oven\n\n- [ ] b\n`);
    expect(plan.phases.map((phase) => phase.name)).toEqual([name, 'Oven']);
  });
});

describe('the name of a plan', () => {
  test.each([
    ['specs/001-user-login/tasks.md', '001-user-login'],
    ['openspec/changes/add-dark-mode/tasks.md', 'add-dark-mode'],
    ['.kiro/specs/oven timer/tasks.md', 'oven-timer'],
    ['.taskmaster/tasks/tasks.json', 'tasks'],
    ['TODO.md', 'TODO'],
    ['docs/パン.md', 'パン'],
    ['../../etc/..md', 'etc'],
    ['a/--x..y--.md', 'x-y'],
  ])('from %s is %s', (path, name) => {
    expect(planNameFrom(path)).toBe(name);
  });
});
