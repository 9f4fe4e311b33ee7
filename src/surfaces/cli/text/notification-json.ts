// A notification as JSON: what the command of `notify.command` reads, and what `--json` prints.
import type { Notification } from '../../../core/ports/notify.ts';
import { VIEW_VERSION } from '../../../core/views/record.ts';
import { safeJson } from '../../../text/safe-json.ts';
import { commandFor } from './suggestions.ts';

/** `repo`: the main checkout; null outside of a repository. */
export function notificationJson({ actions, ...notification }: Notification, repo: string | null): object {
  return { ...notification, repo, commands: actions.map(commandFor) };
}

/** For the standard input of a command. */
export function notificationInput(notification: Notification, repo: string | null): string {
  return safeJson({ version: VIEW_VERSION, ...notificationJson(notification, repo) });
}
