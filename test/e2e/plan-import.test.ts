// Plans of other tools: imported, offered where somebody uses them as they are, and exported again.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Repo, temporaryRepo, withAgentAndVerify } from '../support/repo.ts';

const TASKS = `# Tasks: Log in

## Phase 1: Setup

- [x] T001 Create the folders
- [ ] T002 Add the linter

## Phase 2: Story

- [ ] T003 [P] Create src/user.ts
- [ ] T004 [P] Create src/session.ts
`;
const SPEC = 'specs/001-log-in/tasks.md';

function repoWith(files: Readonly<Record<string, string>>): Repo {
  const repo = temporaryRepo();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repo.root, path)), { recursive: true });
    writeFileSync(join(repo.root, path), text);
  }
  return repo;
}

describe('cadre plan import', () => {
  test('creates a plan, and says what was left out and what to do next', () => {
    const repo = repoWith({ [SPEC]: TASKS, 'specs/001-log-in/spec.md': '# Spec\n' });
    const { code, stdout, stderr } = repo.cadre('plan', 'import', SPEC);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(
      [
        `docs/plans/001-log-in.md: 3 tasks in 2 phases, from ${SPEC} (spec-kit)`,
        '  1 task is done and was left out.',
        '  try: cadre plan lint 001-log-in',
        '       cadre run 001-log-in',
        '',
      ].join('\n'),
    );
    const plan = readFileSync(join(repo.plans, '001-log-in.md'), 'utf8');
    expect(plan).toContain(`Imported from \`${SPEC}\` (spec-kit).\n\nRead first: \`specs/001-log-in/spec.md\`\n`);
    expect(repo.cadre('plan', 'lint', '001-log-in').stdout).toContain('0 errors, 0 warnings');
    expect(repo.cadre('register', '001-log-in').code).toBe(0);
    expect(repo.json('status')).toMatchObject({ plans: [{ plan: '001-log-in.md', progress: { done: 0, of: 3 } }] });
  });

  test('never replaces a plan, and suggests another name', () => {
    const repo = repoWith({ [SPEC]: TASKS });
    repo.writePlan('001-log-in.md', 'mine\n');
    repo.writePlan('001-log-in-2.md', 'mine\n');
    const { code, stdout, stderr } = repo.cadre('plan', 'import', SPEC);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(
      `docs/plans/001-log-in.md already exists, and an import never replaces a plan.\n  try: cadre plan import ${SPEC} --to 001-log-in-3\n`,
    );
    expect(readFileSync(join(repo.plans, '001-log-in.md'), 'utf8')).toBe('mine\n');
    expect(repo.cadre('plan', 'import', SPEC, '--to', '001-log-in-3').code).toBe(0);
  });

  test.each(['docs/plans/oven.md', './docs/plans/oven', 'oven', 'oven.md'])(
    'takes --to %s for a plan, although there is no plan yet',
    (to) => {
      const repo = repoWith({ [SPEC]: TASKS });
      rmSync(repo.plans, { recursive: true, force: true });
      expect(repo.cadre('plan', 'import', SPEC, '--to', to)).toMatchObject({ code: 0, stderr: '' });
      expect(existsSync(join(repo.plans, 'oven.md'))).toBe(true);
    },
  );

  test('writes nothing with --dry-run, and prints the plan', () => {
    const repo = repoWith({ [SPEC]: TASKS });
    const { code, stdout, stderr } = repo.cadre('plan', 'import', SPEC, '--dry-run');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '1 task is done and was left out.\n' });
    expect(existsSync(join(repo.plans, '001-log-in.md'))).toBe(false);
    repo.cadre('plan', 'import', SPEC);
    expect(stdout).toBe(readFileSync(join(repo.plans, '001-log-in.md'), 'utf8'));
  });

  test('answers with --json', () => {
    const repo = repoWith({ [SPEC]: TASKS });
    const answer = {
      version: 1,
      plan: 'docs/plans/login.md',
      from: SPEC,
      format: 'spec-kit',
      title: 'Log in',
      phases: 2,
      tasks: 4,
      leftOut: { done: 0, cancelled: 0, deferred: 0 },
      otherTags: [],
      remarks: [],
    };
    const options = ['--to', 'login', '--all', '--format', 'spec-kit'];
    expect(repo.json('plan', 'import', SPEC, ...options, '--dry-run')).toEqual({
      ...answer,
      written: false,
      text: expect.stringContaining('**Source:** T001; already done'),
    });
    expect(repo.json('plan', 'import', SPEC, ...options)).toEqual({ ...answer, written: true });
  });

  test('works from a folder below, and names the file as seen from the repository', () => {
    const repo = repoWith({ [SPEC]: TASKS });
    const { code } = repo.cadreWith({ cwd: join(repo.root, 'specs/001-log-in') }, 'plan', 'import', 'tasks.md');
    expect(code).toBe(0);
    expect(readFileSync(join(repo.plans, '001-log-in.md'), 'utf8')).toContain(`\`${SPEC}\``);
  });

  test('reads one tag of a tasks.json, and names the others', () => {
    const list = (title: string) => ({ tasks: [{ id: 1, title, status: 'pending', dependencies: [] }] });
    const repo = repoWith({ 'tasks.json': JSON.stringify({ master: list('Day'), night: list('Night') }) });
    expect(repo.cadre('plan', 'import', 'tasks.json').stdout).toContain(
      '       cadre plan import tasks.json --tag night --to night\n',
    );
    expect(repo.cadre('plan', 'import', 'tasks.json', '--tag', 'night', '--to', 'night').code).toBe(0);
    expect(readFileSync(join(repo.plans, 'night.md'), 'utf8')).toContain('### Task 1: Night');
  });

  test.each([
    [['nosuch.md'], /There is no file "nosuch\.md"/],
    [['done.md'], /"done\.md" was not imported\. Its only task is done\.\n {2}try: cadre plan import done\.md --all\n/],
    [['notes.md'], /was not imported\. It contains no checkboxes/],
    [['broken.json'], /It cannot be read as Task Master: its end is missing\./],
    [['docs/plans/plan.md'], /It is already a plan: it has task headings\.\n {2}try: cadre run plan\.md\n/],
    [['todo.md', '--to', '../out.md'], /"\.\.\/out\.md" is not a plan in docs\/plans/],
    [['todo.md', '--to', 'a b'], /"a b\.md" is not a valid plan name/],
    [
      ['todo.md', '--format', 'jira'],
      /--format must be one of spec-kit, task-master, openspec, kiro, checklist, not "jira"\./,
    ],
  ])('refuses %j with a reason, and writes nothing', (argv, message) => {
    const repo = repoWith({
      'done.md': '- [x] a\n',
      'notes.md': '# Notes\n',
      'broken.json': '{"tasks": [{"title": "a"}',
      'docs/plans/plan.md': '### Task 1: A\n',
      'todo.md': '- [ ] a\n',
    });
    const { code, stderr } = repo.cadre('plan', 'import', ...argv);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
    expect(
      repo
        .git('status', '--porcelain', '-uall')
        .split('\n')
        .filter((line) => /docs\/plans/.test(line)),
    ).toEqual(['?? docs/plans/plan.md']);
  });
});

describe('a list of tasks that is used as a plan', () => {
  const JSON_TASKS = '{"tasks": [{"id": 1, "title": "A", "status": "pending", "dependencies": []}]}';

  test.each([
    ['run', SPEC],
    ['run', SPEC, '--dry-run'],
    ['register', SPEC],
    ['run', 'tasks.json'],
    ['register', 'tasks.json'],
  ])('elsewhere is refused by %s %s, with the import as a suggestion', (...argv) => {
    const repo = repoWith({ [SPEC]: TASKS, 'tasks.json': JSON_TASKS });
    const { code, stderr } = repo.cadre(...argv);
    expect(code).toBe(2);
    expect(stderr).toBe(
      `"${argv[1]}" is a list of tasks in the format of another tool, not a plan.\n  try: cadre plan import ${argv[1]}\n`,
    );
    expect(existsSync(repo.home)).toBe(false);
  });

  test.each([
    [0, ['register', 'todo']],
    [1, ['plan', 'lint', 'todo']],
    [0, ['plan', 'show', 'todo']],
    [0, ['run', 'todo', '--dry-run']],
    [2, ['register', 'json']],
    [2, ['run', 'json']],
    [2, ['run', 'json', '--dry-run']],
    [2, ['plan', 'show', 'json']],
    [1, ['plan', 'lint', 'json']],
  ])('in docs/plans: code %i of %j comes with the import as a suggestion', (expected, argv) => {
    const repo = repoWith({ 'docs/plans/todo.md': '# Todo\n\n- [ ] a\n- [ ] b\n', 'docs/plans/json.md': JSON_TASKS });
    const { code, stdout, stderr } = withAgentAndVerify(repo).cadre(...argv);
    expect(code).toBe(expected);
    expect(stdout + stderr).toContain(
      `try: cadre plan import docs/plans/${argv.includes('json') ? 'json' : 'todo'}.md`,
    );
  });

  test('in docs/plans becomes a plan beside it', () => {
    const repo = repoWith({ 'docs/plans/todo.md': '# Todo\n\n- [ ] a\n' });
    expect(repo.cadre('plan', 'import', 'docs/plans/todo.md').stdout).toContain('docs/plans/todo-plan.md: 1 task,');
  });

  test('is not suspected in a plan with checkboxes', () => {
    const repo = repoWith({ 'docs/plans/a.md': '### Task 1: A\n\n- [ ] a\n' });
    expect(repo.cadre('register', 'a').stderr).toBe('');
    expect(repo.json('plan', 'lint', 'a')).toMatchObject({ try: [] });
  });
});

describe('cadre plan export', () => {
  const PLAN = '# House\n\n## Phase 1: Walls\n\n### Task 1: Dig\n\n### Task 2: Build\n\n**Step 1:** Lay bricks\n';

  test('prints a plan with its done tasks checked off', () => {
    const repo = repoWith({ 'docs/plans/house.md': PLAN });
    repo.cadre('register', 'house');
    repo.cadre('move', 'house', 'implement_start');
    repo.cadre('launch', 'house#1');
    repo.cadre('mark-done', 'house#1', '--yes');
    const { code, stdout, stderr } = repo.cadre('plan', 'export', 'house', '--to', 'openspec');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe('# Tasks: House\n\n## 1. Walls\n\n- [x] 1.1 Dig\n- [ ] 1.2 Build\n  - [ ] 1.2.1 Lay bricks\n');
  });

  test('says what the format cannot express', () => {
    const repo = repoWith({ 'docs/plans/house.md': PLAN.replace('Walls', 'Walls (parallel)') });
    const { stderr } = repo.cadre('plan', 'export', 'house', '--to', 'kiro');
    expect(stderr).toBe('Kiro cannot express that tasks may run at the same time.\n');
    expect(repo.json('plan', 'export', 'house', '--to', 'kiro')).toMatchObject({
      ...{ format: 'kiro', tasks: 2, done: 0, output: null },
      remarks: ['Kiro cannot express that tasks may run at the same time.'],
      text: expect.stringContaining('- [ ] 1. Dig'),
    });
  });

  test('writes a file that does not exist, and never replaces one', () => {
    const repo = repoWith({ 'docs/plans/house.md': PLAN });
    const argv = ['plan', 'export', 'house', '--to', 'task-master', '--output', 'out/tasks.json'];
    expect(repo.cadre(...argv)).toMatchObject({ code: 0, stdout: 'out/tasks.json: 2 tasks, 0 done\n' });
    const written = readFileSync(join(repo.root, 'out/tasks.json'), 'utf8');
    expect(JSON.parse(written)).toMatchObject({ master: { tasks: [{ id: 1 }, { id: 2, dependencies: [1] }] } });
    expect(repo.cadre(...argv)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"out/tasks.json" already exists, and an export never replaces a file.'),
    });
    expect(readFileSync(join(repo.root, 'out/tasks.json'), 'utf8')).toBe(written);
  });

  test('works for any file, also outside a repository', () => {
    const repo = temporaryRepo();
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cadre-test-')));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, 'house.md'), PLAN);
    const { code, stdout } = repo.cadreWith({ cwd: folder }, 'plan', 'export', 'house.md', '--to', 'checklist');
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^# House\n\n## Walls\n\n- \[ \] Dig\n/),
    });
  });

  test.each([
    [['house'], 'Name a format: --to spec-kit|task-master|openspec|kiro|checklist.'],
    [['house', '--to', 'jira'], '--to must be one of spec-kit, task-master, openspec, kiro, checklist, not "jira".'],
    [
      ['bad', '--to', 'kiro'],
      'docs/plans/bad.md:3: This code fence is never closed, so everything below it is code. Close it.',
    ],
    [['none', '--to', 'kiro'], 'docs/plans/none.md has no task headings, so there is nothing to export.'],
  ])('refuses %j', (argv, message) => {
    const repo = repoWith({
      'docs/plans/house.md': PLAN,
      'docs/plans/bad.md': '### Task 1: A\n\n```\n',
      'docs/plans/none.md': '# None\n',
    });
    expect(repo.cadre('plan', 'export', ...argv)).toEqual({ code: 2, stdout: '', stderr: `${message}\n` });
  });
});
