// Random numbers that are repeatable from a seed.

export interface Random {
  /** A whole number from 0 up to, not including, `below`. */
  below(below: number): number;
  pick<T>(choices: readonly T[]): T;
}

export function randomFrom(seed: number): Random {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    pick(choices) {
      const choice = choices[below(choices.length)];
      if (choice === undefined) throw new Error('There is nothing to pick from.');
      return choice;
    },
  };
}
