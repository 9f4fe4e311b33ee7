// cadre watch: the engine in the foreground.
import { systemCode } from '../../../../core/model/failure.ts';
import type { Notification } from '../../../../core/ports/notify.ts';
import { taskNames } from '../../../../core/views/record.ts';
import { type Context, EXIT, jsonLine, type Run } from '../../context.ts';
import { printRecord } from '../../print-record.ts';
import { ring } from '../../ring.ts';
import { notificationJson } from '../../text/notification-json.ts';

export const run: Run = async (given) => {
  const context = { ...given, print: unlessFull(given.print) };
  const app = context.app();
  const stopFollowing = new AbortController();
  const follow = async (seq: number): Promise<void> => {
    // Performed effects show in what they cause.
    for await (const record of app.follow(seq, stopFollowing.signal))
      if (record.event !== 'effect_done') printRecord(context, record, taskNames(await app.world()));
  };
  const before = (await app.records(undefined, 1))[0]?.seq ?? 0;
  let following: Promise<void> = Promise.resolve();
  // Not earlier: an engine that is refused must not show what another one does.
  const ready = (): void => {
    // What prevents the journal from being followed stops the engine too, and the engine reports it.
    following = follow(before).catch(() => undefined);
    if (context.json) context.print(jsonLine({ engine: 'ready', repo: app.root }));
    else context.print(`Engine of ${app.root} is running. Ctrl-C stops it.`);
  };
  const notify = {
    tell: (text: string) => context.print(context.json ? jsonLine({ tell: text }) : `>> ${text}`),
    warn: (text: string) => (context.json ? context.print(jsonLine({ warning: text })) : context.warn(`!! ${text}`)),
    announce: (notification: Notification) => announce(context, notification),
  };
  try {
    await app.engine.run(notify, context.stop, ready);
  } finally {
    stopFollowing.abort();
    await following;
  }
  if (!context.json) context.print('Engine stopped. Signals wait until an engine starts.');
  return EXIT.ok;
};

function announce(context: Context, notification: Notification): void {
  const { title, text } = notification;
  if (context.json) context.print(jsonLine({ notification: notificationJson(notification, context.app().root) }));
  else context.print(`>> ${title}: ${text}`);
  void ring(context, notification);
}

/** The engine's own log is on the disk that is full: what it cannot say there is no reason to stop. */
function unlessFull(print: (text: string) => void): (text: string) => void {
  return (text) => {
    try {
      print(text);
    } catch (error) {
      if (!['ENOSPC', 'EDQUOT'].includes(systemCode(error) ?? '')) throw error;
    }
  };
}
