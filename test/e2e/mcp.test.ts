// "cadre mcp": what a person's chat agent and the agents of sessions can do through its tools, and what they cannot.
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { textOf } from '../support/hosts.ts';
import { mcpClient } from '../support/mcp-client.ts';
import { implementing, PLAN, PLAN_BRANCH, planRepo, tasksOf } from '../support/plan-runs.ts';
import { MAIN } from '../support/repo.ts';

/** A line of a script that calls a tool from inside the session. */
function calls(tool: string, given: object = {}): string {
  return `run ${process.execPath} ${resolve('test/support/mcp-call.mjs')} ${MAIN} ${tool} ${JSON.stringify(given)}`;
}

describe('a chat agent of a person', () => {
  test('can look, build and answer, and has no tool that approves', async () => {
    const repo = planRepo({ plan: tasksOf(['Do it.']) });
    const client = await mcpClient(repo);
    const { result } = await client.request('tools/list');
    expect(result?.tools?.map(({ name }) => name)).toEqual([
      'status',
      'why',
      'questions',
      'diff',
      'output',
      'run',
      'answer',
      'propose_approval',
    ]);
    expect(await client.call('approve', { subject: `${PLAN}#1` })).toMatchObject({ isError: true });
    expect(await client.end()).toBe(0);
  });

  test('builds a plan and passes on an answer, while the person keeps the approval', async () => {
    const repo = planRepo({
      plan: tasksOf([`role implementer\nask Which colour?\nturn 2\n${implementing()}`]),
    });
    const client = await mcpClient(repo);
    const started = await client.call('run', { plan: PLAN });
    expect(JSON.parse(started.text)).toMatchObject({ run: PLAN });
    await repo.until(() => repo.runOf('1').state === 'QUESTION');
    const { questions } = JSON.parse((await client.call('questions')).text);
    expect(questions).toMatchObject([{ text: 'Which colour?' }]);
    expect(await client.call('answer', { question: questions[0].id, text: '--skip it: blue' })).toMatchObject({
      isError: false,
    });
    await repo.until((world) => world.plans.get(PLAN)?.status === 'done');
    expect(await client.end()).toBe(0);
  });

  test('answers what the command line answers, and a value is never an option', async () => {
    const repo = planRepo({ plan: tasksOf(['Do it.']) });
    repo.cadre('register', PLAN);
    const client = await mcpClient(repo);
    expect(JSON.parse((await client.call('why', { subject: PLAN })).text).plan).toEqual(
      (repo.json('why', PLAN) as { plan: unknown }).plan,
    );
    const { text, isError } = await client.call('why', { subject: '--help' });
    expect([isError, text]).toEqual([true, expect.stringContaining('is not registered')]);
    await client.end();
  });
});

describe('the agents of a task', () => {
  test('build, review and merge it with their tools alone', async () => {
    const approved = calls('review', { verdict: 'approved', summary: 'Good.' });
    const repo = planRepo({
      plan: tasksOf([
        [
          'role implementer',
          'append made.txt made',
          'commit made',
          calls('task'),
          calls('finished'),
          '',
          'role spec-reviewer',
          approved,
          '',
          'role quality-reviewer',
          approved,
        ].join('\n'),
      ]),
    });
    await repo.built();
    expect(repo.git('show', `${PLAN_BRANCH}:made.txt`)).toBe('made\n');
    expect(repo.runOf('1').counts).toMatchObject({ turns: 1, relaunches: 0 });
  });

  test('a coder has no tool for a verdict', async () => {
    const repo = planRepo({
      plan: tasksOf([
        `role implementer\nappend made.txt made\ncommit made\n${calls('review', { verdict: 'approved' })}\nhang`,
      ]),
    });
    repo.cadre('run', PLAN, '--detach');
    await repo.until(() => textOf(repo.outputOf(repo.runOf('1').session?.id ?? '')).includes('Tool review not found'));
    expect(repo.runOf('1')).toMatchObject({ state: 'CODING', pinned: null });
  });
});

describe('a thousand malformed messages', () => {
  test('change nothing, and the server still answers', { timeout: 120_000 }, async () => {
    const repo = planRepo({ plan: tasksOf(['Do it.']) });
    repo.cadre('register', PLAN);
    const client = await mcpClient(repo);
    const before = repo.world().seq;
    for (let number = 0; number < 1_000; number++) client.send(malformed(number));
    expect(JSON.parse((await client.call('status')).text).plans).toHaveLength(1);
    expect(repo.world().seq).toBe(before);
    expect(client.said().split('\n').length).toBeGreaterThan(100);
    expect(await client.end()).toBe(0);
  });
});

/** A cut, a wrong type, an unknown tool, a prototype's name, a deep nest, or noise, in turn. */
function malformed(number: number): string {
  const call = { jsonrpc: '2.0', id: `x${number}`, method: 'tools/call', params: { name: 'run', arguments: {} } };
  const kinds: readonly string[] = [
    JSON.stringify(call).slice(0, 1 + (number % 60)),
    JSON.stringify({ ...call, params: { name: 'run', arguments: { plan: number } } }),
    JSON.stringify({ ...call, params: { name: `tool-${number}`, arguments: { plan: PLAN } } }),
    JSON.stringify({ ...call, params: { name: 'constructor' } }),
    JSON.stringify({ ...call, params: { name: 'run', arguments: { plan: PLAN, extra: true } } }),
    `{"jsonrpc":"2.0","id":${number},"method":"${'['.repeat(number % 500)}"`,
    JSON.stringify({ jsonrpc: '1.0', id: number, method: 7 }),
    '\u0000\u001b[31m',
  ];
  return kinds[number % kinds.length] ?? '';
}
