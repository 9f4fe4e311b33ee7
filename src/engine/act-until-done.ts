// Gets decided effects done for a command that waits for them: by the engine that runs, or by being it for a moment.
import { Failure } from '../core/model/failure.ts';
import { suggest } from '../core/model/suggestion.ts';
import { type EnginePorts, engine } from './loop.ts';

const LOOK_EVERY = 100;

/** Returns when none of the effects is left to be done; fails with a sentence when that takes too long. */
export async function actUntilDone(
  ports: EnginePorts,
  effects: readonly string[],
  patience: number,
  elapsed: () => number,
): Promise<void> {
  const deadline = elapsed() + patience;
  const isLeft = async (): Promise<boolean> => {
    const { outbox } = await ports.gateway.look();
    return effects.some((effect) => outbox.has(effect));
  };
  const mayGoOn = async (): Promise<boolean> => (await isLeft()) && elapsed() <= deadline;
  while (await mayGoOn()) {
    await actWhile(ports, mayGoOn);
    if (await mayGoOn()) await pause();
  }
  if (await isLeft()) throw tooSlow(ports, patience);
}

/** Rounds of the engine, if no other runs, for as long as something is left that can be done. */
async function actWhile(ports: EnginePorts, mayGoOn: () => Promise<boolean>): Promise<void> {
  const lock = await ports.locks.tryTake(ports.engineLock);
  if (lock === undefined) return;
  try {
    const { round, settled } = engine(ports, lock, 'moment', () => undefined);
    for (;;) {
      await round();
      await settled();
      if (!(await mayGoOn())) break;
      await pause();
    }
  } finally {
    lock.release();
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
}

function tooSlow({ locks, engineLock }: EnginePorts, patience: number): Failure {
  const holder = locks.holder(engineLock);
  const what =
    holder === undefined
      ? 'it could not be done'
      : `the engine "${holder.command}" (pid ${holder.pid}) has not done it`;
  return new Failure(
    'failed',
    'not-done-yet',
    `The decision is recorded, but ${what} within ${patience / 1000} s. It is still pending; the engine's log says why.`,
    { try: [suggest(holder === undefined ? 'engine-start' : 'engine-status')] },
  );
}
