// cadre plan unarchive: brings an archived plan back.
import { archiveCommand } from '../../archive-command.ts';

export const run = archiveCommand('plan-unarchive', ({ plan, status }) => [`${plan} is back; it is ${status}.`]);
