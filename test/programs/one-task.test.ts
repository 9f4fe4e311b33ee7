// A plan of one task from launch to merge, with a real program in every role. Each session does what its prompt says, so
// this tests cadre's own prompts, grants, hooks and signals together.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ROLES } from '../../src/signals/registry.ts';
import { textOf, tmux } from '../support/hosts.ts';
import { contentsOf } from '../support/pieces.ts';
import { PLAN, PLAN_BRANCH, type PlanRepo, planRepo } from '../support/plan-runs.ts';
import { startEngine } from '../support/repo.ts';
import type { HostKind } from '../support/session-repo.ts';
import { crew, type Habits } from './model/crew.ts';
import { withoutNumbers } from './model/script.ts';
import { type ModelServer, startModelServer } from './model/server.ts';
import { type Program, prepareHome, programs, trustFolder } from './programs.ts';
import { lastTurns, leftSince, reporter } from './stage.ts';

for (const program of programs(process.env.CADRE_AGENTS ?? ''))
  for (const host of ['process', 'tmux'] as const)
    describe(`${program.name} ${program.version}, host ${host}`, () => claims(program, host));

const GREETING = "export const greeting = 'Good morning';\n";
const TASK = `# Morning

**Goal:** Greet everyone who comes in.

### Task 1: Say good morning

**Files:**
- Create: \`greeting.mjs\`

Write exactly this; \`node --test\` checks it:

\`\`\`js
${GREETING}\`\`\`
`;
const VERIFY = ['node', '--test'];
const TEST = `import assert from 'node:assert';
import { test } from 'node:test';

test('greets in the morning', async () => {
  const { greeting } = await import('./greeting.mjs');
  assert.equal(greeting, 'Good morning');
});
`;

/** The output of the test, as only a prompt quotes it. */
const FAILURE = /^> +actual: 'Bad morning'$/m;

/** From the implementer's first prompt, and from the one that asks for a fix. */
const BOTH_PROMPTS = ['You build it alone,', 'the work on it needs a fix.'];

const REVIEWS = [
  'You are the spec reviewer of one task of a plan.',
  'You are the quality reviewer of one task of a plan.',
  'You are the reviewer of a whole plan.',
];

const STRAIGHT = ['SETUP', 'PLANNING', 'PLAN_REVIEW', 'CODING', 'TESTING', 'CODE_REVIEW', 'AWAIT_MERGE', 'DONE'];
const VERDICTS = ['spec-reviewer review-approved', 'quality-reviewer review-approved', 'reviewer review-approved'];

function claims(program: Program, host: HostKind): void {
  test('"cadre run" builds, verifies, reviews and merges a plan of one task', async () => {
    const see = reporter(program, host, 'one task, run');
    const { repo, model, theirs, left } = await stageOf(program, host);
    expect(verifiedIn(repo)).not.toBe(0);
    const before = theirs();
    // The option takes precedence.
    if (host === 'process') repo.env.CADRE_HOST = 'tmux';
    const ran = await repo.built(...(host === 'process' ? ['--headless'] : []), '--json');
    const lines = ran.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.at(-1)).toMatchObject({ end: 'done', plan: PLAN, waiting: [] });
    see('done');
    expectBuilt(repo, theirs, before);
    see('one commit with the file, checkout untouched');
    expect(statesOf(repo)).toEqual(STRAIGHT);
    expect(signalsOf(repo)).toEqual(['implementer implement-finished', ...VERDICTS]);
    see('every state and signal');
    expect(verificationsOf(repo)).toEqual(['# pass 0', '# pass 1']);
    see('verified by the engine, before and after');
    expect(REVIEWS.map((opening) => isInOneConversation(model, [opening, `+${GREETING.trimEnd()}`]))).toEqual([
      true,
      true,
      true,
    ]);
    see('each reviewer saw the change');
    expect(repo.sessions('--all').map(({ session }) => existsSync(repo.outputOf(session)))).toEqual(
      Array(4).fill(host === 'process'),
    );
    see(host === 'process' ? 'without terminals' : 'in terminals');
    repo.cadre('engine', 'stop');
    await repo.until(() => left().length === 0);
    expectNobodyLeft(repo);
    see('nothing left');
  });

  test('"cadre launch" builds a task that fails verification at first and is then fixed', async () => {
    const see = reporter(program, host, 'one task, launched');
    const { repo, model, theirs, left } = await stageOf(program, host, { firstTry: GREETING.replace('Good', 'Bad') });
    const before = theirs();
    repo.cadre('register', PLAN);
    repo.cadre('move', PLAN, 'implement_start');
    const engine = await startEngine(repo);
    expect(repo.cadre('launch', PLAN, '1')).toMatchObject({ code: 0 });
    await repo.until(() => repo.task('1').state === 'done', PATIENCE);
    see('done');
    expectBuilt(repo, theirs, before);
    see('one commit with the file, checkout untouched');
    expect(statesOf(repo)).toEqual([...STRAIGHT.slice(0, 5), 'FIXING', 'TESTING', ...STRAIGHT.slice(5)]);
    await repo.until(() => repo.plan().status === 'done', PATIENCE);
    expect(signalsOf(repo)).toEqual(['implementer implement-finished', 'implementer fix-finished', ...VERDICTS]);
    see('every state and signal');
    expect(verificationsOf(repo)).toEqual(['# pass 0', '# pass 0', '# pass 1']);
    see('verified by the engine each time');
    expect(model.requests.flat().some(({ text }) => FAILURE.test(withoutNumbers(text)))).toBe(true);
    see('got the output of the failed test');
    const hasForgotten = FORGETS[`${program.name} ${host}`];
    expect(isInOneConversation(model, BOTH_PROMPTS)).toBe(hasForgotten === undefined);
    see(hasForgotten === undefined ? 'in the conversation that it had' : `in another conversation: ${hasForgotten}`);
    await engine.stop();
    await repo.until(() => left().length === 0);
    expectNobodyLeft(repo);
    see('nothing left');
  });

  test('a review with findings sends the task back, and a review of the fix alone closes them', async () => {
    const see = reporter(program, host, 'one task, reviewed');
    const { repo, model, left } = await stageOf(program, host, {
      firstTry: `${GREETING}// Nothing else.\n`,
      findings: [
        { severity: 'important', place: 'greeting.mjs:2', problem: 'The task has no such comment.' },
        { severity: 'minor', place: 'greeting.mjs:1', problem: 'The name could be longer.' },
      ],
    });
    await repo.built(...(host === 'process' ? ['--headless'] : []), '--json');
    see('done');
    expect(signalsOf(repo)).toEqual([
      'implementer implement-finished',
      'spec-reviewer review-changes',
      'implementer fix-finished',
      ...VERDICTS,
    ]);
    see('every signal');
    const texts = model.requests.flat().map(({ text }) => withoutNumbers(text));
    expect(texts.some((text) => text.includes('Status: done') && text.includes('It says good morning.'))).toBe(true);
    see('reviewers got the report');
    expect(texts.some((text) => /f1 \[important\] greeting\.mjs:2: The task has no such comment\./.test(text))).toBe(
      true,
    );
    see('the implementer got the finding');
    const again = texts.filter((text) => text.includes('- f1 [important, by the spec reviewer]'));
    expect(again).not.toEqual([]);
    expect(texts.some((text) => text.includes('-// Nothing else.'))).toBe(true);
    see('the second review was of the fix');
    const { findings } = repo.json('findings', PLAN, '--all') as { findings: readonly Found[] };
    expect(findings.map(({ id, state, evidence }) => [id, state, evidence])).toEqual([
      ['f1', 'addressed', 'the line is gone'],
      ['f2', 'deferred', null],
    ]);
    see('findings closed and listed');
    expect(repo.git('show', `${PLAN_BRANCH}:greeting.mjs`)).toBe(GREETING);
    repo.cadre('engine', 'stop');
    await repo.until(() => left().length === 0);
    expectNobodyLeft(repo);
    see('nothing left');
  });
}

interface Found {
  readonly id: string;
  readonly state: string;
  readonly evidence: string | null;
}

/** Programs and hosts where a fix starts a new conversation because of how the program works. */
const FORGETS: Readonly<Record<string, string>> = {
  'opencode tmux': 'with --continue its terminal form does not do the prompt that it is given',
};

/** The time limit for all agents of one task, in milliseconds. */
const PATIENCE = 1_200_000;

interface OneTask {
  readonly repo: PlanRepo;
  readonly model: ModelServer;
  /** Everything in the checkout that belongs to the person. */
  theirs(): unknown;
  left(): readonly string[];
}

async function stageOf(program: Program, host: HostKind, habits?: Habits): Promise<OneTask> {
  const repo = planRepo({
    host,
    plan: TASK,
    settings: { default_program: [program.name, ...program.flags].join(' '), verify: VERIFY },
    files: { 'greeting.test.mjs': TEST },
  });
  const model = await startModelServer();
  const variables = program.env(model.url);
  Object.assign(repo.env, variables);
  const profile = { program: program.name, flags: program.flags, env: Object.keys(variables) };
  const profiles = Object.fromEntries(ROLES.map((role) => [role, profile]));
  mkdirSync(repo.home, { recursive: true });
  writeFileSync(join(repo.home, 'config.json'), JSON.stringify({ trust_worktrees: true, profiles }));
  onTestFinished(() => model.close());
  model.follow(crew(habits));
  onTestFinished(({ task }) => {
    if (task.result?.state !== 'pass') console.log(`Last messages to the model: ${lastTurns(model)}`);
  });
  prepareHome(program, repo.outside, model.url);
  // As if a person had used the program in this repository before.
  if (program.name === 'claude') trustFolder(repo.outside, repo.root);
  return { repo, model, theirs: () => theirsIn(repo), left: leftSince() };
}

function theirsIn(repo: PlanRepo): unknown {
  return {
    files: [...contentsOf(repo.root)].filter(([path]) => !/\/(\.git|docs\/plans)\//.test(path)),
    plan: textOf(join(repo.plans, PLAN)),
    index: readFileSync(join(repo.root, '.git', 'index')).toString('base64'),
    head: repo.commit('HEAD'),
    branch: repo.git('branch', '--show-current'),
  };
}

function expectBuilt(repo: PlanRepo, theirs: () => unknown, before: unknown): void {
  expect(repo.task('1').state).toBe('done');
  expect(repo.git('log', '--format=%P %s', `main..${PLAN_BRANCH}`)).toBe(`${repo.commit('main')} Say good morning\n`);
  expect(repo.git('diff', '--name-status', 'main', PLAN_BRANCH)).toBe('A\tgreeting.mjs\n');
  expect(repo.git('show', `${PLAN_BRANCH}:greeting.mjs`)).toBe(GREETING);
  expect(theirs()).toEqual(before);
}

function statesOf(repo: PlanRepo): readonly string[] {
  return repo.records().flatMap(({ moves }) => moves.flatMap(({ machine, to }) => (machine === 'coder' ? [to] : [])));
}

function signalsOf(repo: PlanRepo): readonly string[] {
  return repo.records().flatMap(({ role, signal }) => (signal === undefined ? [] : [`${role} ${signal.name}`]));
}

/** The output of each verification: before the task started, and after each time an agent finished. */
function verificationsOf(repo: PlanRepo): readonly (string | undefined)[] {
  const folder = join(repo.state(), 'runs', 'build-it', 't1-a1');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.log'))
    .toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))
    .map((name) => /^# pass \d+$/m.exec(textOf(join(folder, name)))?.[0]);
}

/** Whether one conversation contains all of these. */
function isInOneConversation(model: ModelServer, parts: readonly string[]): boolean {
  return model.requests.some((turns) => parts.every((part) => turns.some(({ text }) => text.includes(part))));
}

function expectNobodyLeft(repo: PlanRepo): void {
  expect(repo.sessions().filter(({ state }) => state === 'running' || state === 'starting')).toEqual([]);
  expect(tmux(repo.server, 'list-sessions')).toBe('');
}

function verifiedIn(repo: PlanRepo): number | null {
  const [program = '', ...argv] = VERIFY;
  return spawnSync(program, argv, { cwd: repo.root, env: repo.env }).status;
}
