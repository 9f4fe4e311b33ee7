// A plan is worked out in a workshop, from the brief to merged code, by the built program and a scripted planner.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { PlanEntry, World } from '../../src/core/model/world.ts';
import type { PlanFile } from '../../src/plan/name.ts';
import { HEURISTICS } from '../../src/workshop/heuristics.ts';
import { type PlanRepo, planRepo } from '../support/plan-runs.ts';
import { asks, briefWith, planWith, roundWith } from '../support/workshops.ts';

interface Workshop extends PlanRepo {
  /** The plan of the only workshop. */
  entry(world?: World): PlanEntry & { readonly workshop: NonNullable<PlanEntry['workshop']> };
  /** A path in the folder of the workshop. */
  folder(name?: string): string;
  text(name: string): string;
  /** Waits until the workshop is in this state and its round has come to an end that a person must see, if it has one. */
  comesTo(state: string, round?: number): Promise<void>;
  /** Waits until it waits for answers. */
  asks(question: string): Promise<void>;
  prompts(): readonly string[];
}

async function opened(brief: string, settings: Readonly<Record<string, unknown>> = {}): Promise<Workshop> {
  const repo = planRepo({ settings });
  const file = join(repo.outside, 'brief.md');
  writeFileSync(file, brief);
  const ran = repo.cadre('plan', 'new', '--brief-file', file, '--name', 'parts', '--no-wait', '--json');
  expect(ran).toMatchObject({ code: 0 });
  const name = (JSON.parse(ran.stdout.split('\n')[0] ?? '') as { planning: PlanFile }).planning;
  const entry = (world = repo.world()) => {
    const found = world.plans.get(name);
    if (found?.workshop === undefined) throw new Error(`${name} has no workshop.`);
    return { ...found, workshop: found.workshop };
  };
  const folder = (path = ''): string => join(repo.root, 'docs/plans', name.replace(/\.md$/, ''), 'planning', path);
  return {
    ...repo,
    entry,
    folder,
    text: (path) => readFileSync(folder(path), 'utf8'),
    comesTo: async (state, round) =>
      void (await repo.until((world) => {
        const { workshop } = entry(world);
        return workshop.state === state && (round === undefined || workshop.round === round);
      })),
    asks: async (question) =>
      void (await repo.until((world) =>
        entry(world).workshop.questions.some(({ id, state }) => id === question && state === 'open'),
      )),
    prompts: () =>
      repo
        .records()
        .flatMap((record) => (record.event === 'session_begun' && record.begun.plans ? [record.begun.id] : []))
        .map((id) => readFileSync(join(repo.state(), 'sessions', id, 'agent', 'prompt.md'), 'utf8')),
  };
}

const FOUR_ROUNDS = briefWith(
  roundWith({ summary: 'First look.', questions: [asks('scope'), asks('colour', false)] }),
  roundWith({ summary: 'One part.', parts: 1, questions: [asks('limit')] }),
  roundWith({ summary: 'Two parts.', parts: 2, ready: true }),
  planWith(2),
);

describe('a workshop', () => {
  test('leads from the brief to merged code', async () => {
    const shop = await opened(FOUR_ROUNDS);
    await shop.asks('scope');
    // Nothing structured is on disk before the plan is written.
    expect(readdirSync(shop.folder()).sort()).toEqual(['brief.md', 'meeting.jsonl']);
    const { questions } = JSON.parse(shop.cadre('questions', '--json').stdout);
    const asked = questions.map(({ id, blocking }: { id: string; blocking: boolean }) => [id.split('#')[1], blocking]);
    expect(asked).toEqual([
      ['scope', true],
      ['colour', false],
    ]);
    expect(shop.cadre('answer', 'parts#colour', '--skip')).toMatchObject({ code: 0 });
    expect(shop.cadre('answer', 'parts#scope', 'All of them')).toMatchObject({ code: 0 });
    await shop.asks('limit');
    expect(shop.cadre('run', 'parts').code).toBe(2);
    expect(shop.cadre('answer', 'parts#limit', 'Ten')).toMatchObject({ code: 0 });
    await shop.comesTo('review_ready');
    await shop.until(() => existsSync(shop.folder('plan.files.json')));
    expect(shop.entry().workshop.round).toBe(4);
    const planMd = shop.text('plan.md');
    const approved = shop.cadre('plan', 'approve', 'parts');
    expect(approved).toMatchObject({ code: 0, stdout: expect.stringContaining('cadre run') });
    const { plan, status, tasks } = shop.entry();
    expect({ status, tasks: tasks.length }).toEqual({ status: 'ready', tasks: 2 });
    expect(readFileSync(join(shop.root, 'docs/plans', plan), 'utf8')).toBe(planMd);
    expect(await shop.start('run', 'parts', '--json')).toMatchObject({ code: 0 });
    expect(shop.git('ls-tree', '--name-only', `plan/${plan.replace(/\.md$/, '')}`)).toContain('task-2.txt');
  });

  test('gives the planner the brief, the answers, the proposals before, and what each heuristic means', async () => {
    const shop = await opened(FOUR_ROUNDS);
    await shop.asks('scope');
    shop.cadre('answer', 'parts#scope', 'All of the blue ones');
    await shop.asks('limit');
    const [first, second] = shop.prompts();
    for (const { meaning, leads } of Object.values(HEURISTICS)) expect(first).toContain(`${meaning} ${leads}`);
    for (const name of Object.keys(HEURISTICS)) expect(first).toContain(`\`${name}\``);
    expect(first).toContain('Build the parts.');
    expect(first).not.toContain('All of the blue ones');
    expect(second).toContain('scope: Which scope?\nAnswer: All of the blue ones');
    expect(second).toContain('"title": "Part 1"');
    expect(second).toContain('"content":"First look."');
  });

  test('answers of a whole plan can come from one file, and all of them count or none', async () => {
    const shop = await opened(FOUR_ROUNDS);
    await shop.asks('scope');
    const file = join(shop.outside, 'answers');
    writeFileSync(file, '# Which scope?\n[scope]\nAll\nof them\n\n[colour]\n\n[size]\nLarge\n');
    expect(shop.cadre('answer', 'parts', '--file', file, '--json')).toMatchObject({ code: 2 });
    expect(shop.entry().workshop.questions.map(({ state }) => state)).toEqual(['open', 'open']);
    writeFileSync(file, 'scope: all of them\n');
    expect(shop.cadre('answer', 'parts', '--file', file)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Write each answer below the name of its question: [scope], [colour].'),
    });
    writeFileSync(file, '# Which scope?\n[scope]\nAll\nof them\n\n[colour]\n');
    expect(shop.cadre('answer', 'parts', '--file', file)).toMatchObject({ code: 0 });
    expect(shop.entry().workshop.questions.slice(0, 2)).toMatchObject([
      { state: 'answered', answer: 'All\nof them' },
      { state: 'skipped' },
    ]);
  });

  test('refuses to skip a blocking question, to answer twice, and to answer what nobody asked', async () => {
    const shop = await opened(FOUR_ROUNDS);
    await shop.asks('scope');
    expect(shop.cadre('answer', 'parts#scope', '--skip').stderr).toContain('is blocking, so it cannot be skipped');
    expect(shop.cadre('answer', 'parts#size', 'Large').stderr).toContain('has not asked "size"');
    expect(shop.cadre('answer', 'parts#scope', ' ').stderr).toContain('is empty');
    expect(shop.cadre('answer', 'parts#colour', 'Red')).toMatchObject({ code: 0 });
    expect(shop.cadre('answer', 'parts#colour', 'Blue').stderr).toContain('already answered');
  });

  test('makes deleted artifacts again, byte for byte, and keeps an edit beside', async () => {
    const shop = await opened(briefWith(roundWith({ ready: true }), planWith(1)));
    await shop.comesTo('review_ready');
    await shop.until(() => existsSync(shop.folder('plan.files.json')));
    const names = ['plan.md', 'plan.files.json'];
    const before = names.map(shop.text);
    for (const name of names) rmSync(shop.folder(name));
    await shop.until(() => names.every((name) => existsSync(shop.folder(name))));
    expect(names.map(shop.text)).toEqual(before);
    writeFileSync(shop.folder('plan.md'), 'my own plan\n');
    await shop.until(() => shop.text('plan.md') === before[0]);
    expect(shop.text('edited/plan.md-1')).toBe('my own plan\n');
  });

  test('redo keeps the transcript and the plan before, and passes the reason on to the planner', async () => {
    const shop = await opened(
      briefWith(roundWith({ ready: true }), planWith(1), roundWith({ parts: 2, ready: true }), planWith(2)),
    );
    await shop.comesTo('review_ready');
    await shop.until(() => existsSync(shop.folder('plan.files.json')));
    const [plan, meeting] = [shop.text('plan.md'), shop.text('meeting.jsonl')];
    expect(shop.cadre('plan', 'reject', 'parts').code).toBe(2);
    expect(shop.cadre('plan', 'reject', 'parts', '--feedback', 'One part is not enough.')).toMatchObject({ code: 0 });
    await shop.comesTo('review_ready', 4);
    await shop.until(() => existsSync(shop.folder('plan.files.json')));
    expect(shop.text('versions/v1/plan.md')).toBe(plan);
    expect(shop.text('meeting.jsonl').startsWith(meeting)).toBe(true);
    expect(shop.text('plan.md')).toContain('Part 2');
    const rounds = shop
      .text('meeting.jsonl')
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { round: number }).round);
    expect(rounds).toEqual(rounds.toSorted((one, other) => one - other));
    expect(shop.prompts()[2]).toContain('> One part is not enough.');
    expect(shop.prompts()[2]).toContain('### Task 1: Part 1');
  });

  test('does not replace a plan file that was edited since it was published, unless it is told to', async () => {
    const shop = await opened(
      briefWith(roundWith({ ready: true }), planWith(1), roundWith({ parts: 2, ready: true }), planWith(2)),
    );
    await shop.comesTo('review_ready');
    expect(shop.cadre('plan', 'approve', 'parts')).toMatchObject({ code: 0 });
    const path = join(shop.root, 'docs/plans', shop.entry().plan);
    writeFileSync(path, `${readFileSync(path, 'utf8')}\nA line of my own.\n`);
    expect(shop.cadre('redo', 'planning', 'parts')).toMatchObject({ code: 0 });
    await shop.comesTo('review_ready', 4);
    expect(shop.cadre('plan', 'approve', 'parts')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('edited'),
    });
    expect(readFileSync(path, 'utf8')).toContain('A line of my own.');
    expect(shop.cadre('plan', 'approve', 'parts', '--replace')).toMatchObject({ code: 0 });
    expect(readFileSync(path, 'utf8')).not.toContain('A line of my own.');
    expect(readFileSync(path, 'utf8')).toContain('Part 2');
  });

  test('a stubborn planner with invalid documents is told what is wrong, and after three a person decides', async () => {
    const wrong = { ...planWith(1), file_plan: [{ path: 'cadre.json', intent: 'create', task: 't1' }] };
    const shop = await opened(briefWith(roundWith({ ready: true }), [wrong, wrong, { nonsense: true }], planWith(1)));
    await shop.until((world) => shop.entry(world).workshop.invalid === 3);
    const why = shop.cadre('why', 'parts').stdout;
    expect(why).toContain('3 invalid documents');
    const [session] = shop.entry().workshop.transcript.filter(({ kind }) => kind === 'invalid');
    expect(session?.content).toContain('cadre.json');
    expect(shop.cadre('plan', 'continue', 'parts')).toMatchObject({ code: 0 });
    await shop.comesTo('review_ready');
    expect(shop.prompts().at(-1)).toContain('## Your last document was invalid');
  });

  test('a planner that never comes to rest is stopped by max_rounds, and a person decides', async () => {
    const restless = Array.from({ length: 9 }, (_, index) => roundWith({ parts: (index % 4) + 1 }));
    const shop = await opened(briefWith(...restless.slice(0, 4), ...restless.slice(4), planWith(1)), { max_rounds: 2 });
    await shop.until((world) => shop.entry(world).workshop.rounds === 2 && shop.entry(world).workshop.result !== null);
    expect(await shop.start('plan', 'open', 'parts', '--json')).toMatchObject({ code: 4 });
    expect(shop.cadre('why', 'parts').stdout).toContain('round limit');
    expect(shop.cadre('plan', 'settle', 'parts')).toMatchObject({ code: 0 });
    await shop.comesTo('formalizing');
  });

  test('an engine that is killed in each state is followed by one that continues', async () => {
    const shop = await opened(FOUR_ROUNDS);
    await shop.asks('scope');
    await shop.killEngine();
    shop.cadre('answer', 'parts#scope', 'All');
    await shop.asks('limit');
    await shop.killEngine();
    shop.cadre('answer', 'parts#limit', 'Ten');
    await shop.comesTo('review_ready');
    await shop.killEngine();
    expect(shop.cadre('plan', 'approve', 'parts')).toMatchObject({ code: 0 });
    const { workshop, tasks } = shop.entry();
    expect(tasks).toHaveLength(2);
    expect(workshop.questions.map(({ id, state }) => `${id} ${state}`)).toEqual([
      'scope answered',
      'colour open',
      'limit answered',
    ]);
    for (const name of ['planning.ai.json', 'plan.md', 'plan.files.json'])
      expect(existsSync(shop.folder(name))).toBe(true);
  });

  test('is shown with its state and round, and its planner cannot end the planning', async () => {
    const shop = await opened(briefWith(roundWith({ questions: [asks('scope')] })));
    await shop.asks('scope');
    expect(shop.cadre('status').stdout).toContain('clarifying, round 1');
    const { plans } = JSON.parse(shop.cadre('status', '--json').stdout);
    expect(plans[0].actors.planning).toMatchObject({ state: 'clarifying', round: 1, waits: 'answers' });
    expect(shop.cadre('move', 'parts', 'planner_finished').code).toBe(2);
    expect(shop.cadre('plan', 'transcript', 'parts').stdout).toContain('question scope');
  });
});

test('several workshops that are opened at the same time get names of their own', async () => {
  const repo = planRepo({});
  const file = join(repo.outside, 'brief.md');
  writeFileSync(file, briefWith(roundWith({ questions: [asks('scope')] })));
  const opening = [1, 2, 3].map(() => repo.start('plan', 'new', '--brief-file', file, '--name', 'parts', '--no-wait'));
  expect((await Promise.all(opening)).map(({ code, stderr }) => [code, stderr])).toEqual([1, 2, 3].map(() => [0, '']));
  const names = [...repo.world().plans.keys()].map((name) => name.replace(/^\d{4}-\d{2}-\d{2}-/, ''));
  expect(names.sort()).toEqual(['parts-2.md', 'parts-3.md', 'parts.md']);
});
