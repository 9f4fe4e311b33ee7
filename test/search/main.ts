// What scripts/search.mjs needs, as one entry to bundle. A rule that is switched back is switched back in here alone.
import { MODELS } from './models.ts';
import { MUTANTS } from './mutants.ts';
import { partition } from './partition.ts';
import { search } from './search.ts';

export { MODELS, MUTANTS, partition, search };
