// The order of test files: vitest begins with the largest, but how long a file is says little about how long it takes.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Whichever of these began last would run on alone, with nothing to do for the other cores. */
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
