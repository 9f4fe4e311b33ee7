// The engine's sleep between two rounds, which anything that happens cuts short.
import type { Clock } from '../core/ports/clock.ts';

export interface Sleeper {
  /** Ends the sleep, or skips the next one. */
  wake(): void;
  wokenWithin(milliseconds: number): boolean;
  sleep(milliseconds: number): Promise<void>;
}

export function openSleeper(clock: Clock): Sleeper {
  let wokenAt = clock.elapsed();
  let isWoken = false;
  let endSleep = (): void => undefined;
  return {
    wake() {
      isWoken = true;
      wokenAt = clock.elapsed();
      endSleep();
    },
    wokenWithin: (milliseconds) => clock.elapsed() - wokenAt <= milliseconds,
    async sleep(milliseconds) {
      if (!isWoken) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, milliseconds);
          endSleep = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      // Everything that has happened by now counts as one: otherwise each of hundreds of changed files, which are reported one
      // after the other, would each cause a round, and nothing else would be heard in between.
      await new Promise<void>((resolve) => setImmediate(resolve));
      isWoken = false;
    },
  };
}
