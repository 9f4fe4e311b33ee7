// The four machines in one list, for the CLI, the diagrams and the tests.

import type { Machine } from './machine.ts';
import { planMachine } from './plan.ts';
import { runMachine } from './run.ts';
import { taskMachine } from './task.ts';
import { workshopMachine } from './workshop.ts';

export const machines: readonly Machine[] = [planMachine, taskMachine, workshopMachine, runMachine];
