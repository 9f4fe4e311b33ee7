// What each action takes, as schemas: for surfaces that get their input from outside, such as a web board.
import * as z from 'zod';
import type { ActionName } from '../../core/model/suggestion.ts';
import { DIALECT_NAMES } from '../../plan/foreign/dialect.ts';
import type { ActionInputs } from '../actions/action.ts';
import type { Plain } from './plain.ts';
import { planEvent, runState } from './views.ts';

const nothing = z.strictObject({});
const ruling = z.strictObject({
  findings: z.array(z.string()).exactOptional(),
  why: z.string().exactOptional(),
});
const approval = z.strictObject({
  seen: z
    .strictObject({
      state: runState,
      stage: z.enum(['spec', 'quality']).nullable(),
      commit: z.string().nullable(),
    })
    .exactOptional(),
});
const feedback = z.strictObject({ feedback: z.string().exactOptional() });

export const INPUTS: { readonly [name in ActionName]: z.ZodType<Plain<ActionInputs[name]>> } = {
  run: z.strictObject({ headless: z.boolean(), maxParallel: z.int().min(1).exactOptional() }),
  register: z.strictObject({ description: z.string().exactOptional(), topic: z.string().exactOptional() }),
  use: z.strictObject({ newest: z.boolean().exactOptional() }),
  'plan-import': z.strictObject({
    to: z.string().exactOptional(),
    format: z.enum(DIALECT_NAMES).exactOptional(),
    tag: z.string().exactOptional(),
    all: z.boolean().exactOptional(),
  }),
  move: z.strictObject({ event: planEvent, feedback: z.string().exactOptional() }),
  cancel: nothing,
  reopen: nothing,
  'start-over': nothing,
  adopt: nothing,
  land: nothing,
  'incident-restore': nothing,
  'worktree-restore': nothing,
  'incident-take': z.strictObject({ lost: z.enum(['replan', 'keep']).exactOptional() }),
  'plan-new': z.strictObject({ brief: z.string(), name: z.string().exactOptional() }),
  'plan-answer': z.strictObject({
    answers: z.array(z.strictObject({ question: z.string(), text: z.string().nullable() })),
  }),
  'plan-continue': nothing,
  'plan-settle': nothing,
  'plan-redo': feedback,
  'plan-approve': z.strictObject({ replace: z.boolean().exactOptional() }),
  'plan-archive': nothing,
  'plan-unarchive': nothing,
  freeze: nothing,
  thaw: nothing,
  pause: nothing,
  resume: nothing,
  launch: nothing,
  retry: nothing,
  revert: nothing,
  'mark-done': nothing,
  next: nothing,
  back: feedback,
  approve: approval,
  override: approval,
  reject: feedback,
  abandon: nothing,
  answer: z.strictObject({ text: z.string() }),
  'merge-anyway': nothing,
  'finding-park': ruling,
  'finding-overrule': ruling,
  'finding-confirm': ruling,
  'finding-plan-holds': ruling,
  'finding-holds': ruling,
  'session-new': z.strictObject({
    prompt: z.string(),
    program: z.string().exactOptional(),
    title: z.string().exactOptional(),
    env: z.array(z.string()).exactOptional(),
    role: z.string().exactOptional(),
    plan: z.string().exactOptional(),
  }),
  'session-switch': z.strictObject({
    prompt: z.string(),
    program: z.string().exactOptional(),
    role: z.string().exactOptional(),
  }),
  'session-resume': z.strictObject({ prompt: z.string() }),
  'session-stop': nothing,
  'session-pause': nothing,
  'session-send': z.strictObject({ text: z.string() }),
  'quarantine-retry': nothing,
  'quarantine-drop': nothing,
  'quarantine-drop-all': nothing,
  'engine-start': nothing,
  'engine-stop': nothing,
  'config-set': z.strictObject({
    key: z.string(),
    value: z.string(),
    place: z.enum(['global', 'project']),
    waits: z.boolean().exactOptional(),
  }),
  'config-accept': nothing,
  'use-journal': nothing,
  repair: nothing,
  gc: z.strictObject({ olderThan: z.number().min(0), unmerged: z.boolean() }),
  restore: z.strictObject({ branch: z.string().exactOptional(), folder: z.string().exactOptional() }),
};
