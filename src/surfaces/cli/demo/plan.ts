// The plan that the demo builds. Its scripts say what the agents do, mistakes included.
import type { PlanFile } from '../../../plan/name.ts';
import { SENTENCES, WORDS } from './counting.ts';
import { HELP, LONGEST, MINUTES_TASK } from './more-measures.ts';

export const PLAN = 'measures.md' as PlanFile;

export const PLAN_TEXT = `# Measures of a text

**Goal:** The program measures a text in words, sentences and minutes of reading.

The blocks marked "script" are for the agents of the demo, which do what the scripts say. Without them this is an ordinary
plan.

## Phase 1: Counting
${WORDS}${SENTENCES}
## Phase 2: More measures (parallel)
${LONGEST}${MINUTES_TASK}${HELP}`;
