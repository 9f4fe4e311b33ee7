// How a plan would be built, as lines for a person.
import type { BuildOrder } from '../../../app/reads/order.ts';
import { shortened } from '../../../text/shorten.ts';
import { commandFor, tryLines } from './suggestions.ts';

export function orderLines(order: BuildOrder): readonly string[] {
  return [...waveLines(order), '', ...preflightLines(order), ...tryLines(order.try.map(commandFor))];
}

/** A line for each group of tasks that can be built in parallel. */
export function waveLines({ plan, world, waves, preflight }: BuildOrder): readonly string[] {
  const names = new Map((world.plans.get(plan)?.tasks ?? []).map((task) => [task.address, task.name]));
  const shown = (address: string): string => `${address} ${shortened(names.get(address) ?? '', 40)}`;
  return [
    `${plan} would be built in this order, up to ${preflight.maxParallel} tasks in parallel:`,
    ...waves.map((wave, index) => `  ${index + 1}.  ${wave.map(shown).join('   ')}`),
  ];
}

export function verifyLines({ preflight: { verify, problem } }: BuildOrder): readonly string[] {
  return verify === null && problem !== undefined ? [] : [`Verified with: ${verify ?? 'nothing'}`];
}

function preflightLines(order: BuildOrder): readonly string[] {
  const { programs, warnings, problem } = order.preflight;
  return [
    ...verifyLines(order),
    ...Object.entries(programs).map(([role, program]) => `  ${role.padEnd(18)} ${program}`),
    ...warnings,
    ...(problem === undefined ? [] : ['', `It cannot be built yet: ${problem.why}`]),
  ];
}
