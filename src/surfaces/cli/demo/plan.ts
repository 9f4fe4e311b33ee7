// The plan that the demo builds. What its agents do, mistakes included, stands in it as scripts.
import type { PlanFile } from '../../../plan/name.ts';
import { SENTENCES, WORDS } from './counting.ts';
import { HELP, LONGEST, MINUTES } from './more-measures.ts';

export const PLAN = 'measures.md' as PlanFile;

export const PLAN_TEXT = `# Measures of a text

**Goal:** The program tells how long a text is in words, sentences and minutes.

The blocks marked "script" are for the agents of the demo, which do what they are told there. Without them, this is a plan as
people write it.

## Phase 1: Counting
${WORDS}${SENTENCES}
## Phase 2: More measures (parallel)
${LONGEST}${MINUTES}${HELP}`;
