// Kills programs of the demo at random moments, as often as the demo lasts.
import { setTimeout as pause } from 'node:timers/promises';
import type { Playground, PlaygroundProcess, ProcessKind } from '../playground.ts';

export interface Kill {
  readonly kind: ProcessKind;
  readonly command: string;
}

export interface ChaosRequest {
  readonly playground: Playground;
  readonly random: () => number;
  readonly stop: AbortSignal;
  /** How many records the journal has. */
  records(): number;
  killed(kill: Kill): void;
}

/** Kills until stopped, or often enough. Each kind is killed about as often as the others. */
export async function causeChaos(request: ChaosRequest): Promise<void> {
  const { playground, random, stop, killed } = request;
  const count = new Map(KINDS.map((kind) => [kind, 0]));
  for (let kills = 0; kills < MOST_KILLS && !stop.aborted; ) {
    await someProgress(request);
    const rarestFirst = [...KINDS].sort((a, b) => (count.get(a) ?? 0) - (count.get(b) ?? 0) || random() - 0.5);
    const victim = await findFirst(playground, rarestFirst, random);
    if (victim === undefined || stop.aborted || !playground.kill(victim.pid)) continue;
    count.set(victim.kind, (count.get(victim.kind) ?? 0) + 1);
    killed(victim);
    kills++;
  }
}

/** An agent that is killed in every turn never finishes one. */
const MOST_KILLS = 24;

const KINDS: readonly ProcessKind[] = ['engine', 'cadre run', 'git', 'agent'];

/** Between two kills: so many records at most, unless nothing happens for so many milliseconds; then a moment more. */
const [MOST_RECORDS, LONGEST_WAIT, LONGEST_MOMENT] = [12, 4_000, 150];

/** If programs were killed faster than they can start, nothing would ever be done. */
async function someProgress({ records, random, stop }: ChaosRequest): Promise<void> {
  const wanted = records() + 1 + Math.floor(random() * MOST_RECORDS);
  const until = performance.now() + LONGEST_WAIT;
  while (!stop.aborted && records() < wanted && performance.now() < until) await pause(10);
  await pause(random() * LONGEST_MOMENT);
}

/** A git lives for some milliseconds only, so that one has to look often. */
const LOOKS = 100;

async function findFirst(
  playground: Playground,
  kinds: readonly ProcessKind[],
  random: () => number,
): Promise<PlaygroundProcess | undefined> {
  for (const kind of kinds)
    for (let look = 0; look < (kind === 'git' ? LOOKS : 1); look++) {
      const found = playground.processes().filter((one) => one.kind === kind);
      if (found.length > 0) return found[Math.floor(random() * found.length)];
      await pause(1);
    }
  return undefined;
}

/** Random numbers from 0 to 1 that are the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
