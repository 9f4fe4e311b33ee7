// A planning document is read strictly, and every violation says where it is, what is wrong, and what is expected.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readPlanningDocument } from '../../src/workshop/planning-document.ts';
import type { FileIntent, PlannedFile, PlannedTask, PlanningDocument } from '../../src/workshop/structured-plan.ts';
import { planningDocuments, planningDocumentWith, taskWith } from '../support/planning-documents.ts';

const GOOD = planningDocumentWith();
const JSON_TEXT = JSON.stringify(GOOD, null, 2);

function violations(text: string): readonly string[] {
  const read = readPlanningDocument(text);
  return read.ok ? [] : read.violations;
}

function violationsOf(document: unknown): readonly string[] {
  return violations(JSON.stringify(document));
}

test('a document is read as it is', () => {
  expect(readPlanningDocument(JSON_TEXT)).toEqual({ ok: true, document: GOOD });
});

test('generated documents are read', () => {
  fc.assert(
    fc.property(planningDocuments, (document) => {
      expect(violationsOf(document)).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test.each([
  ['a fence', `\`\`\`json\n${JSON_TEXT}\n\`\`\``],
  ['a fence with tildes and blank lines', `\n\n~~~\n${JSON_TEXT}\n~~~\n\n`],
  ['a byte order mark', `\ufeff${JSON_TEXT}`],
  ['white space', `\n \t${JSON_TEXT}\r\n\n`],
])('%s around the document is harmless', (_, text) => {
  expect(readPlanningDocument(text)).toEqual({ ok: true, document: GOOD });
});

test('line ends, white space in lines and repeated dependencies do not matter', () => {
  const [first, second] = GOOD.work.tasks;
  if (first === undefined || second === undefined) throw new Error('The example has two tasks.');
  const document = {
    ...GOOD,
    title: '  Full-text \n search ',
    context: GOOD.context.replace('. ', '.\r\n\r\n'),
    work: { ...GOOD.work, tasks: [first, { ...second, depends: ['tokenizer', 'tokenizer'] }] },
    file_plan: GOOD.file_plan.map((file) => ({ ...file, path: `${file.path} ` })),
  };
  const read = readPlanningDocument(JSON.stringify(document));
  expect(read).toMatchObject({ ok: true, document: { title: 'Full-text search', file_plan: GOOD.file_plan } });
  expect(read.ok && read.document.context).toBe(GOOD.context.replace('. ', '.\n\n'));
  expect(read.ok && read.document.work).toEqual(GOOD.work);
});

describe('what is not JSON is reported with its line and column', () => {
  test.each([
    ['', 'the document cannot be read: it is empty; expected one JSON object'],
    ['Here is the plan.', 'line 1, column 1: not JSON at "Here is the plan.": a value is expected'],
    ['{\n  "id": "a",\n}', 'line 3, column 1: not JSON at "}": a name in double quotes is expected'],
    [
      '```json\n{\n  id: 1\n}\n```',
      'line 3, column 3: not JSON at "id: 1": a name in double quotes or "}" is expected',
    ],
    ['{"id": "a" "title": 1}', 'line 1, column 12: not JSON at "\\"title\\": 1}": "," or the end is expected'],
    ['{"id": "a"', 'line 1, column 11: not JSON at the end of the line: "," or the end is expected'],
    [
      '{"id": "a',
      'line 1, column 10: not JSON at the end of the line: the text is not closed; expected a double quote',
    ],
    [
      '{"id": "a\nb"}',
      'line 1, column 10: not JSON at the end of the line: a text contains a raw line break, tab or control character; write it as "\\n"',
    ],
    [
      '{"id": "C:\\dir"}',
      'line 1, column 11: not JSON at "\\\\dir\\"}": "\\d" is not an escape; a backslash in a text is written as "\\\\"',
    ],
    ['{"id": 1, "id": 2}', 'line 1, column 11: not JSON at "\\"id\\": 2}": the name "id" appears twice'],
    ['{}\n{}', 'line 2, column 1: not JSON at "{}": nothing more is expected'],
    ['[1, 2', 'line 1, column 6: not JSON at the end of the line: "," or the end is expected'],
    ['<<<<<<< HEAD\n{}', 'the document cannot be read: it has a git conflict at line 1; expected one JSON object'],
    ['[[', 'line 1, column 3: not JSON at the end of the line: a value or "]" is expected'],
  ])('%j', (text, violation) => {
    expect(violations(text)).toEqual([violation]);
  });

  test('a document that is too large is not read', () => {
    expect(violations('x'.repeat(400_001))).toEqual(['the document has 400001 characters; expected at most 400000']);
  });

  test('a text that is nested too deeply, or very long, does no harm', () => {
    expect(violations('['.repeat(100_000))).toHaveLength(1);
    expect(violations(`{"id": "${'a'.repeat(390_000)}`)).toHaveLength(1);
    expect(violations(`{"id": "${'\\n'.repeat(190_000)}"}`).length).toBeGreaterThan(1);
  });
});

describe('the structure is reported with paths', () => {
  test.each<readonly [change: (document: Draft) => void, violation: string]>([
    [
      (it) => delete it.goals,
      'goals: missing; expected a list of 1 to 50 entries, each a text of at most 1000 characters',
    ],
    [(it) => delete it.work, 'work: missing; expected an object with "milestones", "tasks"'],
    [(it) => assign(it, { goals: [] }), 'goals: the list has 0 entries; expected 1 to 50'],
    [
      (it) => assign(it, { risks: 'none' }),
      'risks: found a text; expected a list of at most 50 entries, each an object with "text", "mitigation" ([] if there are none)',
    ],
    [(it) => assign(it, { notes: [1] }), 'notes[0]: found a number; expected a text of at most 1000 characters'],
    [(it) => assign(it, { title: ' ' }), 'title: the text is empty; expected a text of at most 160 characters'],
    [
      (it) => assign(it, { title: 'x'.repeat(161) }),
      'title: the text has 161 characters; expected a text of at most 160 characters',
    ],
    [
      (it) => assign(it, { context: 'a\u0007' }),
      'context: the text contains a control character or an invalid one; expected a text of at most 20000 characters',
    ],
    [(it) => assign(it, { techStack: [] }), 'techStack: unknown key; did you mean "tech_stack"?'],
    [(it) => assign(it, { files: [] }), 'files: unknown key; did you mean "file_plan"?'],
    [
      (it) => assign(it, { scope: { in: [], out: [], maybe: [] } }),
      'scope.maybe: unknown key; expected only "in", "out"',
    ],
    [(it) => assign(it, { 'a b': 1 }), expect.stringMatching(/^"a b": unknown key; expected only "id", "title", /)],
    [
      (it) => assign(task(it), { kind: 'feat' }),
      expect.stringMatching(/^work\.tasks\[0\]\.kind: found "feat"; .*did you mean "feature"\?$/),
    ],
    [(it) => assign(task(it), { dependsOn: [] }), 'work.tasks[0].dependsOn: unknown key; did you mean "depends"?'],
    [
      (it) => assign(task(it), { id: 'a task' }),
      'work.tasks[0].id: "a task" is not valid; expected an id of at most 64 letters, digits, ".", "_" and "-", such as "index-notes"',
    ],
    [
      (it) => assign(task(it), { steps: [{ title: 'x', run: null }] }),
      'work.tasks[0].steps[0].run: found null; expected a text of at most 4000 characters',
    ],
    [
      (it) => assign(task(it), { steps: [{ titel: 'x' }] }),
      'work.tasks[0].steps[0].titel: unknown key; did you mean "title"?',
    ],
  ])('a mistake in the structure is reported with its path (%#)', (change, violation) => {
    const document: Draft = JSON.parse(JSON_TEXT);
    change(document);
    expect(violationsOf(document)).toContainEqual(violation);
  });

  test.each([
    ['[]', 'a list'],
    ['null', 'null'],
    ['3', 'a number'],
    ['"x"', 'a text'],
    ['true', 'true or false'],
  ])('%s is not a document', (text, what) => {
    expect(violations(text)).toEqual([
      expect.stringMatching(new RegExp(`^the document: found ${what}; expected an object`)),
    ]);
  });

  test('all violations are reported at once, up to twenty', () => {
    const document = { ...GOOD, notes: Array.from({ length: 30 }, () => 0), goals: null };
    const found = violationsOf(document);
    expect(found).toHaveLength(21);
    expect(found.at(-1)).toBe('11 more violations are not listed');
  });
});

function assign(target: object, values: object): void {
  Object.assign(target, values);
}

function task({ work }: Draft): object {
  return work?.tasks[0] ?? {};
}

/** The parsed document, with anything in it. */
interface Draft {
  [key: string]: unknown;
  goals?: unknown;
  work?: { readonly tasks: readonly object[] };
}

const MILESTONES = [
  { id: 'one', title: 'One' },
  { id: 'two', title: 'Two', parallel: true },
];

/** A plan with these tasks, in two milestones of which the second is parallel. */
function planOf(tasks: readonly PlannedTask[], files: readonly PlannedFile[] = []): PlanningDocument {
  const rest = [taskWith({ id: 'first', milestone: 'one' }), taskWith({ id: 'last', milestone: 'two' })];
  const work = { milestones: MILESTONES, tasks: [...tasks, ...rest] };
  return { ...GOOD, work, file_plan: files, acceptance_criteria: [{ id: 'AC1', text: 'It is done.' }] };
}

function file(path: string, intent: FileIntent, task: string): PlannedFile {
  return { path, intent, task };
}

function one(parts: Partial<PlannedTask> & { readonly id: string }): PlannedTask {
  return taskWith({ milestone: 'one', ...parts });
}

function two(parts: Partial<PlannedTask> & { readonly id: string }): PlannedTask {
  return taskWith({ milestone: 'two', ...parts });
}

test('a plan without files, of chores, is accepted', () => {
  expect(violationsOf(planOf([]))).toEqual([]);
});

describe('ids and references', () => {
  test.each<readonly [string, PlanningDocument, string]>([
    [
      'a plan name',
      { ...GOOD, id: 'a/b' },
      'id: "a/b" cannot be the name of a plan; expected letters, digits, ".", "_", "+" and "-", such as "full-text-search"',
    ],
    [
      'a task twice',
      planOf([one({ id: 'first' })]),
      'work.tasks[1].id: "first" is also the id of work.tasks[0]; expected another id',
    ],
    [
      'a milestone twice',
      { ...planOf([]), work: { ...planOf([]).work, milestones: [...MILESTONES, { id: 'one', title: 'x' }] } },
      'work.milestones[2].id: "one" is also the id of work.milestones[0]; expected another id',
    ],
    [
      'a criterion twice',
      { ...planOf([]), acceptance_criteria: ['a', 'b'].map((text) => ({ id: 'AC1', text })) },
      'acceptance_criteria[1].id: "AC1" is also the id of acceptance_criteria[0]; expected another id',
    ],
    [
      'a milestone',
      planOf([one({ id: 'a', milestone: 'x' })]),
      'work.tasks[0].milestone: there is no milestone "x"; expected one of "one", "two"',
    ],
    [
      'a dependency',
      planOf([one({ id: 'a', depends: ['x'] })]),
      'work.tasks[0].depends[0]: there is no task "x"; expected one of "a", "first", "last"',
    ],
    [
      'the task of a criterion',
      { ...planOf([]), acceptance_criteria: [{ id: 'AC1', text: 'x', task: 'y' }] },
      'acceptance_criteria[0].task: there is no task "y"; expected one of "first", "last"',
    ],
    [
      'the task of a file',
      planOf([], [file('a', 'create', 'y')]),
      'file_plan[0].task: there is no task "y"; expected one of "first", "last"',
    ],
    [
      'a later milestone',
      planOf([one({ id: 'a', depends: ['last'] })]),
      'work.tasks[0].depends[0]: "last" is in the later milestone "two"; expected a task of "one" or of an earlier milestone',
    ],
    [
      'a cycle',
      planOf([one({ id: 'a', depends: ['b'] }), one({ id: 'b', depends: ['c'] }), one({ id: 'c', depends: ['a'] })]),
      'work.tasks: these tasks wait for each other: a -> b -> c -> a; expected "depends" without a cycle',
    ],
    [
      'itself',
      planOf([one({ id: 'a', depends: ['a'] })]),
      'work.tasks: these tasks wait for each other: a -> a; expected "depends" without a cycle',
    ],
    [
      'an empty milestone',
      { ...planOf([]), work: { ...planOf([]).work, milestones: [...MILESTONES, { id: 'x', title: 'X' }] } },
      'work.milestones[2]: no task is in milestone "x"; expected at least one, or no such milestone',
    ],
  ])('%s', (_, document, violation) => {
    expect(violationsOf(document)).toEqual([violation]);
  });
});

describe('files', () => {
  const at = 'file_plan[0].path:';
  test.each([
    ['../a', `${at} "../a" is not a path of the repository: it contains ".."; expected a path inside the repository`],
    [
      'a/../../b',
      `${at} "a/../../b" is not a path of the repository: it contains ".."; expected a path inside the repository`,
    ],
    [
      '/etc/passwd',
      `${at} "/etc/passwd" is not a path of the repository: it is absolute; expected a path relative to the root of the repository`,
    ],
    [
      '~/x',
      `${at} "~/x" is not a path of the repository: it is absolute; expected a path relative to the root of the repository`,
    ],
    [
      'C:/x',
      `${at} "C:/x" is not a path of the repository: it is absolute; expected a path relative to the root of the repository`,
    ],
    ['a\\b', `${at} "a\\\\b" is not a path of the repository: it contains "\\"; expected "/" between folders`],
    [
      './a',
      `${at} "./a" is not a path of the repository: it contains an empty or "." segment; expected it in its shortest form`,
    ],
    [
      'a//b',
      `${at} "a//b" is not a path of the repository: it contains an empty or "." segment; expected it in its shortest form`,
    ],
    [
      'a/',
      `${at} "a/" is not a path of the repository: it ends in "/"; expected the path of one file, not of a folder`,
    ],
    [
      '.git/config',
      `${at} ".git/config" is not a path of the repository: it is inside ".git"; expected a file that git tracks`,
    ],
    [
      'x/.GIT/hooks/a',
      `${at} "x/.GIT/hooks/a" is not a path of the repository: it is inside ".git"; expected a file that git tracks`,
    ],
    ['src/*.ts', `${at} "src/*.ts" is not a path of the repository: it contains "*"; expected the path of one file`],
    [
      'a.ts:10-20',
      `${at} "a.ts:10-20" is not a path of the repository: it contains ":"; expected only the path, without line numbers`,
    ],
    ['a`b', `${at} "a\`b" is not a path of the repository: it contains "\`"; expected the path of one file`],
    [
      'a/ b',
      `${at} "a/ b" is not a path of the repository: a folder or file name in it starts or ends with white space; expected a name without it`,
    ],
  ])('%s is refused', (path, violation) => {
    expect(violationsOf(planOf([], [file(path, 'create', 'first')]))).toEqual([violation]);
  });

  test.each(['.gitignore', '.github/a.yml', 'a b/c.md', 'app/[id]/(x)/page.tsx', 'docs/größe.md', 'x.git/a'])(
    '%s is accepted',
    (path) => {
      expect(violationsOf(planOf([], [file(path, 'create', 'first')]))).toEqual([]);
    },
  );

  test('the name of a file may not look like an unfinished commit', () => {
    expect(violationsOf(planOf([], [file("git commit -m 'x", 'create', 'first')]))).toEqual([
      'file_plan[0].path: the quotes after "git commit" are not closed; expected a complete command',
    ]);
  });

  test('a file is listed once for each task', () => {
    const files = [file('a', 'create', 'first'), file('a', 'test', 'first'), file('a', 'update', 'last')];
    expect(violationsOf(planOf([], files))).toEqual([
      'file_plan[1]: "a" is already listed for "first" in file_plan[0]; expected one entry for each file of a task',
    ]);
  });

  test('every task but a chore changes a file', () => {
    const tasks = [one({ id: 'a', kind: 'docs' }), one({ id: 'b', kind: 'feature' }), one({ id: 'c', kind: 'chore' })];
    expect(violationsOf(planOf(tasks, [file('x', 'reference', 'a'), file('y', 'delete', 'b')]))).toEqual([
      'work.tasks[0]: file_plan has no file that "a" changes; expected one, or the kind "chore" if it changes none',
    ]);
  });

  test.each<readonly [string, readonly PlannedTask[], number]>([
    ['tasks of a parallel milestone', [two({ id: 'a' }), two({ id: 'b' })], 1],
    [
      'tasks that depend on less than the order says',
      [one({ id: 'x' }), one({ id: 'a' }), one({ id: 'b', depends: ['x'] })],
      1,
    ],
    ['parallel tasks of which one waits for the other', [two({ id: 'a' }), two({ id: 'b', depends: ['a'] })], 0],
    [
      'parallel tasks with one between them',
      [two({ id: 'a' }), two({ id: 'x', depends: ['a'] }), two({ id: 'b', depends: ['x'] })],
      0,
    ],
    ['tasks of a milestone that is not parallel', [one({ id: 'a' }), one({ id: 'b' })], 0],
    ['tasks of different milestones', [one({ id: 'a' }), two({ id: 'b' })], 0],
  ])('a file that two tasks change: %s', (_, tasks, count) => {
    const found = violationsOf(planOf(tasks, [file('f', 'create', 'a'), file('f', 'update', 'b')]));
    expect(found).toEqual(
      Array.from(
        { length: count },
        () =>
          'file_plan[1]: "f" is also changed by "a", which may run at the same time as "b"; expected one of them to depend on the other, or one task for both',
      ),
    );
  });

  test('a file may be read while another task changes it', () => {
    const tasks = [two({ id: 'a' }), two({ id: 'b' })];
    expect(violationsOf(planOf(tasks, [file('f', 'create', 'a'), file('f', 'reference', 'b')]))).toEqual([]);
  });
});

describe('texts of tasks', () => {
  test.each(['x (parallel)', '(in parallel) x', '[Parallel] x', 'x (paralel)'])(
    'the title "%s" is refused',
    (title) => {
      const expected =
        'the title says "parallel" in parentheses; expected a title without it, and "parallel": true in the milestone';
      expect(violationsOf(planOf([one({ id: 'a', title })]))).toEqual([`work.tasks[0].title: ${expected}`]);
      const milestones = [{ id: 'one', title }, ...MILESTONES.slice(1)];
      const document = planOf([]);
      expect(violationsOf({ ...document, work: { ...document.work, milestones } })).toEqual([
        `work.milestones[0].title: ${expected}`,
      ]);
    },
  );

  test.each(['TBD', 'todo', '...', '(to be decided)', '???'])('the placeholder "%s" is refused', (text) => {
    const document = planOf([one({ id: 'a', description: text, test: text })]);
    expect(violationsOf(document)).toEqual([
      `work.tasks[0].description: "${text}" is a placeholder; expected what the implementer needs to know`,
      `work.tasks[0].test: "${text}" is a placeholder; expected what the implementer needs to know`,
    ]);
  });

  test.each(['Remove the TODO in a.ts', '日本', 'x', 'No'])('"%s" is not a placeholder', (text) => {
    expect(violationsOf(planOf([one({ id: 'a', description: text, test: text })]))).toEqual([]);
  });

  test('a command with an open quote would swallow the commit message', () => {
    const steps = [{ title: 'Save', run: 'git commit -m "half' }];
    expect(violationsOf(planOf([one({ id: 'a', steps })]))).toEqual([
      'work.tasks[0].steps[0].run: the quotes after "git commit" are not closed; expected a complete command',
    ]);
    expect(violationsOf(planOf([one({ id: 'a', steps: [{ title: 'Save', run: 'git commit -m "all"' }] })]))).toEqual(
      [],
    );
  });
});
