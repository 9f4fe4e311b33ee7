// Sentences about the engine that several commands print.
import { counted } from './counted.ts';

export const NO_ENGINE = 'No engine is running, so nothing happens until one does: "cadre engine start".';

/** `waiting`: how many signals are waiting for an engine. */
export function noEngineLine(waiting: number): string {
  if (waiting === 0) return 'No engine is running; "cadre engine start" starts one.';
  const are = waiting === 1 ? 'is' : 'are';
  return `No engine is running, and ${counted(waiting, 'signal')} ${are} waiting for one: "cadre engine start".`;
}

export const FROZEN = 'cadre is frozen: nothing new starts until "cadre thaw".';
