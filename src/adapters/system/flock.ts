// flock(2), which Node does not offer: through koffi, or through flock(1) on an inherited descriptor.
import { runWithFile } from './exec.ts';

export interface Flock {
  /** Takes the exclusive lock of an open file; false if it is held elsewhere. */
  tryLock(file: number): boolean;
  readonly way: 'flock(2)' | 'flock(1)';
}

const LOCK_EX = 2;
const LOCK_NB = 4;

/** The better of the two that works here. Without one, cadre does not write. */
export async function findFlock(): Promise<Flock | undefined> {
  return (await throughLibrary()) ?? throughProgram();
}

export async function throughLibrary(): Promise<Flock | undefined> {
  try {
    const { default: koffi } = await import('koffi');
    const flock = koffi.load(null).func('int flock(int fd, int operation)');
    const busy = new Set([koffi.os.errno.EAGAIN, koffi.os.errno.EWOULDBLOCK]);
    return {
      way: 'flock(2)',
      tryLock(file) {
        if (flock(file, LOCK_EX | LOCK_NB) === 0) return true;
        const errno = koffi.errno();
        if (busy.has(errno)) return false;
        throw new Error(`flock(2) failed with errno ${errno}.`);
      },
    };
  } catch {
    return undefined;
  }
}

/** The lock belongs to the open file, not to the process, so we keep it when flock(1) has ended. */
export function throughProgram(): Flock | undefined {
  const probe = runWithFile(['flock', '--version'], undefined);
  if (probe.exitCode !== 0) return undefined;
  return {
    way: 'flock(1)',
    tryLock(file) {
      const result = runWithFile(['flock', '--exclusive', '--nonblock', '3'], file);
      if (result.exitCode === 0) return true;
      if (result.exitCode === 1) return false;
      throw new Error(`flock(1) failed: ${result.stderr.trim()}`);
    },
  };
}
