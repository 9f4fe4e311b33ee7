// cadre plan archive: retires a plan that is over.
import { slugOf } from '../../../../plan/name.ts';
import { archiveCommand } from '../../archive-command.ts';

export const run = archiveCommand('plan-archive', ({ plan }) => [
  `${plan} is archived in docs/plans/archive/${slugOf(plan)}.`,
]);
