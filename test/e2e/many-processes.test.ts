// Eight processes move the same plans at once: nothing is lost, nothing happens twice, and the file equals the fold.
import { spawn } from 'node:child_process';
import { dirname, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { JournalRecord, Move } from '../../src/core/model/record.ts';
import { bringPlans } from '../support/plans.ts';
import { MAIN, type Repo, temporaryRepo } from '../support/repo.ts';

const PROCESSES = 8;
const EVENTS = 200;
const PLANS = 50;

interface Answered {
  readonly kind: 'accepted' | 'refused';
  readonly record: JournalRecord | null;
}

test('every accepted transition is in the journal exactly once, and follows from its predecessor', async () => {
  const repo = temporaryRepo();
  bringPlans(repo, Object.fromEntries(Array.from({ length: PLANS }, (_none, number) => [`p${number}.md`, 'ready'])));

  const answered = (await Promise.all(Array.from({ length: PROCESSES }, (_none, seed) => fire(repo, seed + 1)))).flat();
  expect(answered).toHaveLength(PROCESSES * EVENTS);

  const records = repo
    .cadre('log', '--json')
    .stdout.trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(records.map((record) => record.seq)).toEqual(records.map((_record, index) => index + 1));

  const accepted = answered.filter((one) => one.kind === 'accepted');
  expect(accepted.length, 'too few transitions to show anything').toBeGreaterThan(200);
  const claimed = accepted.map((one) => `${one.record?.seq} ${JSON.stringify(one.record?.moves)}`).sort();
  const written = records
    .filter((record) => !['import', 'import_document', 'plan_read'].includes(record.event))
    .map((record) => `${record.seq} ${JSON.stringify(record.moves)}`)
    .sort();
  expect(written).toEqual(claimed);

  const states = new Map<string, string>();
  for (const move of records.flatMap((record) => record.moves as Move[])) {
    expect(move.from, `${move.plan} ${move.event}`).toBe(states.get(move.plan) ?? null);
    states.set(move.plan, move.to);
  }
  const inFile = Object.entries(repo.planState().plans).map(([plan, entry]) => [plan, entry.status]);
  expect(Object.fromEntries(inFile)).toEqual(Object.fromEntries(states));
});

async function fire(repo: Repo, seed: number): Promise<readonly Answered[]> {
  const program = resolve('test/support/programs/fire-events.mjs');
  const child = spawn(process.execPath, [program, String(EVENTS), String(PLANS), String(seed)], {
    cwd: repo.root,
    env: { ...repo.env, CADRE_DIST: dirname(MAIN) },
  });
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(errors).toBe('');
  return output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}
