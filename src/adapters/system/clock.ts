// The system's clock.
import type { Clock } from '../../core/ports/clock.ts';
export const clock: Clock = {
  now: () => new Date(),
  elapsed: () => performance.now(),
};
