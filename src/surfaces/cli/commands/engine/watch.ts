// cadre watch: the engine in the foreground.
import { ENVELOPE_VERSION, EXIT, type Run } from '../../context.ts';
import { printRecord } from '../views/log.ts';

export const run: Run = async (context) => {
  const app = context.app();
  const tellJson = (value: object): void => context.print(JSON.stringify({ version: ENVELOPE_VERSION, ...value }));
  const stopFollowing = new AbortController();

  const follow = async (seq: number): Promise<void> => {
    // That an effect was performed shows by itself.
    for await (const record of app.follow(seq, stopFollowing.signal))
      if (record.event !== 'effect_done') printRecord(context, record);
  };
  const before = [...(await app.records())].at(-1)?.seq ?? 0;
  let following: Promise<void> = Promise.resolve();
  // Not before: what another engine does meanwhile is not for one that is refused to tell.
  const ready = (): void => {
    // What keeps the journal from being followed stops the engine too, and the engine says it.
    following = follow(before).catch(() => undefined);
    if (context.json) tellJson({ engine: 'ready', repo: app.root });
    else context.print(`Engine of ${app.root}: signals are taken as they come. Ctrl-C stops it.`);
  };
  const notify = {
    tell: (text: string) => (context.json ? tellJson({ tell: text }) : context.print(`>> ${text}`)),
    warn: (text: string) => (context.json ? tellJson({ warning: text }) : context.say(`!! ${text}`)),
  };

  try {
    await app.runEngine(notify, context.stop, ready);
  } finally {
    stopFollowing.abort();
    await following;
  }
  if (!context.json) context.print('The engine has stopped. Signals wait where they are until the next one.');
  return EXIT.ok;
};
