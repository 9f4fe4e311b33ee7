// The table of actions: everything a person can do, for every surface.
import type { ActionName } from '../../core/model/suggestion.ts';
import type { ActionRow } from './action.ts';
import { ARCHIVE_ACTIONS } from './archive.ts';
import { IMPORT_ACTIONS } from './import.ts';
import { INCIDENT_ACTIONS } from './incidents.ts';
import { PAUSE_ACTIONS } from './pause.ts';
import { PLAN_ACTIONS } from './plans.ts';
import { RECOVERY_ACTIONS } from './recovery.ts';
import { REPOSITORY_ACTIONS } from './repository.ts';
import { SESSION_ACTIONS } from './sessions.ts';
import { TASK_ROWS } from './tasks.ts';
import { WORKSHOP_ACTIONS } from './workshop.ts';

export const ACTIONS: { readonly [name in ActionName]: ActionRow<name> } = {
  ...PLAN_ACTIONS,
  ...IMPORT_ACTIONS,
  ...INCIDENT_ACTIONS,
  ...TASK_ROWS,
  ...SESSION_ACTIONS,
  ...REPOSITORY_ACTIONS,
  ...RECOVERY_ACTIONS,
  ...PAUSE_ACTIONS,
  ...WORKSHOP_ACTIONS,
  ...ARCHIVE_ACTIONS,
};
