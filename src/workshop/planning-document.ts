// Reads a planning document as a planner hands it in: its JSON, its structure, and whether it makes sense.
import { canonicalDocument } from './canonical.ts';
import { checkStructuredPlan } from './planning-checks.ts';
import { PLANNING_SHAPE } from './planning-shape.ts';
import { type Read, readDocument } from './reading.ts';
import type { PlanningDocument } from './structured-plan.ts';

export type { Read } from './reading.ts';
export type { Milestone, PlannedFile, PlannedTask, PlanningDocument } from './structured-plan.ts';

export function readPlanningDocument(text: string): Read<PlanningDocument> {
  return readDocument(text, PLANNING_SHAPE, canonicalDocument, checkStructuredPlan);
}
