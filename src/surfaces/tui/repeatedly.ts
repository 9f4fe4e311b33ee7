// Work that is done again when it was asked for in the meantime, and never twice at once.

export interface Repeated {
  /** As soon as the caller and what runs have ended. */
  now(): void;
  /** After so many milliseconds, so that many calls in a row become one. */
  soon(delay: number): void;
}

export function repeatedly(work: () => Promise<void>): Repeated {
  let [isBusy, isWanted] = [false, false];
  let timer: NodeJS.Timeout | undefined;
  let due = Number.POSITIVE_INFINITY;
  const run = async (): Promise<void> => {
    [timer, due, isWanted] = [undefined, Number.POSITIVE_INFINITY, true];
    if (isBusy) return;
    isBusy = true;
    while (isWanted) {
      isWanted = false;
      await work();
    }
    isBusy = false;
  };
  const soon = (delay: number): void => {
    const at = performance.now() + delay;
    if (at >= due) return;
    clearTimeout(timer);
    [timer, due] = [setTimeout(() => void run(), delay), at];
  };
  return { soon, now: () => soon(0) };
}
