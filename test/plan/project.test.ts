// A plan that is written and read again is the same plan, as far as markdown can express it.
//
// Markdown cannot express the following, so these plans do not contain it: line breaks and outer white space in names,
// descriptions and paths; a phase name that ends in "(parallel)" without meaning it; "**" in a description; backticks in a
// path, or a path that ends like line numbers; empty commands and expectations, and carriage returns in them; a commit
// message longer than 4,000 characters, or one that quotes "git commit".
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isUsable, parse } from '../../src/plan/parse.ts';
import type { FileReference, Interfaces, Phase, Plan, Task, TaskStep } from '../../src/plan/plan.ts';
import { project } from '../../src/plan/project.ts';
import { graphOf, planTexts, tasksOf } from '../support/plan-texts.ts';

const ODD = [
  [
    '#',
    ' #',
    '##',
    '*',
    '**',
    '_',
    '`',
    '```',
    '~~~',
    '>',
    '- ',
    '1. ',
    ':',
    '—',
    '.',
    ')',
    '(parallel)',
    '(Parallel)',
  ],
  [
    'Task 1: x',
    'Phase 2',
    'Step 3',
    '**Depends on:** 1',
    '**Files:**',
    '<!--',
    '<div>',
    '[x]',
    '---',
    '===',
    '|',
    '\\',
  ],
  ['é', '日本', '🚧', '\u200f', '\u00a0', '\0', '__proto__', 'constructor', 'a', 'b', ' ', '"', "'", '$(x)', '$', '\t'],
].flat();

const pieces = fc
  .array(fc.oneof(fc.constantFrom(...ODD), fc.string({ unit: 'grapheme', maxLength: 4 })), { maxLength: 5 })
  .map((all) => all.join(''));
const oneLine = pieces.map((text) => text.replace(/[\r\n]+/g, ' ').trim());
const lines = fc.array(pieces, { minLength: 1, maxLength: 4 }).map((all) => all.join('\n').replaceAll('\r', ''));

const files: fc.Arbitrary<FileReference> = fc.record({
  action: fc.constantFrom(
    'create' as const,
    'modify' as const,
    'test' as const,
    'delete' as const,
    'reference' as const,
  ),
  path: oneLine
    .map((path) => path.replaceAll('`', ''))
    .filter((path) => path.trim() === path && !/:\s*\d\S*$/.test(path)),
  lines: fc.constant(null),
  line: fc.constant(0),
});
const filesWithLines = fc
  .tuple(files, fc.constantFrom(null, '7', '10-20', '1,3-5', '2–4'))
  .map(([file, lines]) => (file.path === '' ? file : { ...file, lines }));
const filled = lines.filter((text) => text !== '' && !text.includes('git commit'));
const steps: fc.Arbitrary<TaskStep> = fc.record({
  number: fc.nat({ max: 999_999_999 }),
  description: oneLine.map((text) => text.replaceAll('**', '').trim()).filter((text) => !text.includes('**')),
  command: fc.option(filled),
  expected: fc.option(filled),
  line: fc.constant(0),
});
const messages = lines.filter((text) => !text.includes('git commit'));

const entries = fc.constantFrom('`split(text: string): string[]`', '`Index.add` from task 1', 'a table of words');
const interfaces: fc.Arbitrary<Interfaces> = fc.record({
  consumes: fc.array(entries, { maxLength: 2 }),
  produces: fc.array(entries, { maxLength: 2 }),
});

interface Draft {
  readonly interfaces: Interfaces | null;
  readonly profile: string | null;
  readonly testFirst: boolean;
  readonly name: string;
  readonly dependsOn: readonly number[] | null;
  readonly files: readonly FileReference[];
  readonly steps: readonly TaskStep[];
  readonly commitMessage: string | null;
}

const drafts: fc.Arbitrary<Draft> = fc.record({
  name: oneLine,
  dependsOn: fc.option(fc.uniqueArray(fc.nat({ max: 30 }), { maxLength: 4 })),
  files: fc.array(filesWithLines, { maxLength: 3 }),
  steps: fc.array(steps, { maxLength: 3 }),
  commitMessage: fc.option(messages),
  interfaces: fc.option(interfaces),
  profile: fc.option(fc.constantFrom('fast', 'deep_thought')),
  testFirst: fc.boolean(),
});

const phases = fc.record({
  name: oneLine,
  parallel: fc.boolean(),
  restarts: fc.boolean(),
  tasks: fc.array(drafts, { maxLength: 4 }),
});

/** Phases and tasks are numbered in order; if a phase restarts at 1, numbers repeat and addresses have two parts. */
const plans: fc.Arbitrary<Plan> = fc
  .record({ firstPhase: fc.constantFrom(0, 1), phases: fc.array(phases, { maxLength: 4 }) })
  .map(({ firstPhase, phases }) => {
    let last = 0;
    const numbered = phases.map((phase, at) => {
      if (phase.restarts) last = 0;
      return { phase, number: firstPhase + at, tasks: phase.tasks.map((draft) => ({ draft, number: ++last })) };
    });
    const all = numbered.flatMap(({ number: phase, tasks }) => tasks.map(({ number }) => ({ phase, number })));
    const addressOf = (phase: number, number: number): string =>
      all.filter((other) => other.number === number).length > 1 ? `${phase}.${number}` : `${number}`;
    const addresses = all.map(({ phase, number }) => addressOf(phase, number));
    const named = (choices: readonly number[]): readonly string[] => [
      ...new Set(choices.flatMap((choice) => addresses[choice % addresses.length] ?? [])),
    ];
    return {
      ...{
        filePath: '',
        title: 'A plan',
        goal: 'all of it',
        architecture: null,
        techStack: 'stone',
        constraints: '- no mortar\n- dry stone',
      },
      phases: numbered.map(({ phase: { name, parallel }, number, tasks }): Phase => {
        const unmarked = parallel ? name : withoutMark(name);
        return {
          ...{ number, name: unmarked, parallel, line: 0 },
          tasks: tasks.map(({ draft, number: own }): Task => {
            const { dependsOn, ...rest } = draft;
            const waits = dependsOn === null ? null : named(dependsOn);
            const place = { rawText: '', line: 0, start: 0 };
            return {
              ...rest,
              ...place,
              number: own,
              written: `${own}`,
              address: addressOf(number, own),
              dependsOn: waits,
            };
          }),
        };
      }),
    };
  });

function withoutMark(name: string): string {
  return /\(parallel\)$/i.test(name) ? `${name}!` : name;
}

describe('a plan with any values', { timeout: 60_000 }, () => {
  test('keeps its phases, its tasks and their dependencies', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        expect(graphOf(again(plan))).toEqual(graphOf(plan));
      }),
      { numRuns: 2_000 },
    );
  });

  test('keeps the files of its tasks', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        expect(tasksOf(again(plan)).map(filesIn)).toEqual(tasksOf(plan).map(filesIn));
      }),
      { numRuns: 1_000 },
    );
  });

  test('keeps the steps of its tasks, with their commands and expectations', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        expect(tasksOf(again(plan)).map(stepsIn)).toEqual(tasksOf(plan).map(stepsIn));
      }),
      { numRuns: 1_000 },
    );
  });

  test('keeps the commit messages of its tasks', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        expect(tasksOf(again(plan)).map((task) => task.commitMessage)).toEqual(
          tasksOf(plan).map((task) => task.commitMessage),
        );
      }),
      { numRuns: 1_000 },
    );
  });

  test('keeps the interfaces and profiles of its tasks, and whether a test comes first', () => {
    const said = ({ interfaces, profile, testFirst }: Task) => ({ interfaces, profile, testFirst });
    fc.assert(
      fc.property(plans, (plan) => {
        expect(tasksOf(again(plan)).map(said)).toEqual(tasksOf(plan).map(said));
      }),
      { numRuns: 1_000 },
    );
  });

  test('keeps its header', () => {
    fc.assert(
      fc.property(plans, (plan) => {
        const { title, goal, architecture, techStack, constraints } = plan;
        expect(again(plan)).toMatchObject({ title, goal, architecture, techStack, constraints });
      }),
      { numRuns: 300 },
    );
  });
});

test('a parsed plan keeps its phases and tasks, for any text', { timeout: 60_000 }, () => {
  fc.assert(
    fc.property(planTexts, (text) => {
      const { plan, problems } = parse(text);
      fc.pre(isUsable(problems));
      expect(graphOf(again(plan))).toEqual(graphOf(plan));
    }),
    { numRuns: 3_000 },
  );
});

describe('a parsed plan keeps', () => {
  test('a phase 0 without a name and tasks', () => {
    expect(graphOf(again(parse('## Phase 0\n\n## Phase 1: Walls\n').plan))).toMatchObject([
      { number: 0 },
      { number: 1 },
    ]);
  });

  test('a step without a command that a commit follows', () => {
    const { plan } = parse('### Task 1: a\n\n**Step 1: Commit with `git commit -m "done"`**\n');
    expect(tasksOf(plan)).toMatchObject([{ commitMessage: 'done', steps: [{ command: null }] }]);
    expect(tasksOf(again(plan)).map(stepsIn)).toEqual(tasksOf(plan).map(stepsIn));
  });

  test('the commit message, even if the command of a step makes another commit', () => {
    const { plan } = parse(
      '### Task 1: a\n\n**Step 1: Save**\n\n```sh\ngit commit -m "first"\n```\n\nAt the end `git commit -m "last"`.\n',
    );
    expect(tasksOf(plan)).toMatchObject([{ commitMessage: 'last' }]);
    expect(tasksOf(again(plan))).toMatchObject([{ commitMessage: 'last' }]);
  });

  test('the order, even if an unmarked step, a label and a line of dashes follow each other', () => {
    const { plan } = parse('# Task 6: High\nStep 5: look\nDepends on: 404\n- \n');
    expect(tasksOf(plan)).toMatchObject([{ dependsOn: [], steps: [] }]);
    expect(graphOf(again(plan))).toEqual(graphOf(plan));
  });

  test('a step whose heading has several lines', () => {
    const { plan } = parse('### Task 6: High\n\n- Step 5: look\n  Depends on: none\n  ===\n');
    expect(tasksOf(plan)).toMatchObject([{ dependsOn: null, steps: [{ description: 'look Depends on: none' }] }]);
    expect(tasksOf(again(plan))).toMatchObject([{ dependsOn: null }]);
  });

  test('an indented expectation', () => {
    const { plan } = parse('### Task 1: a\n\n**Step 1: Look**\n\nExpected:\n\n```\n  ok\n```\n');
    expect(tasksOf(plan)[0]?.steps).toMatchObject([{ expected: '  ok' }]);
    expect(tasksOf(again(plan))[0]?.steps).toMatchObject([{ expected: '  ok' }]);
  });
});

test('a plan is written as people write plans', () => {
  const text = [
    '# House',
    '**Goal:** live in it',
    '## Phase 1: Ground (parallel)',
    '### Task 1: Dig',
    '**Depends on:** none',
    '**Files:**\n\n- Create: `hole.ts`\n- Modify: `garden.ts:10-20`',
    '**Step 1:** Write the test',
    '```sh\nnpm test\n```',
    'Expected: it fails',
    'Commit:\n\n```commit\ngit commit -m "dig"\n```',
    '### Task 2: Pour',
    '**Depends on:** 1',
  ].join('\n\n');
  expect(project(parse(text).plan)).toBe(`${text}\n`);
});

function again(plan: Plan): Plan {
  return parse(project(plan)).plan;
}

function filesIn({ files }: Task): unknown {
  return files.map(({ action, path, lines }) => ({ action, path, lines }));
}

function stepsIn({ steps }: Task): unknown {
  return steps.map(({ number, description, command, expected }) => ({ number, description, command, expected }));
}
