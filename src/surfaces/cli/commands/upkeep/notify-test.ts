// cadre notify test: sends a notification in every way that the settings name, and shows how each of them went.
import { Failure } from '../../../../core/model/failure.ts';
import { type Suggestion, suggest } from '../../../../core/model/suggestion.ts';
import type { Delivery, Notification } from '../../../../core/ports/notify.ts';
import { notifyWords } from '../../../../core/settings/notify.ts';
import { answer, type Context, EXIT, type Run, refuse } from '../../context.ts';
import { columns } from '../../text/columns.ts';
import { notificationJson } from '../../text/notification-json.ts';

const SAMPLE: Notification = {
  id: 'test',
  kind: 'test',
  plan: null,
  task: null,
  session: null,
  title: 'This is a test',
  text: 'You are notified like this when something waits for you.',
  actions: [suggest('status')],
};

export const run: Run = async (context) => {
  const config = context.config();
  // It starts a command of the person's.
  if (config.by.who !== 'user')
    return refuse(context, 'user-only', 'Only a person may test notifications, and this is the session of an agent.');
  const { settings, problems } = await config.read();
  if (problems.length > 0) return refuse(context, 'bad-config', problems.join('\n'), CHECK);
  const { notify } = settings;
  const rung = context.ring(context.json ? { bell: false, osc9: 'off' } : notify, `${SAMPLE.title}: ${SAMPLE.text}`);
  const sent = await context.notifier().send(SAMPLE, { desktop: notify.desktop, command: notifyWords(notify) });
  const deliveries = [...rung, ...sent];
  answer(context, { notification: notificationJson(SAMPLE, rootOf(context)), deliveries }, deliveryLines(deliveries));
  return deliveries.some(({ result }) => result === 'failed') ? EXIT.failed : EXIT.ok;
};

const CHECK: readonly Suggestion[] = [suggest('config-check')];

function deliveryLines(deliveries: readonly Delivery[]): readonly string[] {
  return columns(deliveries.map(({ channel, result, sentence }) => [channel, WORDS[result], sentence]));
}

const WORDS: { readonly [result in Delivery['result']]: string } = {
  sent: 'ok',
  off: 'off',
  missing: '-',
  failed: 'FAILED',
};

/** The settings are the same outside of a repository. */
function rootOf(context: Context): string | null {
  try {
    return context.app().root;
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}
