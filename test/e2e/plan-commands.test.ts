// cadre plan show, lint, diff and use, and cadre why for a task, as a person types them.
import { existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readPlan } from '../../src/adapters/plans/plan-files.ts';
import { disk } from '../../src/adapters/system/disk.ts';
import { readEvents } from '../../src/core/rules/plan/outline.ts';
import { contentsOf, named, openPieces } from '../support/pieces.ts';
import { inOverview, lastRead, planOf, taskOf } from '../support/plan-files.ts';
import { logOf } from '../support/plans.ts';
import { type Ran, type Repo, startEngine, temporaryRepo } from '../support/repo.ts';
import { USER } from '../support/world.ts';

const HOUSE = `# House

**Goal:** a place to live

## Phase 1: Ground

### Task 1: Dig

**Files:**

- Create: \`hole.txt:1-3\`

**Step 1: Dig a hole**

Run: \`make hole\`

Expected: a hole

\`\`\`sh
git commit -m "a hole"
\`\`\`

### Task 2: Pour

## Phase 2: Walls (parallel)

### Task 1: North

### Task 2: South

Depends on: Task 1.1
`;

describe('plan show', () => {
  test('shows the plan as a tree', () => {
    const repo = repoWith({ 'house.md': HOUSE });
    const { code, stdout, stderr } = repo.cadre('plan', 'show', 'house');
    expect([code, stderr]).toEqual([0, '']);
    for (const line of [
      /^House: 2 phases, 4 tasks$/m,
      /^Goal: a place to live$/m,
      /^Phase 1: Ground$/m,
      /^ {2}Task 1\.1: Dig {2}\(line 7\)$/m,
      /^ {4}create +hole\.txt:1-3$/m,
      /^ {4}1\. Dig a hole$/m,
      /^ {7}\$ make hole$/m,
      /^ {7}expected: a hole$/m,
      /^ {4}commit: a hole$/m,
      /^Phase 2: Walls \(in parallel\)$/m,
      /^ {2}Task 2\.2: South {2}\(line 29\)$/m,
      /^ {4}depends on 1\.1$/m,
      /^0 errors, 1 warning, 0 suggestions\. "cadre plan lint .*house\.md" lists them\.$/m,
    ])
      expect(stdout).toMatch(line);
  });

  test('prints the same as JSON, with the text of every task', () => {
    const repo = repoWith({ 'house.md': HOUSE });
    const answer: { plan: { phases: readonly { tasks: readonly { rawText: string }[] }[] } } = repo.json(
      'plan',
      'show',
      'house',
    );
    expect(answer).toMatchObject({
      version: 1,
      plan: {
        filePath: join(repo.plans, 'house.md'),
        title: 'House',
        goal: 'a place to live',
        architecture: null,
        techStack: null,
        phases: [
          {
            number: 1,
            name: 'Ground',
            parallel: false,
            line: 5,
            tasks: [
              {
                address: '1.1',
                files: [{ action: 'create', path: 'hole.txt', lines: '1-3', line: 11 }],
                steps: [{ number: 1, description: 'Dig a hole', command: 'make hole', expected: 'a hole', line: 13 }],
                commitMessage: 'a hole',
              },
              { address: '1.2', name: 'Pour', dependsOn: null, files: [], steps: [] },
            ],
          },
          { number: 2, name: 'Walls', parallel: true, tasks: [{ address: '2.1' }, { dependsOn: ['1.1'] }] },
        ],
      },
      problems: [{ severity: 'warning', code: 'repeated-number' }],
    });
    for (const { rawText } of answer.plan.phases.flatMap(({ tasks }) => tasks)) expect(HOUSE).toContain(rawText);
  });

  test('also shows what it can read from an unusable file', () => {
    const repo = repoWith({ 'a.md': `${planOf('Dig')}\n\`\`\`\n` });
    const { code, stdout } = repo.cadre('plan', 'show', 'a');
    expect(code).toBe(0);
    expect(stdout).toMatch(/Task 1: Dig/);
    expect(stdout).toMatch(/^1 error, 0 warnings/m);
  });
});

describe('the plan argument', () => {
  const files = { 'search-index.md': planOf('Index'), 'search-query.md': planOf('Query'), 'shed.md': planOf('Dig') };

  for (const { how, reference, tasks } of [
    { how: 'its name', reference: 'search-index', tasks: 'Index' },
    { how: 'its file name', reference: 'search-query.md', tasks: 'Query' },
    { how: 'a prefix of its name', reference: 'search-q', tasks: 'Query' },
    { how: 'a path relative to the current folder', reference: 'docs/plans/shed.md', tasks: 'Dig' },
  ])
    test(`finds an unregistered plan by ${how}`, () => {
      expect(repoWith(files).cadre('plan', 'show', reference)).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(`: ${tasks} `),
      });
    });

  test('says of a file elsewhere that plans are in docs/plans, and registers nothing', () => {
    const repo = repoWith(files);
    mkdirSync(join(repo.root, 'ideas'));
    writeFileSync(join(repo.root, 'ideas', 'x.md'), '### Task 1: Dig\n\nx\n');
    expect(repo.cadre('register', 'ideas/x.md')).toEqual({
      code: 2,
      stdout: '',
      stderr: '"ideas/x.md" is not in docs/plans, where plans are read from. Move it there, then register it again.\n',
    });
  });

  test('finds a plan by its name from anywhere in the repository', () => {
    const repo = repoWith(files);
    mkdirSync(join(repo.root, 'src', 'deep'), { recursive: true });
    const ran = repo.cadreWith({ cwd: join(repo.root, 'src', 'deep') }, 'plan', 'show', 'shed');
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(': Dig ') });
  });

  test('finds a plan even if a folder has the same name', () => {
    const repo = repoWith(files);
    mkdirSync(join(repo.root, 'shed'));
    expect(repo.cadre('plan', 'show', 'shed')).toMatchObject({ code: 0, stdout: expect.stringMatching(': Dig ') });
  });

  test('defaults to the chosen plan, or to the one changed last if none is chosen', () => {
    const repo = repoWith(files);
    for (const plan of Object.keys(files)) setAge(repo, plan, plan === 'search-query.md' ? 1 : 60);
    expect(repo.cadre('plan', 'show').stdout).toMatch(': Query ');
    expect(repo.cadre('plan', 'use', 'shed')).toMatchObject({ code: 0 });
    expect(repo.cadre('plan', 'show').stdout).toMatch(': Dig ');
    expect(repo.cadre('plan', 'lint').stdout).toMatch(/shed\.md: no problems found\.$/m);
    expect(repo.cadre('plan', 'diff').stdout).toBe('No task differs.\n');
  });

  test('may be any file, also outside a repository', () => {
    const repo = repoWith({});
    const { outside, cadre } = outsideOf(repo);
    writeFileSync(join(outside, 'draft.md'), planOf('Dig'));
    writeFileSync(join(outside, 'other.txt'), planOf('Dig', 'Fill'));
    expect(cadre('plan', 'show', 'draft.md')).toMatchObject({ code: 0, stdout: expect.stringMatching(': Dig ') });
    expect(cadre('plan', 'lint', 'draft.md')).toEqual({
      code: 0,
      stdout: 'draft.md: no problems found.\n',
      stderr: '',
    });
    expect(cadre('plan', 'diff', 'draft.md', 'other.txt').stdout).toMatch(/^Task 2: Fill {2}added; planned$/m);
    expect(existsSync(repo.home)).toBe(false);
  });
});

describe('plan lint', () => {
  test('finds nothing in a good plan and exits with 0', () => {
    const repo = repoWith({ 'a.md': planOf('Dig', 'Fill') });
    const [text, json] = [repo.cadre('plan', 'lint', 'a'), repo.cadre('plan', 'lint', 'a', '--json')];
    expect(text).toMatchObject({ code: 0, stderr: '' });
    expect(text.stdout).toMatch(/a\.md: no problems found\.\n$/);
    expect([json.code, JSON.parse(json.stdout)]).toEqual([
      0,
      { version: 1, file: join(repo.plans, 'a.md'), usable: true, problems: [], try: [] },
    ]);
  });

  test('gives advice and exits with 0', () => {
    const repo = repoWith({ 'a.md': '# Shed\n\n### Task 1: Dig\n' });
    const { code, stdout } = repo.cadre('plan', 'lint', 'docs/plans/a.md');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^docs\/plans\/a\.md:1:1: advice: The plan has no goal\. .* \(no-goal\)$/m);
    expect(stdout).toMatch(/^docs\/plans\/a\.md:3:1: advice: Task 1 has no steps .* \(no-steps\)$/m);
    expect(stdout).toMatch(/^0 errors, 0 warnings, 3 suggestions\.$/m);
  });

  test('exits with 1 on a warning, although the plan is usable', () => {
    const repo = repoWith({ 'a.md': planOf('Dig', 'Fill').replace('Task 2', 'Task 5') });
    const { code, stdout } = repo.cadre('plan', 'lint', 'a', '--json');
    expect([code, JSON.parse(stdout)]).toMatchObject([
      1,
      { usable: true, problems: [{ line: 17, column: 1, severity: 'warning', code: 'task-numbers' }] },
    ]);
  });

  test('exits with 1 on an error, and lists all problems by line', () => {
    const repo = repoWith({
      'a.md': `# Shed\n\n### Task 1: Dig\n\nDepends on: Task 9\n\n### Task 1: Fill\n\n\`\`\`\n`,
    });
    const text = repo.cadre('plan', 'lint', 'docs/plans/a.md');
    expect(text).toMatchObject({ code: 1, stderr: '' });
    const errors = text.stdout.split('\n').filter((line) => line.includes(': error: '));
    expect(errors.map((line) => line.replace(/ error: .*\(/, ' ('))).toEqual([
      'docs/plans/a.md:5:1: (unknown-dependency)',
      'docs/plans/a.md:7:1: (duplicate-task)',
      'docs/plans/a.md:9:1: (unclosed-fence)',
    ]);
    const { usable, problems }: { usable: boolean; problems: readonly { line: number }[] } = repo.json(
      'plan',
      'lint',
      'a',
    );
    expect(usable).toBe(false);
    expect(problems.map(({ line }) => line)).toEqual(problems.map(({ line }) => line).sort((a, b) => a - b));
  });

  // The refusal to build the plan refers to "cadre plan lint", so lint must report the same errors.
  test('reports every error that prevents a plan from being built', () => {
    const repo = repoWith({ 'a.md': planOf('Dig') });
    expect(repo.cadre('register', 'a')).toMatchObject({ code: 0 });
    writeFileSync(join(repo.plans, 'a.md'), Buffer.from([0x23, 0x20, 0xff, 0x0a]));
    expect(repo.cadre('move', 'a', 'implement_start').stderr).toMatch(/\n {2}try: cadre plan lint a\.md\n$/);
    const { code, stdout } = repo.cadre('plan', 'lint', 'a.md');
    expect(stdout).toMatch(/a\.md:1:1: error: .*UTF-8/);
    expect(code).toBe(1);
  });
});

describe('plan diff', () => {
  test('of two files says what happened to each task, and shows the lines', () => {
    const repo = repoWith({
      'old.md': planOf('Dig', 'Fill', 'Paint'),
      'new.md': planOf('Measure', 'Dig', 'Fill').replace('Dig for an hour', 'Dig for a day'),
    });
    const { code, stdout, stderr } = repo.cadre('plan', 'diff', 'old', 'new');
    expect([code, stderr]).toEqual([0, '']);
    expect(paragraphsOf(stdout)).toEqual([
      ['Task 1: Measure  added; planned', '  it is planned, and starts in its turn'],
      [
        'Task 1 -> 2: Dig  renumbered, changed; planned',
        '  it keeps its state under the new number',
        '  the new text will be built',
        '  @ line 5 below the heading',
        '  - **Step 1: Dig for an hour**',
        '  + **Step 1: Dig for a day**',
      ],
      ['Task 2 -> 3: Fill  renumbered; planned', '  it keeps its state under the new number'],
      ['Task 3: Paint  removed; planned', '  it is no longer launched; if it comes back, it is planned again'],
    ]);
    expect(repo.json('plan', 'diff', 'old', 'new')).toMatchObject({
      version: 1,
      file: join(repo.plans, 'new.md'),
      problems: [],
      changes: [
        { kinds: ['added'], before: null, after: { task: '1', name: 'Measure' }, state: 'planned', text: null },
        { kinds: ['renumbered', 'changed'], before: { task: '1' }, after: { task: '2' }, means: { length: 2 } },
        { kinds: ['renumbered'], text: null },
        { kinds: ['removed'], before: { task: '3', name: 'Paint' }, after: null, text: null },
      ],
    });
  });

  test('of a file with itself finds nothing', () => {
    const repo = repoWith({ 'a.md': HOUSE });
    expect(repo.cadre('plan', 'diff', 'a', 'a')).toEqual({ code: 0, stdout: 'No task differs.\n', stderr: '' });
    expect(repo.json('plan', 'diff', 'a', 'a')).toMatchObject({ changes: [], problems: [] });
  });

  test('of a plan compares its file with the journal, and records nothing', () => {
    const repo = repoWith({ 'a.md': planOf('Dig', 'Fill') });
    expect(repo.cadre('register', 'a')).toMatchObject({ code: 0 });
    expect(repo.cadre('plan', 'diff', 'a').stdout).toBe('No task differs.\n');
    repo.writePlan('a.md', planOf('Dig', 'Fill').replace('Fill for an hour', 'Fill for a day'));
    const before = contentsOf(repo.home);
    for (const reference of ['a', 'docs/plans/a.md', 'a.md'])
      expect(paragraphsOf(repo.cadre('plan', 'diff', reference).stdout), reference).toEqual([
        [
          'Task 2: Fill  changed; planned',
          '  the new text will be built',
          '  @ line 5 below the heading',
          '  - **Step 1: Fill for an hour**',
          '  + **Step 1: Fill for a day**',
        ],
      ]);
    expect(contentsOf(repo.home)).toEqual(before);
  });

  test('of a plan compares a launched task with the text it was launched with', async () => {
    const repo = repoWith({ 'a.md': planOf('Dig', 'Fill') });
    expect(repo.cadre('register', 'a')).toMatchObject({ code: 0 });
    expect(repo.cadre('move', 'a', 'implement_start')).toMatchObject({ code: 0 });
    await launch(repo, '1');
    repo.writePlan('a.md', planOf('Dig', 'Fill').replaceAll('an hour', 'a day'));
    // The new text counts for planned tasks but not for launched ones.
    const reading = readPlan(disk, join(repo.plans, 'a.md'));
    await openPieces(repo).gateway.submit(readEvents(named('a.md'), reading));
    const { changes }: { changes: unknown } = repo.json('plan', 'diff', 'a');
    expect(changes).toMatchObject([
      {
        kinds: ['changed'],
        before: { task: '1' },
        state: 'implementing',
        means: ['its run continues with the old text; the next run uses the new text'],
        text: { removed: ['**Step 1: Dig for an hour**'], added: ['**Step 1: Dig for a day**'] },
      },
    ]);
  });

  test('of files that differ only in line ends finds nothing', () => {
    const repo = repoWith({
      'old.md': planOf('Dig', 'Fill'),
      'new.md': planOf('Dig', 'Fill').replaceAll('\n', '\r\n'),
    });
    expect(repo.cadre('plan', 'diff', 'old', 'new').stdout).toBe('No task differs.\n');
  });

  test('shows a tab as a tab', () => {
    const repo = repoWith({ 'old.md': `${planOf('Dig')}\n\tmake\n`, 'new.md': `${planOf('Dig')}\n\tmake all\n` });
    expect(repo.cadre('plan', 'diff', 'old', 'new').stdout).toMatch(/^ {2}- \tmake\n {2}\+ \tmake all$/m);
  });

  test('with an unusable file reports the error and no changes', () => {
    const repo = repoWith({ 'old.md': planOf('Dig', 'Fill'), 'new.md': '# Shed\n\n```\n' });
    const { code, stdout } = repo.cadre('plan', 'diff', 'old', 'new');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /new\.md:3:1: error: .*\(unclosed-fence\)\nA file with errors cannot be compared; all tasks keep their state\.\n$/,
    );
    expect(repo.json('plan', 'diff', 'old', 'new')).toMatchObject({
      changes: [],
      problems: [{ line: 3, code: 'unclosed-fence' }],
    });
  });

  test('with an unusable older file reports nothing as added', () => {
    const repo = repoWith({ 'old.md': `# Shed\n\n\`\`\`\n${taskOf(1, 'Dig')}`, 'new.md': planOf('Dig') });
    expect(repo.json('plan', 'diff', 'old', 'new')).toMatchObject({ changes: [], problems: [{ line: 3 }] });
  });

  test('of an unregistered plan names the plan', () => {
    const repo = repoWith({ 'a.md': planOf('Dig') });
    expect(repo.cadre('plan', 'diff', 'a')).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'docs/plans/a.md is not a registered plan, so there is nothing to compare it with. Name a second file, or register it first.\n  try: cadre register docs/plans/a.md\n',
    });
  });

  test('does not mistake a file elsewhere for the plan with the same name', () => {
    const repo = repoWith({ 'a.md': planOf('Dig') });
    expect(repo.cadre('register', 'a')).toMatchObject({ code: 0 });
    writeFileSync(join(repo.root, 'a.md'), planOf('Something', 'Else'));
    expect(repo.cadre('plan', 'diff', './a.md').stdout).not.toMatch(/added|removed/);
  });
});

describe('plan use', () => {
  test('chooses a plan, also in state.json', () => {
    const repo = repoWith({ 'a.md': planOf('Dig'), 'b.md': planOf('Saw') });
    for (const plan of ['a', 'b']) expect(repo.cadre('register', plan)).toMatchObject({ code: 0 });
    setAge(repo, 'a.md', 60);
    expect(repo.cadre('plan', 'use', 'a')).toEqual({ code: 0, stdout: 'a.md is the active plan.\n', stderr: '' });
    expect(activeOf(repo)).toEqual({ inStatus: 'a.md', inOverview: ['a.md'] });
    expect(repo.cadre('status').stdout).toMatch(/^\* {2}a\.md /m);
    expect(repo.cadre('status').stdout).toMatch(/^a\.md:\n {6}1 {2}Dig {2}planned$/m);
    expect(repo.json('plan', 'use', 'b')).toEqual({ version: 1, active: 'b.md', chosen: true });
    expect(activeOf(repo)).toEqual({ inStatus: 'b.md', inOverview: ['b.md'] });
    expect(logOf(repo).filter(({ event }) => event === 'choose')).toHaveLength(2);
  });

  test('a chosen plan stays chosen when another is changed', () => {
    const repo = repoWith({ 'a.md': planOf('Dig'), 'b.md': planOf('Saw') });
    for (const plan of ['b', 'a']) expect(repo.cadre('plan', 'use', plan)).toMatchObject({ code: 0 });
    setAge(repo, 'a.md', 60);
    repo.writePlan('b.md', planOf('Saw', 'Nail'));
    expect(activeOf(repo)).toEqual({ inStatus: 'a.md', inOverview: ['a.md'] });
  });

  test('--newest returns to the plan changed last', () => {
    const repo = repoWith({ 'a.md': planOf('Dig'), 'b.md': planOf('Saw') });
    for (const plan of ['b', 'a']) expect(repo.cadre('plan', 'use', plan)).toMatchObject({ code: 0 });
    setAge(repo, 'a.md', 60);
    expect(repo.cadre('plan', 'use', '--newest')).toEqual({
      code: 0,
      stdout: 'b.md is the active plan, because its file changed last.\n',
      stderr: '',
    });
    expect(activeOf(repo)).toEqual({ inStatus: 'b.md', inOverview: ['b.md'] });
    expect(repo.json('plan', 'use', '--newest')).toEqual({ version: 1, active: 'b.md', chosen: false });
  });

  test('--newest says so if there is no plan', () => {
    const repo = repoWith({});
    expect(repo.cadre('plan', 'use', '--newest')).toMatchObject({ code: 0, stdout: 'There is no plan yet.\n' });
    expect(repo.json('plan', 'use', '--newest')).toEqual({ version: 1, active: null, chosen: false });
  });

  test('registers an unregistered plan with its tasks', () => {
    const repo = repoWith({ 'a.md': planOf('Dig', 'Fill') });
    expect(repo.cadre('plan', 'use', 'a')).toEqual({
      code: 0,
      stdout: 'a.md is the active plan.\n',
      stderr: 'a.md was not registered yet, so it was registered.\n',
    });
    expect(repo.status('a.md')).toBe('ready');
    expect(lastRead(repo, 'a')).toEqual(['1 Dig', '2 Fill']);
    expect(activeOf(repo)).toEqual({ inStatus: 'a.md', inOverview: ['a.md'] });
  });

  test('writes no record if the plan is already chosen', () => {
    const repo = repoWith({ 'a.md': planOf('Dig') });
    expect(repo.cadre('plan', 'use', 'a')).toMatchObject({ code: 0 });
    const before = logOf(repo);
    expect(repo.cadre('plan', 'use', 'a')).toMatchObject({ code: 0 });
    expect(logOf(repo)).toEqual(before);
  });

  for (const { who, registered } of [
    { who: 'partly registered', registered: ['search-a'] },
    { who: 'not registered', registered: [] },
  ])
    test(`refuses a prefix of several names when they are ${who}`, () => {
      const repo = repoWith({ 'search-a.md': planOf('Dig'), 'search-b.md': planOf('Saw') });
      for (const plan of registered) expect(repo.cadre('register', plan)).toMatchObject({ code: 0 });
      const { code, stderr } = repo.cadre('plan', 'use', 'search');
      expect(code).toBe(2);
      expect(stderr).toBe('"search" is ambiguous: search-a.md, search-b.md. Type more of the name.\n');
    });

  test('is not for agents', () => {
    const repo = repoWith({ 'a.md': planOf('Dig'), 'b.md': planOf('Saw') });
    expect(repo.cadre('plan', 'use', 'a')).toMatchObject({ code: 0 });
    const before = contentsOf(repo.home);
    for (const { argv, sentence } of [
      { argv: ['a'], sentence: 'Only a person may choose the plan to work on.' },
      { argv: ['--newest'], sentence: 'Only a person may choose the plan to work on.' },
      {
        argv: ['b'],
        sentence: 'Only a person may register a plan. An agent that has written one sends "planner-finished".',
      },
    ]) {
      const ran = repo.cadreWith({ env: { CADRE_SESSION: 's-7', CADRE_ROLE: 'implementer' } }, 'plan', 'use', ...argv);
      expect(ran, argv.join(' ')).toEqual({ code: 2, stdout: '', stderr: `${sentence}\n` });
    }
    // Only the attempts are recorded, so that the person sees them.
    const [now, tries] = [contentsOf(repo.home), Array(3).fill(expect.stringContaining('/inbox/s-7/new/'))];
    expect([...now.keys()].filter((path) => !before.has(path))).toEqual(tries);
    expect(new Map([...now].filter(([path]) => before.has(path)))).toEqual(before);
    expect(activeOf(repo)).toEqual({ inStatus: 'a.md', inOverview: ['a.md'] });
  });

  test('agents may show, lint and compare plans', () => {
    const repo = repoWith({ 'a.md': planOf('Dig') });
    expect(repo.cadre('register', 'a')).toMatchObject({ code: 0 });
    for (const verb of ['show', 'lint', 'diff'])
      expect(repo.cadreWith({ env: { CADRE_SESSION: 's-7' } }, 'plan', verb, 'a'), verb).toMatchObject({ code: 0 });
  });
});

describe('why, for a task,', () => {
  test('says what it is blocked by', () => {
    const repo = registered('house.md', HOUSE);
    expect(repo.cadre('move', 'house', 'implement_start')).toMatchObject({ code: 0 });
    const { code, stdout } = repo.cadre('why', 'house#2.1');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^house\.md#2\.1 \(North\) is planned since /);
    expect(stdout).toMatch(/^Blocked: task 1\.1, 1\.2 must be done first\. \(owner: engine, no deadline\)$/m);
    expect(stdout).toMatch(/^#2 .* file read: 4 tasks$/m);
    expect(repo.json('why', 'house#2.1')).toMatchObject({
      version: 1,
      plan: 'house.md',
      task: { task: '2.1', name: 'North', phase: 2, state: 'planned', blockedBy: ['1.1', '1.2'], mayStart: false },
      owner: 'engine',
      deadline: null,
      sentence: 'Blocked: task 1.1, 1.2 must be done first.',
      history: [{ event: 'plan_read', seq: 2 }],
    });
  });

  test('says whose turn it is at each stage of the plan and the task', async () => {
    const repo = registered('a.md', planOf('Dig', 'Fill'));
    expect(repo.cadre('why', 'a#1').stdout).toMatch('Waiting until its plan is implementing; the plan is ready.');
    expect(repo.cadre('move', 'a', 'implement_start')).toMatchObject({ code: 0 });
    expect(repo.cadre('why', 'a#1').stdout).toMatch('Ready to start: launch it, or run the plan.');
    await launch(repo, '1');
    expect(repo.cadre('why', 'a#1').stdout).toMatch('Creating the worktree.');
    expect(repo.cadre('why', 'a#1').stdout).toMatch(
      /a\.md#1 {2}planned -> implementing, run WAITING -> SETUP {2}\(launch\)$/m,
    );
  });

  test('says that a task is no longer in the file, and suggests nothing that would be refused', () => {
    const repo = registered('a.md', planOf('Dig', 'Fill'));
    repo.writePlan('a.md', planOf('Dig'));
    const { code, stdout } = repo.cadre('why', 'a#2');
    expect(code).toBe(0);
    expect(stdout).toMatch('No longer in the plan file, so it is not launched. Everything it has is kept.');
    const answer: { waysOut: unknown } = repo.json('why', 'a#2');
    expect(answer).toMatchObject({ task: { task: '2', stale: true, phase: null }, owner: 'user' });
    expect(answer.waysOut).not.toContain('launch');
  });

  test('points to the difference if the text changed since the launch', async () => {
    const repo = registered('a.md', planOf('Dig', 'Fill'));
    expect(repo.cadre('move', 'a', 'implement_start')).toMatchObject({ code: 0 });
    await launch(repo, '1');
    repo.writePlan('a.md', planOf('Dig', 'Fill').replace('an hour', 'a day'));
    expect(repo.cadre('why', 'a#1').stdout).toMatch(
      /^Its text has changed since it was launched: "cadre plan diff a\.md"\.$/m,
    );
  });
});

describe('nothing in a plan can act on a terminal', () => {
  // Without line ends, which would end a heading, and without NUL, which makes a file unusable.
  const nasty = `\u001b[31mred\u001b]0;title\u0007\u202egnp.exe\u2066\u200b\u0085\u009b2J\u2028${'x'.repeat(10_000)}`;
  const hostile = [
    `# ${nasty}`,
    '',
    `**Goal:** ${nasty}`,
    '',
    `## Phase 1: ${nasty}`,
    '',
    `### Task 1: ${nasty}`,
    '',
    '**Files:**',
    '',
    `- Create: \`../${nasty}\``,
    `- ${nasty}`,
    '',
    `**Step 1: ${nasty}**`,
    '',
    `Run: \`${nasty}\``,
    '',
    `Expected: ${nasty}`,
    '',
    '```sh',
    `git commit -m "${nasty}"`,
    '```',
    '',
  ].join('\n');

  test('in the output of commands', () => {
    const repo = registered('a.md', hostile);
    repo.writePlan('b.md', planOf('Dig'));
    repo.writePlan('a.md', hostile.replace('Expected: ', 'Expected: more '));
    for (const argv of [
      'plan show a',
      'plan lint a',
      'plan diff a',
      'plan diff docs/plans/b.md docs/plans/a.md',
      'status',
      'status a',
      'why a',
      'why a#1',
      'move a implement_start',
      'log',
    ])
      expectHarmless(repo.cadre(...argv.split(' ')), argv);
  });

  test('in the output of an engine that reads it', async () => {
    const repo = registered('a.md', planOf('Dig'));
    const engine = await startEngine(repo);
    repo.writePlan('a.md', hostile);
    await engine.line(/file read: 1 task, 1 no longer in it/);
    expectHarmless({ code: 0, stdout: engine.lines.join('\n'), stderr: '' });
  });

  test('when it contains NUL bytes', () => {
    const repo = registered('a.md', planOf('Dig'));
    repo.writePlan('a.md', planOf('Dig\0\u001b[31m'));
    for (const argv of ['status', 'plan show a', 'plan lint a', 'plan diff a', 'move a implement_start'])
      expectHarmless(repo.cadre(...argv.split(' ')));
  });

  test('when its file has a hostile name', () => {
    const { outside, cadre } = outsideOf(repoWith({}));
    const file = `${'\u001b[31m\u202e'}plan.md`;
    writeFileSync(join(outside, file), planOf('Dig'));
    for (const verb of ['show', 'lint']) expectHarmless(cadre('plan', verb, file));
    expectHarmless(cadre('plan', 'diff', file, file));
    writeFileSync(join(outside, file), '```');
    for (const verb of ['show', 'lint']) expectHarmless(cadre('plan', verb, file));
    expectHarmless(cadre('plan', 'diff', file, file));
    writeFileSync(join(outside, file), Buffer.from([0xff]));
    for (const verb of ['show', 'lint']) expectHarmless(cadre('plan', verb, file));
    rmSync(join(outside, file));
    mkdirSync(join(outside, file));
    for (const verb of ['show', 'lint']) expectHarmless(cadre('plan', verb, file));
  });

  test('when the arguments are hostile', () => {
    const repo = registered('a.md', planOf('Dig'));
    for (const argv of [
      ['why', `a#${nasty}`],
      ['why', `${nasty}#1`],
      ['plan', 'show', nasty.slice(0, 100)],
      ['plan', 'use', nasty],
      ['status', nasty],
    ])
      expectHarmless(repo.cadre(...argv));
  });
});

test('an unknown subcommand cannot act on a terminal either', () => {
  expectHarmless(repoWith({}).cadre('plan', '\u001b[31mred'));
});

test('a long name does not push the states of the other tasks off the screen', () => {
  const repo = registered('a.md', `# Shed\n\n### Task 1: ${'x'.repeat(10_000)}\n\n### Task 2: Fill\n`);
  const lines = repo.cadre('status', 'a').stdout.split('\n');
  expect(lines.find((line) => line.includes('Fill'))?.length).toBeLessThan(300);
});

/** Control, format and direction characters that a terminal would act on, except the line end. */
const RAW = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

function expectHarmless({ code, stdout, stderr }: Ran, what?: string): void {
  expect([0, 1, 2], what).toContain(code);
  const raw = (stdout + stderr).split('\n').filter((line) => RAW.test(line));
  expect(
    raw.map((line) => JSON.stringify(line.slice(0, 200))),
    what,
  ).toEqual([]);
  expect(stdout + stderr).not.toMatch('This is a bug in cadre');
}

function repoWith(plans: Readonly<Record<string, string>>): Repo {
  const repo = temporaryRepo();
  for (const [plan, text] of Object.entries(plans)) repo.writePlan(plan, text);
  return repo;
}

function registered(plan: string, text: string): Repo {
  const repo = repoWith({ [plan]: text });
  expect(repo.cadre('register', plan)).toMatchObject({ code: 0 });
  return repo;
}

function outsideOf(repo: Repo): { outside: string; cadre: (...argv: string[]) => Ran } {
  const outside = join(repo.root, '..', 'outside');
  mkdirSync(outside);
  return { outside, cadre: (...argv) => repo.cadreWith({ cwd: outside }, ...argv) };
}

describe('a plan whose file name starts with a date', () => {
  test('is found without the date by every command', () => {
    const repo = repoWith({ '2026-11-16-wordy.md': planOf('Dig') });
    for (const argv of [
      ['plan', 'show', 'wordy'],
      ['run', 'wordy', '--dry-run'],
      ['register', 'wordy'],
      ['plan', 'use', 'wordy'],
      ['status', 'wordy'],
      ['why', 'wordy#1'],
      ['log', 'wordy'],
      ['diff', 'wordy'],
      ['move', 'wordy', 'implement_start'],
      ['signal', 'implement-finished', '--plan', 'wordy'],
    ])
      expect(repo.cadre(...argv).stderr, argv.join(' ')).not.toMatch(/no plan|not a registered|does not exist/);
    expect(repo.status('2026-11-16-wordy.md')).toBe('implementing');
    expect(repo.cadre('signal', 'implement-finished', '--plan', 'wordy').stdout).toContain('2026-11-16-wordy.md');
  });
});

describe('a task number with a dot', () => {
  test('is what a person types and what every command shows', () => {
    const repo = repoWith({ 'a.md': '### Task 2: Dig\n\n### Task 2.5: Fill\n\n### Task 3: Sow\n' });
    expect(repo.cadre('register', 'a')).toMatchObject({ code: 0 });
    expect(repo.cadre('why', 'a.md#2.5').stdout).toMatch(/^a\.md#2\.5 \(Fill\) is planned/);
    expect(repo.cadre('status', 'a').stdout).toMatch(/ 2\.5 +Fill/);
    expect(repo.cadre('why', 'a.md#5')).toMatchObject({ code: 2 });
  });
});

/** Sets the modification time to this many seconds ago. */
function setAge(repo: Repo, plan: string, seconds: number): void {
  const then = Date.now() / 1_000 - seconds;
  utimesSync(join(repo.plans, plan), then, then);
}

function activeOf(repo: Repo): { inStatus: string | null; inOverview: readonly string[] } {
  const { active }: { active: string | null } = repo.json('status');
  const plans = Object.keys(repo.planState().plans);
  return { inStatus: active, inOverview: plans.filter((plan) => inOverview(repo, plan)?.active) };
}

/** Launches the task through the gateway, without a run. */
async function launch(repo: Repo, task: string): Promise<void> {
  const { gateway } = openPieces(repo);
  const { answers } = await gateway.submit([{ kind: 'act', act: 'launch', plan: named('a.md'), task, by: USER }]);
  expect(answers).toMatchObject([{ kind: 'accepted' }]);
}

function paragraphsOf(text: string): readonly (readonly string[])[] {
  return text
    .trimEnd()
    .split('\n\n')
    .map((paragraph) => paragraph.split('\n'));
}
