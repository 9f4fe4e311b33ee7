// Work that is done again when it was asked for in the meantime, and never twice at once.

export interface Repeated {
  /** At once, or as soon as what runs has ended. */
  now(): void;
  /** Soon, so that many calls in a row become one. */
  soon(): void;
}

/** In milliseconds. */
const SOON = 80;

export function repeatedly(work: () => Promise<void>): Repeated {
  let [isBusy, isWanted, isTimed] = [false, false, false];
  const now = async (): Promise<void> => {
    isWanted = true;
    if (isBusy) return;
    isBusy = true;
    while (isWanted) {
      isWanted = false;
      await work();
    }
    isBusy = false;
  };
  return {
    now: () => void now(),
    soon() {
      if (isTimed) return;
      isTimed = true;
      setTimeout(() => {
        isTimed = false;
        void now();
      }, SOON);
    },
  };
}
