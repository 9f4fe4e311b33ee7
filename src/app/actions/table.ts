// The table of actions: everything a person can do, for every surface.
import type { ActionName } from '../../core/model/suggestion.ts';
import type { ActionRow } from './action.ts';
import { PLAN_ACTIONS } from './plans.ts';
import { REPOSITORY_ACTIONS } from './repository.ts';
import { SESSION_ACTIONS } from './sessions.ts';
import { TASK_ACTIONS } from './tasks.ts';

export const ACTIONS: { readonly [name in ActionName]: ActionRow<name> } = {
  ...PLAN_ACTIONS,
  ...TASK_ACTIONS,
  ...SESSION_ACTIONS,
  ...REPOSITORY_ACTIONS,
};
