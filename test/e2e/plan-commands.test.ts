// cadre plan show, lint, diff and use, and cadre why for a task, as a person types them.
import { existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
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
      /^House: 2 phase\(s\), 4 task\(s\)$/m,
      /^Goal: a place to live$/m,
      /^Phase 1: Ground$/m,
      /^ {2}Task 1\.1: Dig {2}\(line 7\)$/m,
      /^ {4}create +hole\.txt:1-3$/m,
      /^ {4}1\. Dig a hole$/m,
      /^ {7}\$ make hole$/m,
      /^ {7}expected: a hole$/m,
      /^ {4}commit: a hole$/m,
      /^Phase 2: Walls \(side by side\)$/m,
      /^ {2}Task 2\.2: South {2}\(line 29\)$/m,
      /^ {4}depends on 1\.1$/m,
      /^0 errors, 1 warning, 0 of advice\. "cadre plan lint .*house\.md" lists them\.$/m,
    ])
      expect(stdout).toMatch(line);
  });

  test('has in JSON what it shows, and the text of every task', () => {
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

  test('also shows what can be made out of a file that cannot be used', () => {
    const repo = repoWith({ 'a.md': `${planOf('Dig')}\n\`\`\`\n` });
    const { code, stdout } = repo.cadre('plan', 'show', 'a');
    expect(code).toBe(0);
    expect(stdout).toMatch(/Task 1: Dig/);
    expect(stdout).toMatch(/^1 error, 0 warnings/m);
  });
});

describe('which file is meant', () => {
  const files = { 'search-index.md': planOf('Index'), 'search-query.md': planOf('Query'), 'shed.md': planOf('Dig') };

  for (const { how, reference, tasks } of [
    { how: 'its name', reference: 'search-index', tasks: 'Index' },
    { how: 'its file name', reference: 'search-query.md', tasks: 'Query' },
    { how: 'the beginning of its name', reference: 'search-q', tasks: 'Query' },
    { how: 'a path from where one is', reference: 'docs/plans/shed.md', tasks: 'Dig' },
  ])
    test(`a plan that is not registered is found by ${how}`, () => {
      expect(repoWith(files).cadre('plan', 'show', reference)).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(`: ${tasks} `),
      });
    });

  test('a plan is found by its name from anywhere in the repository', () => {
    const repo = repoWith(files);
    mkdirSync(join(repo.root, 'src', 'deep'), { recursive: true });
    const ran = repo.cadreWith({ cwd: join(repo.root, 'src', 'deep') }, 'plan', 'show', 'shed');
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(': Dig ') });
  });

  test('a folder of the same name does not stand in the way of a plan', () => {
    const repo = repoWith(files);
    mkdirSync(join(repo.root, 'shed'));
    expect(repo.cadre('plan', 'show', 'shed')).toMatchObject({ code: 0, stdout: expect.stringMatching(': Dig ') });
  });

  test('without a name it is the plan that was changed last, and the chosen one once one is chosen', () => {
    const repo = repoWith(files);
    for (const plan of Object.keys(files)) setAge(repo, plan, plan === 'search-query.md' ? 1 : 60);
    expect(repo.cadre('plan', 'show').stdout).toMatch(': Query ');
    expect(repo.cadre('plan', 'use', 'shed')).toMatchObject({ code: 0 });
    expect(repo.cadre('plan', 'show').stdout).toMatch(': Dig ');
    expect(repo.cadre('plan', 'lint').stdout).toMatch(/shed\.md: nothing to say against it\.$/m);
    expect(repo.cadre('plan', 'diff').stdout).toBe('No task differs.\n');
  });

  test('a file anywhere can be shown, checked and compared, also outside any repository', () => {
    const repo = repoWith({});
    const { outside, cadre } = outsideOf(repo);
    writeFileSync(join(outside, 'draft.md'), planOf('Dig'));
    writeFileSync(join(outside, 'other.txt'), planOf('Dig', 'Fill'));
    expect(cadre('plan', 'show', 'draft.md')).toMatchObject({ code: 0, stdout: expect.stringMatching(': Dig ') });
    expect(cadre('plan', 'lint', 'draft.md')).toEqual({
      code: 0,
      stdout: 'draft.md: nothing to say against it.\n',
      stderr: '',
    });
    expect(cadre('plan', 'diff', 'draft.md', 'other.txt').stdout).toMatch(/^Task 2: Fill {2}added; planned$/m);
    expect(existsSync(repo.home)).toBe(false);
  });
});

describe('plan lint', () => {
  test('says nothing against a good plan and exits with 0', () => {
    const repo = repoWith({ 'a.md': planOf('Dig', 'Fill') });
    const [text, json] = [repo.cadre('plan', 'lint', 'a'), repo.cadre('plan', 'lint', 'a', '--json')];
    expect(text).toMatchObject({ code: 0, stderr: '' });
    expect(text.stdout).toMatch(/a\.md: nothing to say against it\.\n$/);
    expect([json.code, JSON.parse(json.stdout)]).toEqual([
      0,
      { version: 1, file: join(repo.plans, 'a.md'), usable: true, problems: [] },
    ]);
  });

  test('gives advice and exits with 0', () => {
    const repo = repoWith({ 'a.md': '# Shed\n\n### Task 1: Dig\n' });
    const { code, stdout } = repo.cadre('plan', 'lint', 'docs/plans/a.md');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^docs\/plans\/a\.md:1:1: advice: No goal is given\. .* \(no-goal\)$/m);
    expect(stdout).toMatch(/^docs\/plans\/a\.md:3:1: advice: Task 1 has no steps .* \(no-steps\)$/m);
    expect(stdout).toMatch(/^0 errors, 0 warnings, 3 of advice\.$/m);
  });

  test('exits with 1 when there is a warning, though the plan can be used', () => {
    const repo = repoWith({ 'a.md': planOf('Dig', 'Fill').replace('Task 2', 'Task 5') });
    const { code, stdout } = repo.cadre('plan', 'lint', 'a', '--json');
    expect([code, JSON.parse(stdout)]).toMatchObject([
      1,
      { usable: true, problems: [{ line: 17, column: 1, severity: 'warning', code: 'task-numbers' }] },
    ]);
  });

  test('exits with 1 when there is an error, and lists all problems by line', () => {
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

  // What refuses to start the building says "cadre plan lint lists all", so lint must know the same errors.
  test('knows every error that keeps a plan from being built', () => {
    const repo = repoWith({ 'a.md': planOf('Dig') });
    expect(repo.cadre('register', 'a')).toMatchObject({ code: 0 });
    writeFileSync(join(repo.plans, 'a.md'), Buffer.from([0x23, 0x20, 0xff, 0x0a]));
    expect(repo.cadre('move', 'a', 'implement_start').stderr).toMatch('"cadre plan lint a.md" lists all.');
    const { code, stdout } = repo.cadre('plan', 'lint', 'a.md');
    expect(stdout).toMatch(/a\.md:1:1: error: .*UTF-8/);
    expect(code).toBe(1);
  });
});

describe('plan diff', () => {
  test('of two files tells what became of each task, and shows the lines', () => {
    const repo = repoWith({
      'old.md': planOf('Dig', 'Fill', 'Paint'),
      'new.md': planOf('Measure', 'Dig', 'Fill').replace('Dig for an hour', 'Dig for a day'),
    });
    const { code, stdout, stderr } = repo.cadre('plan', 'diff', 'old', 'new');
    expect([code, stderr]).toEqual([0, '']);
    expect(paragraphsOf(stdout)).toEqual([
      ['Task 1: Measure  added; planned', '  it is planned, and starts when its turn comes'],
      [
        'Task 1 -> 2: Dig  renumbered, changed; planned',
        '  it keeps its state under the new number',
        '  the new text is what will be built',
        '  @ line 5 below the heading',
        '  - **Step 1: Dig for an hour**',
        '  + **Step 1: Dig for a day**',
      ],
      ['Task 2 -> 3: Fill  renumbered; planned', '  it keeps its state under the new number'],
      ['Task 3: Paint  removed; planned', '  it is not launched any more; it is planned again if it comes back'],
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

  test('of a plan compares its file with what the journal knows, and takes nothing in', () => {
    const repo = repoWith({ 'a.md': planOf('Dig', 'Fill') });
    expect(repo.cadre('register', 'a')).toMatchObject({ code: 0 });
    expect(repo.cadre('plan', 'diff', 'a').stdout).toBe('No task differs.\n');
    repo.writePlan('a.md', planOf('Dig', 'Fill').replace('Fill for an hour', 'Fill for a day'));
    const before = contentsOf(repo.home);
    for (const reference of ['a', 'docs/plans/a.md', 'a.md'])
      expect(paragraphsOf(repo.cadre('plan', 'diff', reference).stdout), reference).toEqual([
        [
          'Task 2: Fill  changed; planned',
          '  the new text is what will be built',
          '  @ line 5 below the heading',
          '  - **Step 1: Fill for an hour**',
          '  + **Step 1: Fill for a day**',
        ],
      ]);
    expect(contentsOf(repo.home)).toEqual(before);
  });

  test('of a plan compares a task that was launched with the text it was launched with', async () => {
    const repo = repoWith({ 'a.md': planOf('Dig', 'Fill') });
    expect(repo.cadre('register', 'a')).toMatchObject({ code: 0 });
    expect(repo.cadre('move', 'a', 'implement_start')).toMatchObject({ code: 0 });
    await launch(repo, '1');
    repo.writePlan('a.md', planOf('Dig', 'Fill').replaceAll('an hour', 'a day'));
    // So the new text is taken in: for a planned task it counts from now on, for a launched one it does not.
    expect(repo.cadre('register', 'a')).toMatchObject({ code: 2 });
    const { changes }: { changes: unknown } = repo.json('plan', 'diff', 'a');
    expect(changes).toMatchObject([
      {
        kinds: ['changed'],
        before: { task: '1' },
        state: 'implementing',
        means: ['its run goes on with the old text; the new one applies from the next run'],
        text: { removed: ['**Step 1: Dig for an hour**'], added: ['**Step 1: Dig for a day**'] },
      },
    ]);
  });

  test('of files that differ in their line ends alone finds nothing', () => {
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

  test('with a file that cannot be used names the error and calls nothing changed', () => {
    const repo = repoWith({ 'old.md': planOf('Dig', 'Fill'), 'new.md': '# Shed\n\n```\n' });
    const { code, stdout } = repo.cadre('plan', 'diff', 'old', 'new');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /new\.md:3:1: error: .*\(unclosed-fence\)\nWhat cannot be used as it is cannot be compared; /,
    );
    expect(repo.json('plan', 'diff', 'old', 'new')).toMatchObject({
      changes: [],
      problems: [{ line: 3, code: 'unclosed-fence' }],
    });
  });

  test('with an older file that cannot be used calls nothing added', () => {
    const repo = repoWith({ 'old.md': `# Shed\n\n\`\`\`\n${taskOf(1, 'Dig')}`, 'new.md': planOf('Dig') });
    expect(repo.json('plan', 'diff', 'old', 'new')).toMatchObject({ changes: [], problems: [{ line: 3 }] });
  });

  test('of a plan that is not registered calls it by its name', () => {
    const repo = repoWith({ 'a.md': planOf('Dig') });
    expect(repo.cadre('plan', 'diff', 'a')).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'docs/plans/a.md is not a registered plan, so there is nothing to compare it with. Name a second file, or "cadre register" it first.\n',
    });
  });

  test('of a file elsewhere that is called like a plan does not take it for that plan', () => {
    const repo = repoWith({ 'a.md': planOf('Dig') });
    expect(repo.cadre('register', 'a')).toMatchObject({ code: 0 });
    writeFileSync(join(repo.root, 'a.md'), planOf('Something', 'Else'));
    expect(repo.cadre('plan', 'diff', './a.md').stdout).not.toMatch(/added|removed/);
  });
});

describe('plan use', () => {
  test('chooses a plan, and state.json follows', () => {
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

  test('--newest goes back to the plan that was changed last', () => {
    const repo = repoWith({ 'a.md': planOf('Dig'), 'b.md': planOf('Saw') });
    for (const plan of ['b', 'a']) expect(repo.cadre('plan', 'use', plan)).toMatchObject({ code: 0 });
    setAge(repo, 'a.md', 60);
    expect(repo.cadre('plan', 'use', '--newest')).toEqual({
      code: 0,
      stdout: 'b.md is the active plan: it was changed last.\n',
      stderr: '',
    });
    expect(activeOf(repo)).toEqual({ inStatus: 'b.md', inOverview: ['b.md'] });
    expect(repo.json('plan', 'use', '--newest')).toEqual({ version: 1, active: 'b.md', chosen: false });
  });

  test('--newest without any plan says that there is none', () => {
    const repo = repoWith({});
    expect(repo.cadre('plan', 'use', '--newest')).toMatchObject({ code: 0, stdout: 'There is no plan yet.\n' });
    expect(repo.json('plan', 'use', '--newest')).toEqual({ version: 1, active: null, chosen: false });
  });

  test('registers what is not registered, with its tasks', () => {
    const repo = repoWith({ 'a.md': planOf('Dig', 'Fill') });
    expect(repo.cadre('plan', 'use', 'a')).toEqual({
      code: 0,
      stdout: 'a.md was not registered; it is now.\na.md is the active plan.\n',
      stderr: '',
    });
    expect(repo.status('a.md')).toBe('ready');
    expect(lastRead(repo, 'a')).toEqual(['1 Dig', '2 Fill']);
    expect(activeOf(repo)).toEqual({ inStatus: 'a.md', inOverview: ['a.md'] });
  });

  test('to choose again what is chosen writes no record', () => {
    const repo = repoWith({ 'a.md': planOf('Dig') });
    expect(repo.cadre('plan', 'use', 'a')).toMatchObject({ code: 0 });
    const before = logOf(repo);
    expect(repo.cadre('plan', 'use', 'a')).toMatchObject({ code: 0 });
    expect(logOf(repo)).toEqual(before);
  });

  for (const { who, registered } of [
    { who: 'registered and not', registered: ['search-a'] },
    { who: 'not registered', registered: [] },
  ])
    test(`the beginning of several names is no choice, when they are ${who}`, () => {
      const repo = repoWith({ 'search-a.md': planOf('Dig'), 'search-b.md': planOf('Saw') });
      for (const plan of registered) expect(repo.cadre('register', plan)).toMatchObject({ code: 0 });
      const { code, stderr } = repo.cadre('plan', 'use', 'search');
      expect(code).toBe(2);
      expect(stderr).toBe('"search" could be any of search-a.md, search-b.md. Type more of the name.\n');
    });

  test('is not for agents', () => {
    const repo = repoWith({ 'a.md': planOf('Dig'), 'b.md': planOf('Saw') });
    expect(repo.cadre('plan', 'use', 'a')).toMatchObject({ code: 0 });
    const before = contentsOf(repo.home);
    for (const { argv, sentence } of [
      { argv: ['a'], sentence: 'Only a person chooses the plan to work on.' },
      { argv: ['--newest'], sentence: 'Only a person chooses the plan to work on.' },
      {
        argv: ['b'],
        sentence: 'Only a person registers a plan. An agent that has written one sends "planner-finished".',
      },
    ]) {
      const ran = repo.cadreWith({ env: { CADRE_SESSION: 's-7', CADRE_ROLE: 'implementer' } }, 'plan', 'use', ...argv);
      expect(ran, argv.join(' ')).toEqual({ code: 2, stdout: '', stderr: `${sentence}\n` });
    }
    // Nothing has changed, but that the person will see that it was tried.
    const [now, tries] = [contentsOf(repo.home), Array(3).fill(expect.stringContaining('/inbox/s-7/new/'))];
    expect([...now.keys()].filter((path) => !before.has(path))).toEqual(tries);
    expect(new Map([...now].filter(([path]) => before.has(path)))).toEqual(before);
    expect(activeOf(repo)).toEqual({ inStatus: 'a.md', inOverview: ['a.md'] });
  });

  test('looking into plans is for agents as well', () => {
    const repo = repoWith({ 'a.md': planOf('Dig') });
    expect(repo.cadre('register', 'a')).toMatchObject({ code: 0 });
    for (const verb of ['show', 'lint', 'diff'])
      expect(repo.cadreWith({ env: { CADRE_SESSION: 's-7' } }, 'plan', verb, 'a'), verb).toMatchObject({ code: 0 });
  });
});

describe('why, for a task,', () => {
  test('names what it is blocked by', () => {
    const repo = registered('house.md', HOUSE);
    expect(repo.cadre('move', 'house', 'implement_start')).toMatchObject({ code: 0 });
    const { code, stdout } = repo.cadre('why', 'house#2.1');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^house\.md#2\.1 \(North\) is planned since /);
    expect(stdout).toMatch(/^It is blocked: task 1\.1, 1\.2 must be done before it\. \(owner: engine, no deadline\)$/m);
    expect(stdout).toMatch(/^#2 .* file read: 4 tasks$/m);
    expect(repo.json('why', 'house#2.1')).toMatchObject({
      version: 1,
      plan: 'house.md',
      task: { task: '2.1', name: 'North', phase: 2, state: 'planned', blockedBy: ['1.1', '1.2'], mayStart: false },
      owner: 'engine',
      deadline: null,
      sentence: 'It is blocked: task 1.1, 1.2 must be done before it.',
      history: [{ event: 'plan_read', seq: 2 }],
    });
  });

  test('tells whose turn it is as the plan and the task go on', async () => {
    const repo = registered('a.md', planOf('Dig', 'Fill'));
    expect(repo.cadre('why', 'a#1').stdout).toMatch('It waits until its plan is implementing; the plan is ready.');
    expect(repo.cadre('move', 'a', 'implement_start')).toMatchObject({ code: 0 });
    expect(repo.cadre('why', 'a#1').stdout).toMatch('It may start: a person launches it, or lets cadre run');
    await launch(repo, '1');
    expect(repo.cadre('why', 'a#1').stdout).toMatch('The engine makes its worktree.');
    expect(repo.cadre('why', 'a#1').stdout).toMatch(
      /a\.md#1 {2}planned -> implementing, run WAITING -> SETUP {2}\(launch\)$/m,
    );
  });

  test('says that a task is no longer in the file, and offers no way that is closed to it', () => {
    const repo = registered('a.md', planOf('Dig', 'Fill'));
    repo.writePlan('a.md', planOf('Dig'));
    const { code, stdout } = repo.cadre('why', 'a#2');
    expect(code).toBe(0);
    expect(stdout).toMatch("It is not in the plan's file any more, so it is not launched; what it has is kept.");
    const answer: { waysOut: unknown } = repo.json('why', 'a#2');
    expect(answer).toMatchObject({ task: { task: '2', stale: true, phase: null }, owner: 'user' });
    expect(answer.waysOut).not.toContain('launch');
  });

  test('points to the difference when its text is not the one it was launched with', async () => {
    const repo = registered('a.md', planOf('Dig', 'Fill'));
    expect(repo.cadre('move', 'a', 'implement_start')).toMatchObject({ code: 0 });
    await launch(repo, '1');
    repo.writePlan('a.md', planOf('Dig', 'Fill').replace('an hour', 'a day'));
    expect(repo.cadre('why', 'a#1').stdout).toMatch(
      /^Its text is not the one it was launched with: "cadre plan diff a\.md"\.$/m,
    );
  });
});

describe('nothing in a plan can act on a terminal', () => {
  // Neither line ends, which would end a heading, nor NUL, which makes a file unusable.
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

  test('in what is said about it', () => {
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

  test('in the lines of an engine that reads it', async () => {
    const repo = registered('a.md', planOf('Dig'));
    const engine = await startEngine(repo);
    repo.writePlan('a.md', hostile);
    await engine.line(/file read: 1 task, 1 no longer in it/);
    expectHarmless({ code: 0, stdout: engine.lines.join('\n'), stderr: '' });
  });

  test('when it holds NUL bytes', () => {
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

  test('when what a person typed is hostile', () => {
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

test('an unknown command of two words cannot act on a terminal either', () => {
  expectHarmless(repoWith({}).cadre('plan', '\u001b[31mred'));
});

test('a long name does not push the states of the other tasks off the screen', () => {
  const repo = registered('a.md', `# Shed\n\n### Task 1: ${'x'.repeat(10_000)}\n\n### Task 2: Fill\n`);
  const lines = repo.cadre('status', 'a').stdout.split('\n');
  expect(lines.find((line) => line.includes('Fill'))?.length).toBeLessThan(300);
});

/** Control, format and direction characters, without the line end; what a terminal would act on. */
const RAW = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

function expectHarmless({ code, stdout, stderr }: Ran, what?: string): void {
  expect([0, 1, 2], what).toContain(code);
  const raw = (stdout + stderr).split('\n').filter((line) => RAW.test(line));
  expect(
    raw.map((line) => JSON.stringify(line.slice(0, 200))),
    what,
  ).toEqual([]);
  expect(stdout + stderr).not.toMatch('made a mistake of its own');
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

/** As if the file had been changed so many seconds ago. */
function setAge(repo: Repo, plan: string, seconds: number): void {
  const then = Date.now() / 1_000 - seconds;
  utimesSync(join(repo.plans, plan), then, then);
}

function activeOf(repo: Repo): { inStatus: string | null; inOverview: readonly string[] } {
  const { active }: { active: string | null } = repo.json('status');
  const plans = Object.keys(repo.planState().plans);
  return { inStatus: active, inOverview: plans.filter((plan) => inOverview(repo, plan)?.active) };
}

/** As `cadre launch` does, but without its checks of the repository. */
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
