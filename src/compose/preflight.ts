// What is known before a plan is built: what it would be built with, and the first thing that is in the way.
import type { Preflight, RunOptions } from '../app/ports.ts';
import type { Policy } from '../core/settings/policy.ts';
import { quoteForShell } from '../text/shell.ts';
import { type ReadinessCheck, type ReadinessSituation, readiness } from './readiness.ts';

export async function preflight(situation: ReadinessSituation, options: RunOptions): Promise<Preflight> {
  const { checks, reading, verify, setup } = await readiness(situation);
  const maxParallel = options.maxParallel ?? reading.policy.maxParallel;
  const problem = checks.find(({ result }) => result === 'bad');
  return {
    ...(problem === undefined ? {} : { problem: problemOf(problem) }),
    warnings: checks.filter(isWarning).map(({ sentence }) => sentence),
    verify,
    setup,
    programs: programsIn(reading.policy),
    maxParallel,
    policy: { ...reading.policy, maxParallel },
  };
}

function problemOf({ code, sentence, try: remedies }: ReadinessCheck): NonNullable<Preflight['problem']> {
  return { code, why: sentence, ...(remedies === undefined ? {} : { try: remedies }) };
}

/** That nothing is verified is shown with the verify command itself. */
function isWarning({ name, result }: ReadinessCheck): boolean {
  return result === 'note' && name !== 'verify';
}

function programsIn({ programs }: Policy): Preflight['programs'] {
  const shown = Object.entries(programs).map(([role, { program, flags }]) => [
    role,
    quoteForShell([program, ...flags]),
  ]);
  return Object.fromEntries(shown);
}
