// Gets the effects of a command's decision done: by the running engine, or by a one-off engine in this process.
import { Failure } from '../core/model/failure.ts';
import { suggest } from '../core/model/suggestion.ts';
import { createEngine, type EnginePorts } from './loop.ts';

const POLL_EVERY = 100;

/**
 * Resolves when none of the effects is pending; fails if that takes longer than `timeout` milliseconds, or if a person has to
 * do something first.
 */
export async function actUntilDone(
  ports: EnginePorts,
  effects: readonly string[],
  timeout: number,
  elapsed: () => number,
): Promise<void> {
  const deadline = elapsed() + timeout;
  const isPending = async (): Promise<boolean> => {
    const { outbox } = await ports.gateway.look();
    return effects.some((effect) => outbox.has(effect));
  };
  const mayContinue = async (): Promise<boolean> => (await isPending()) && elapsed() <= deadline;
  while (await mayContinue()) {
    await runRoundsWhile(ports, effects, mayContinue);
    if (await mayContinue()) await pause();
  }
  if (await isPending()) throw notDone(ports, timeout);
}

/** Does nothing while another engine runs. */
async function runRoundsWhile(
  ports: EnginePorts,
  effects: readonly string[],
  mayContinue: () => Promise<boolean>,
): Promise<void> {
  const lock = await ports.locks.tryTake(ports.engineLock);
  if (lock === undefined) return;
  try {
    const { round, settled, blocked } = createEngine(ports, lock, 'one-off', () => undefined);
    for (;;) {
      await round();
      await settled();
      if (!(await mayContinue())) break;
      const why = blocked(effects);
      if (why !== undefined)
        throw new Failure('person', 'not-done-yet', `The decision is recorded, but not carried out yet: ${why}`);
      await pause();
    }
  } finally {
    lock.release();
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, POLL_EVERY));
}

function notDone({ locks, engineLock }: EnginePorts, timeout: number): Failure {
  const holder = locks.holder(engineLock);
  const who = holder === undefined ? '' : ` by the engine "${holder.command}" (pid ${holder.pid})`;
  return new Failure(
    'failed',
    'not-done-yet',
    `The decision is recorded, but it was not carried out${who} within ${timeout / 1000} s. It is still pending; the engine's log says why.`,
    { try: [suggest(holder === undefined ? 'engine-start' : 'engine-status')] },
  );
}
