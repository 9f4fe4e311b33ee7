// cadre machines: the tables that everything runs on.
import { markdownGrid, mermaid } from '../../../../machines/diagram.ts';
import { type Machine, statesOf, transitionsOf } from '../../../../machines/machine.ts';
import { machines } from '../../../../machines/machines.ts';
import { showName } from '../../../../text/show.ts';
import { answer, EXIT, type Run, refuse } from '../../context.ts';

export const run: Run = async (context, given) => {
  const [name] = given.arguments;
  const chosen = machines.filter((machine) => name === undefined || machine.name === name);
  if (chosen.length === 0) {
    const names = machines.map((machine) => machine.name).join(', ');
    return refuse(context, 'unknown-machine', `Unknown machine "${showName(name ?? '')}". Machines: ${names}.`);
  }
  const draw = given.options.mermaid === true ? mermaid : describe;
  const json = { machines: Object.fromEntries(chosen.map((machine) => [machine.name, machineJson(machine)])) };
  answer(context, json, [chosen.map(draw).join('\n').trimEnd()]);
  return EXIT.ok;
};

function machineJson(machine: Machine): object {
  const { initial, final } = machine;
  return { initial, states: statesOf(machine), final, transitions: transitionsOf(machine) };
}

function describe(machine: Machine): string {
  return `${machine.name} (initial: ${machine.initial}; final: ${machine.final.join(', ')})\n\n${markdownGrid(machine)}`;
}
