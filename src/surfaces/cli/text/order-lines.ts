// How a plan would be built, as lines for a person.
import type { BuildOrder } from '../../../app/reads/order.ts';
import { shortened } from '../../../text/shorten.ts';
import { showText } from '../../../text/show.ts';
import { commandFor, tryLines } from './suggestions.ts';

export function orderLines(order: BuildOrder): readonly string[] {
  return [
    ...waveLines(order),
    '',
    ...preflightLines(order),
    ...(order.remarks.length === 0 ? [] : ['', ...remarkLines(order.remarks)]),
    ...tryLines(order.try.map(commandFor)),
  ];
}

/** What a person decides before the plan is built, all at once. */
export function remarkLines(remarks: readonly string[]): readonly string[] {
  return ['The plan leaves this open, and agents would guess:', ...remarks.map((remark) => `  ${showText(remark)}`)];
}

/** A line for each group of tasks that can be built in parallel. */
export function waveLines({ plan, world, waves, preflight }: BuildOrder): readonly string[] {
  const tasks = new Map((world.plans.get(plan)?.tasks ?? []).map((task) => [task.address, task]));
  const shown = (address: string): string => {
    const { name = '', profile } = tasks.get(address) ?? {};
    return `${address} ${shortened(name, 40)}${profile === undefined ? '' : ` [${showText(profile)}]`}`;
  };
  return [
    `${plan} would be built in this order, up to ${preflight.maxParallel} tasks in parallel:`,
    ...waves.map((wave, index) => `  ${index + 1}.  ${wave.map(shown).join('   ')}`),
  ];
}

export function verifyLines({ preflight: { verify, problem } }: BuildOrder): readonly string[] {
  return verify === null && problem !== undefined ? [] : [`Verified with: ${verify ?? 'nothing'}`];
}

export function setupLines({ preflight: { setup } }: BuildOrder): readonly string[] {
  return setup === null ? [] : [`Worktrees are set up with: ${setup}`];
}

/** The profiles that tasks name, and the one that gets the work after several rounds of review. */
function profileLines({ plan, world, preflight: { policy } }: BuildOrder): readonly string[] {
  const { profiles = {}, escalation, budgets } = policy;
  const named = (world.plans.get(plan)?.tasks ?? []).flatMap(({ profile, stale }) => (stale ? [] : (profile ?? [])));
  const shown = (name: string): string => {
    const program = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
    return program === undefined ? 'not in the settings' : [program.program, ...program.flags].join(' ');
  };
  const lines = [...new Set(named)].map((name) => `  profile ${showText(name).padEnd(10)} ${shown(name)}`);
  if (escalation === undefined) return lines;
  return [...lines, `  after ${budgets.escalateAfter ?? 0} rounds     ${shown(escalation)} (${showText(escalation)})`];
}

function preflightLines(order: BuildOrder): readonly string[] {
  const { programs, warnings, problem } = order.preflight;
  return [
    ...setupLines(order),
    ...verifyLines(order),
    ...Object.entries(programs).map(([role, program]) => `  ${role.padEnd(18)} ${program}`),
    ...profileLines(order),
    ...warnings,
    ...(problem === undefined
      ? []
      : ['', `It cannot be built yet: ${problem.why}`, ...tryLines((problem.try ?? []).map(commandFor))]),
  ];
}
