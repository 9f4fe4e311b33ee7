// Keeps a build going while somebody follows it: an engine that was killed is started again, up to a limit. One that runs and
// cannot work is reported after a while.
import { Failure } from '../core/model/failure.ts';
import type { LockHolder } from '../core/ports/locks.ts';
import type { AppPorts, RunOptions } from './ports.ts';

/**
 * `restarted`: it was killed, and another one continues. `missing`: no engine for a moment, perhaps between two of them.
 * `lost`: a person stopped it, or it was killed too often, and nobody has started another since. `stuck`: it runs, and the
 * same problem has kept it from all of its work for a while.
 */
export type EngineNews =
  | { readonly kind: 'engine'; readonly is: 'restarted'; readonly engine: LockHolder }
  | { readonly kind: 'engine'; readonly is: 'missing' | 'lost' }
  | { readonly kind: 'engine'; readonly is: 'stuck'; readonly problem: string }
  | { readonly kind: 'warning'; readonly text: string };

/** How many looks in a row find no engine before that is shown, and before the engine counts as lost. */
const [MISSING_AFTER, LOST_AFTER] = [2, 5];

/** How many looks in a row find the same problem before the engine counts as stuck. */
const STUCK_AFTER = 15;

/** Something that kills every engine is for a person to find, so only this many are started in this time. */
const MOST_RESTARTS = 10;
const RESTARTS_WITHIN = 600_000;

/** Returns a function that looks once. One look must end before the next. */
export function watchEngine(
  { engine, clock }: AppPorts,
  options: RunOptions,
  show: (news: EngineNews) => void,
): () => Promise<void> {
  let missedLooks = 0;
  let problemLooks = 0;
  let problem: string | undefined;
  let restarts: readonly number[] = [];

  const restart = async (): Promise<void> => {
    restarts = [...restarts, clock.elapsed()];
    try {
      show({ kind: 'engine', is: 'restarted', engine: await engine.start(options) });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      // Somebody may have started one with other options in the meantime; then there is nothing to report.
      if (engine.holder() === undefined) show({ kind: 'warning', text: error.message });
    }
  };

  const lookForProblem = (): void => {
    const found = engine.problem();
    problemLooks = found !== undefined && found === problem ? problemLooks + 1 : 0;
    problem = found;
    if (problem !== undefined && problemLooks === STUCK_AFTER) show({ kind: 'engine', is: 'stuck', problem });
  };

  return async () => {
    lookForProblem();
    missedLooks = engine.holder() === undefined ? missedLooks + 1 : 0;
    if (missedLooks === 0) return;
    restarts = restarts.filter((at) => clock.elapsed() - at < RESTARTS_WITHIN);
    if (engine.wasKilled() && restarts.length < MOST_RESTARTS) {
      missedLooks = 0;
      return restart();
    }
    if (missedLooks === MISSING_AFTER) show({ kind: 'engine', is: 'missing' });
    if (missedLooks === LOST_AFTER) show({ kind: 'engine', is: 'lost' });
  };
}
