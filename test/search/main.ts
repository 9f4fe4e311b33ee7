// The entry point that scripts/search.mjs bundles. A mutant changes only this bundle.
import { MODELS } from './models.ts';
import { MUTANTS } from './mutants.ts';
import { partition } from './partition.ts';
import { search } from './search.ts';

export { MODELS, MUTANTS, partition, search };
