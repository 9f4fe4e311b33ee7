// Draws a machine: as a Mermaid state diagram, and as a grid of every state against every event.
import { eventsOf, isUserOnly, type Machine, statesOf, step, transitionsOf } from './machine.ts';

export function mermaid(machine: Machine): string {
  const edges = transitionsOf(machine).map(
    ({ from, event, to, userOnly }) => `    ${from} --> ${to} : ${event}${userOnly ? ' (user)' : ''}`,
  );
  const ends = machine.final.map((state) => `    ${state} --> [*]`);
  return ['stateDiagram-v2', `    [*] --> ${machine.initial}`, ...edges, ...ends, ''].join('\n');
}

/** One row per state and one column per event; a cell names the state that the event leads to. */
export function markdownGrid(machine: Machine): string {
  const events = eventsOf(machine);
  const header = ['from', ...events.map((event) => `\`${event}\`${isUserOnly(machine, event) ? ' (user)' : ''}`)];
  const rows = statesOf(machine).map((state) => [
    `\`${state}\``,
    ...events.map((event) => cell(machine, state, event)),
  ]);
  return [header, header.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |\n`).join('');
}

function cell(machine: Machine, state: string, event: string): string {
  const result = step(machine, state, event);
  return result.kind === 'moved' ? result.to : '–';
}
