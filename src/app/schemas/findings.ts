// The schema of findings as "cadre findings --json" prints them.
import * as z from 'zod';
import type { FindingView } from '../../core/views/findings.ts';
import { SEVERITIES } from '../../reviews/review-document.ts';
import { ROLES } from '../../signals/registry.ts';
import { view } from './views.ts';

const AUTHORS = ['person', 'engine', ...ROLES] as const;

export const findingView = view<FindingView>(
  'Finding',
  z.strictObject({
    plan: z.string(),
    task: z.string().nullable().describe('Null for what the review of the whole plan found.'),
    id: z.string(),
    severity: z.enum(SEVERITIES),
    state: z.enum(['open', 'not-addressed', 'addressed', 'deferred', 'parked', 'overruled']),
    blocking: z.boolean().describe('Its task is not merged while it is open.'),
    demand: z.boolean().describe('A person demands it.'),
    place: z.string().nullable(),
    problem: z.string(),
    why: z.string().nullable(),
    fix: z.string().nullable(),
    contradicts: z.string().nullable().describe('The text of the plan that it contradicts.'),
    undecided: z.boolean().describe('A person has not decided yet which of the two holds.'),
    foundBy: z.enum(AUTHORS),
    commit: z.string().nullable(),
    evidence: z.string().nullable(),
    decidedBy: z.enum(AUTHORS).nullable(),
    because: z.string().nullable(),
    listed: z.boolean().describe('The review of the plan sees it.'),
    at: z.iso.datetime(),
  }),
);
