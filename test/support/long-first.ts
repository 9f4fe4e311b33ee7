// The order of test files: vitest starts with the largest, but the size of a file says little about how long it takes.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest files. Started last, one of them would run alone while the other cores idle. */
const LONG = ['test/simulation/simulation.test.ts', 'test/search/search.test.ts', 'test/plan/parse-time.test.ts'];

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
