// The engine as a process: one at a time, stopped or killed, and what happens around it while it runs.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  bringPlans,
  everythingTakenFrom,
  happenedTo,
  logOf,
  ndjson,
  quarantined,
  reachesStatus,
} from '../support/plans.ts';
import { eventually, type Repo, startEngine, temporaryRepo } from '../support/repo.ts';

const STACK_TRACE = /^\s+at .+:\d+|node:internal|Node\.js v/m;

test('a second engine is refused, names the first and changes nothing', async () => {
  const repo = temporaryRepo();
  const first = await startEngine(repo);
  const sentence = `"cadre watch" (pid ${first.process.pid}) is already the engine of this repository.`;
  const commands = ['cadre engine status', 'cadre engine stop'];
  expect(repo.cadre('watch')).toEqual({
    code: 3,
    stdout: '',
    stderr: `${sentence}\n  try: ${commands.join('\n       ')}\n`,
  });
  const second = repo.cadre('watch', '--json');
  expect(second).toMatchObject({ code: 3, stderr: '' });
  expect(JSON.parse(second.stdout)).toEqual({
    version: 1,
    error: { code: 'engine-runs', message: sentence, try: commands },
  });
  bringPlans(repo, { 'a.md': 'implementing' });
  drop(repo, 'implement-finished-a.md');
  await reachesStatus(repo, 'a.md', 'reviewing');
});

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
  test(`${signal} ends it with 0 and a message, and another can start`, async () => {
    const repo = temporaryRepo();
    const engine = await startEngine(repo);
    engine.process.kill(signal);
    expect(await engine.ended).toBe(0);
    expect(engine.lines.at(-1)).toBe('Engine stopped. Signals wait until an engine starts.');
    await startEngine(repo);
  });

test('after kill -9 the next engine takes every waiting signal once', async () => {
  const repo = temporaryRepo();
  const plans = Array.from({ length: 40 }, (_, index) => `plan-${index}.md`);
  bringPlans(repo, Object.fromEntries(plans.map((plan) => [plan, 'implementing'])));
  const engine = await startEngine(repo);
  for (const plan of plans.slice(0, 20)) drop(repo, `implement-finished-${plan}`);
  await reachesStatus(repo, 'plan-0.md', 'reviewing');
  engine.process.kill('SIGKILL');
  for (const plan of plans.slice(20)) drop(repo, `implement-finished-${plan}`);
  expect(await engine.ended).toBeNull();

  await startEngine(repo);
  await everythingTakenFrom(repo.signals);
  for (const plan of plans) await reachesStatus(repo, plan, 'reviewing');
  const finished = logOf(repo).filter((record) => record.event === 'implement_finished');
  expect(finished.map((record) => record.plan).sort()).toEqual([...plans].sort());
  expect(quarantined(repo)).toEqual([]);
});

test('a removed signals folder is created again, and signals in it are taken', async () => {
  const repo = temporaryRepo();
  bringPlans(repo, { 'a.md': 'implementing' });
  await startEngine(repo);
  rmSync(repo.signals, { recursive: true });
  await eventually(
    () => existsSync(repo.signals),
    (there) => there,
  );
  drop(repo, 'implement-finished-a.md');
  await reachesStatus(repo, 'a.md', 'reviewing');
});

test('a removed inbox is created again, and messages in it are taken', async () => {
  const repo = temporaryRepo();
  bringPlans(repo, { 'a.md': 'implementing', 'b.md': 'implementing' });
  await startEngine(repo);
  expect(repo.cadre('signal', 'implement-finished', '--plan', 'a')).toMatchObject({ code: 0 });
  await reachesStatus(repo, 'a.md', 'reviewing');
  rmSync(join(repo.state(), 'inbox'), { recursive: true });
  expect(repo.cadre('signal', 'implement-finished', '--plan', 'b')).toMatchObject({ code: 0 });
  await reachesStatus(repo, 'b.md', 'reviewing');
});

test('a removed quarantine folder is created again, and the next refused signal is kept in it', async () => {
  const repo = temporaryRepo();
  await startEngine(repo);
  // By then the engine has written something, and so created its folders.
  drop(repo, 'first.md');
  await everythingTakenFrom(repo.signals);
  rmSync(join(repo.state(), 'quarantine'), { recursive: true });
  drop(repo, 'misspelt.md');
  await everythingTakenFrom(repo.signals);
  expect(readdirSync(join(repo.state(), 'quarantine')).some((name) => name.endsWith('.original'))).toBe(true);
});

test('an engine whose lock is deleted stops and says so, also in JSON', async () => {
  const [plain, structured] = [temporaryRepo(), temporaryRepo()];
  const engines = [await startEngine(plain), await startEngine(structured, '--json')] as const;
  for (const repo of [plain, structured]) rmSync(join(repo.state(), 'engine.lock'));
  expect(await Promise.all(engines.map((engine) => engine.ended))).toEqual([3, 3]);
  const message =
    "The engine's lock file was deleted, so another engine may have started. This one stops; nothing is lost.";
  expect(engines[0].lines.slice(-2)).toEqual([message, '  try: cadre engine start']);
  expect(ndjson(engines[1].lines.join('\n')).at(-1)).toEqual({
    version: 1,
    error: { code: 'engine-lock-gone', message, try: ['cadre engine start'] },
  });
  await startEngine(plain);
});

test('an engine whose journal is deleted stops with a message and writes nothing more', async () => {
  const repo = temporaryRepo();
  repo.writePlan('a.md');
  expect(repo.cadre('register', 'a')).toMatchObject({ code: 0 });
  const engine = await startEngine(repo);
  // It has read the journal and is waiting.
  expect(repo.cadre('move', 'a', 'plan_start')).toMatchObject({ code: 0 });
  await engine.line(/plan_start/);
  const [segment] = readdirSync(join(repo.state(), 'journal'));
  const journal = join(repo.state(), 'journal', segment ?? '');
  rmSync(journal);
  await engine.ended;
  expect(engine.lines.join('\n')).not.toMatch(STACK_TRACE);
  expect(engine.process.exitCode).toBe(3);
  expect(engine.lines.at(-1)).toBe(
    `${journal} was deleted or replaced while cadre was using it. Nothing was written. Put the file back or restore it from a backup, then start cadre again.`,
  );
  expect(existsSync(journal)).toBe(false);
});

test('its output shows what other processes do', async () => {
  const repo = temporaryRepo();
  bringPlans(repo, { 'a.md': 'ready' });
  const engine = await startEngine(repo);
  expect(repo.cadre('move', 'a', 'plan_start')).toMatchObject({ code: 0 });
  expect(await engine.line(/plan_start/)).toMatch(/^#\d+ .* user +a\.md {2}ready -> planning {2}\(plan_start\)$/);
});

test('its output shows what it imports at the start', async () => {
  const repo = temporaryRepo();
  bringPlans(repo, { 'a.md': 'ready' });
  const engine = await startEngine(repo);
  await engine.line(/a\.md was imported from plan-state\.json/);
  expect(repo.cadre('move', 'a', 'plan_start')).toMatchObject({ code: 0 });
  await engine.line(/plan_start/);
  const shown = engine.lines.filter((line) => line.startsWith('#') && !/file read|settings:/.test(line));
  expect(shown).toHaveLength(2);
});

test('a plan that is written into plan-state.json by hand is imported', async () => {
  const repo = temporaryRepo();
  bringPlans(repo, { 'a.md': 'ready' });
  const engine = await startEngine(repo);
  await engine.line(/a\.md was imported/);
  repo.writePlan('by-hand.md');
  const path = join(repo.plans, 'plan-state.json');
  const file = JSON.parse(readFileSync(path, 'utf8'));
  file.plans['by-hand.md'] = { status: 'in_progress', note: 'mine' };
  writeFileSync(path, JSON.stringify(file));
  await engine.line(/by-hand\.md was imported/);
  await reachesStatus(repo, 'by-hand.md', 'implementing');
  expect(repo.planState().plans['by-hand.md']).toMatchObject({ note: 'mine' });
  expect(happenedTo(repo, 'by-hand').map((record) => record.event)).toEqual(['import']);
});

test('every line of its JSON is one object', async () => {
  const repo = temporaryRepo();
  bringPlans(repo, { 'a.md': 'planning' });
  const engine = await startEngine(repo, '--json');
  drop(repo, 'planner-finished-a.md');
  drop(repo, 'misspelt.md');
  await engine.line(/"tell":/);
  await engine.line(/"signal_refused"/);
  expect(await engine.stop()).toBe(0);
  const all = ndjson(engine.lines.join('\n')) as readonly Record<string, unknown>[];
  expect(all[0]).toEqual({ version: 1, engine: 'ready', repo: repo.root });
  expect(all.filter((one) => one.version !== 1)).toEqual([]);
  expect(all).toContainEqual({
    version: 1,
    tell: 'a.md is ready: it waits until a person starts planning or implementing it.',
  });
  expect(all).toContainEqual({ version: 1, warning: 'a.md was imported from plan-state.json.' });
  expect(all).toContainEqual(
    expect.objectContaining({ event: 'planner_finished', plan: 'a.md', from: 'planning', to: 'ready', by: 'agent' }),
  );
  expect(all).toContainEqual(expect.objectContaining({ event: 'signal_refused', plan: null }));
});

function drop(repo: Repo, name: string, body = ''): void {
  mkdirSync(repo.signals, { recursive: true });
  writeFileSync(join(repo.signals, name), body);
}
