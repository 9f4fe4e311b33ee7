// The order of test files: vitest starts with the largest, but the size of a file says little about how long it takes.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest files. Started last, one of them would run alone while the other cores idle. */
const LONG = [
  'test/simulation/simulation.test.ts',
  'test/plan/parse-time.test.ts',
  'test/e2e/sessions.test.ts',
  'test/e2e/demo.test.ts',
  'test/e2e/demo-chaos.test.ts',
  'test/e2e/cancel-anytime.test.ts',
  'test/e2e/cli-errors.test.ts',
  'test/adapters/worktrees/run-kills.test.ts',
  'test/search/hostile.test.ts',
  'test/search/search.test.ts',
  'test/crash/kills.test.ts',
];

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = LONG.findIndex((file) => moduleId.endsWith(file));
      return place === -1 ? LONG.length : place;
    };
    return sorted.sort((one, other) => rank(one) - rank(other));
  }
}
