// Draws attention to the terminal that shows a build.
import { Failure } from '../../core/model/failure.ts';
import type { Notification } from '../../core/ports/notify.ts';
import { NOTIFY, type NotifySettings } from '../../core/settings/notify.ts';
import type { Context } from './context.ts';

/** If the settings want that for this notification. Never into a pipe or between JSON. */
export async function ring(context: Context, { kind, title, text }: Notification): Promise<void> {
  if (context.json || !context.isTerminal()) return;
  const how = await settingsOf(context);
  if (how.for.includes(kind)) context.ring(how, `${title}: ${text}`);
}

/** What is wrong with the files is reported by the engine. */
async function settingsOf(context: Context): Promise<NotifySettings> {
  try {
    return (await context.config().read()).settings.notify;
  } catch (error) {
    if (error instanceof Failure) return NOTIFY;
    throw error;
  }
}
