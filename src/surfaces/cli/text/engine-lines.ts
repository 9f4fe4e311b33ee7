// Sentences about the engine that several commands print.
import { counted } from '../../../text/counted.ts';

export const NO_ENGINE = 'No engine is running, so nothing happens until one does: "cadre engine start".';

export const ENGINE_GONE =
  'The engine has stopped, so nothing more happens. "cadre engine start" continues; "cadre engine status" shows its log.';

/** `waiting`: how many signals are waiting for an engine. */
export function noEngineLine(waiting: number): string {
  if (waiting === 0) return 'No engine is running; "cadre engine start" starts one.';
  const are = waiting === 1 ? 'is' : 'are';
  return `No engine is running, and ${counted(waiting, 'signal')} ${are} waiting for one: "cadre engine start".`;
}

export const PAUSED = 'cadre is paused: no agent runs and nothing is merged until "cadre resume".';

export const FROZEN = 'cadre is frozen: nothing new starts until "cadre thaw".';
