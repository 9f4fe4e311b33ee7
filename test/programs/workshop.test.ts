// From a brief to merged code with a real program in every role: a planner that asks, hands in a wrong document, repairs it,
// and a crew that builds the plan.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { PlanFile } from '../../src/plan/name.ts';
import { ROLES } from '../../src/signals/registry.ts';
import { tmux } from '../support/hosts.ts';
import { planRepo } from '../support/plan-runs.ts';
import type { HostKind } from '../support/session-repo.ts';
import { asks, planWith, roundWith } from '../support/workshops.ts';
import { crew } from './model/crew.ts';
import { startModelServer } from './model/server.ts';
import { type Program, prepareHome, programs, trustFolder } from './programs.ts';
import { lastTurns, leftSince, reporter } from './stage.ts';

for (const program of programs(process.env.CADRE_AGENTS ?? ''))
  for (const host of ['process', 'tmux'] as const)
    describe(`${program.name} ${program.version}, host ${host}`, () => {
      test('a brief is worked out, approved and built', () => workshop(program, host));
    });

const GREETING = "export const greeting = 'Good morning';\n";
const PATIENCE = 1_200_000;

/** What the planner hands in: by what its prompt says, never by counting. */
function planner(prompt: string): object {
  if (!prompt.includes(': formalizing\n'))
    return prompt.includes('Answer: Good') ? roundWith({ ready: true }) : roundWith({ questions: [asks('greeting')] });
  const plan = planWith(1);
  const [task] = plan.work.tasks;
  const file = { path: 'greeting.mjs', intent: 'create', task: 't1' } as const;
  const description = `Write exactly this:\n\n\`\`\`js\n${GREETING}\`\`\``;
  const tasks = task === undefined ? [] : [{ ...task, title: 'Say good morning', description }];
  const isWrong = !prompt.includes('## Your last document was invalid');
  return { ...plan, work: { ...plan.work, tasks }, file_plan: [isWrong ? { ...file, intent: 'update' } : file] };
}

async function workshop(program: Program, host: HostKind): Promise<void> {
  const see = reporter(program, host, 'workshop');
  const repo = planRepo({
    host,
    settings: {
      default_program: [program.name, ...program.flags].join(' '),
      verify: ['node', '--check', 'greeting.mjs'],
    },
    files: { 'greeting.mjs.example': GREETING },
  });
  const model = await startModelServer();
  onTestFinished(() => model.close());
  const variables = program.env(model.url);
  Object.assign(repo.env, variables);
  const profile = { program: program.name, flags: program.flags, env: Object.keys(variables) };
  mkdirSync(repo.home, { recursive: true });
  const profiles = Object.fromEntries(ROLES.map((role) => [role, profile]));
  writeFileSync(join(repo.home, 'config.json'), JSON.stringify({ trust_worktrees: true, profiles }));
  model.follow(crew({ planner }));
  onTestFinished(({ task }) => {
    if (task.result?.state !== 'pass') console.log(`Last messages to the model: ${lastTurns(model)}`);
  });
  prepareHome(program, repo.outside, model.url);
  if (program.name === 'claude') trustFolder(repo.outside, repo.root);
  const left = leftSince();
  const opened = repo.cadre('plan', 'new', 'Greet everyone who comes in.', '--name', 'morning', '--no-wait', '--json');
  const { planning: plan } = JSON.parse(opened.stdout) as { planning: PlanFile };
  await repo.until((world) => world.plans.get(plan)?.workshop?.questions[0]?.state === 'open', PATIENCE);
  see('asked');
  expect(repo.cadre('answer', 'morning#greeting', 'Good morning')).toMatchObject({ code: 0 });
  await repo.until((world) => world.plans.get(plan)?.workshop?.state === 'review_ready', PATIENCE);
  const { transcript = [] } = repo.world().plans.get(plan)?.workshop ?? {};
  expect(transcript.filter(({ kind }) => kind === 'invalid').map(({ content }) => content)).toEqual([
    expect.stringContaining('greeting.mjs'),
  ]);
  see('wrote the plan, after a document that was refused');
  expect(repo.cadre('plan', 'approve', 'morning')).toMatchObject({ code: 0 });
  const ran = await repo.start('run', plan, '--json');
  expect(ran.code, ran.stderr).toBe(0);
  expect(repo.git('show', `plan/${plan.replace(/\.md$/, '')}:greeting.mjs`)).toBe(GREETING);
  see('built and merged');
  expect(existsSync(join(repo.root, 'greeting.mjs'))).toBe(false);
  repo.cadre('engine', 'stop');
  await repo.until(() => left().length === 0);
  expect(tmux(repo.server, 'list-sessions')).toBe('');
  see('nothing left');
}
