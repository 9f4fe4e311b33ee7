// cadre watch: the engine in the foreground.
import { EXIT, jsonLine, type Run } from '../../context.ts';
import { printRecord } from '../../print-record.ts';

export const run: Run = async (context) => {
  const app = context.app();
  const stopFollowing = new AbortController();
  const follow = async (seq: number): Promise<void> => {
    // Performed effects show in what they cause.
    for await (const record of app.follow(seq, stopFollowing.signal))
      if (record.event !== 'effect_done') printRecord(context, record);
  };
  const before = (await app.records()).at(-1)?.seq ?? 0;
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
    warn: (text: string) => (context.json ? context.print(jsonLine({ warning: text })) : context.say(`!! ${text}`)),
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
