// Properties with arguments as positions, for short tests.
import fc from 'fast-check';

export { fc };

export function test<Arguments extends [unknown, ...unknown[]]>(
  ...given: [...{ [at in keyof Arguments]: fc.Arbitrary<Arguments[at]> }, (...values: Arguments) => void]
): void {
  const holds = given.at(-1) as (...values: Arguments) => void;
  const arbitraries = given.slice(0, -1) as { [at in keyof Arguments]: fc.Arbitrary<Arguments[at]> };
  fc.assert(
    fc.property<Arguments>(...arbitraries, (...values) => holds(...values)),
    { numRuns: 500 },
  );
}
