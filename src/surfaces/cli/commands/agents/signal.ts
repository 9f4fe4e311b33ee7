// cadre signal: an agent sends a signal, and learns immediately whether it will be accepted.
import type { SignalSent } from '../../../../app/signal.ts';
import { findSignal } from '../../../../signals/registry.ts';
import {
  answer,
  answerRefused,
  type Context,
  EXIT,
  type Given,
  type Run,
  textFrom,
  textOption,
} from '../../context.ts';

export const run: Run = async (context, given) => {
  const [name = ''] = given.arguments;
  const [plan, task] = [textOption(given, 'plan'), textOption(given, 'task')];
  const sent = await context.app().signal({ name, plan, task, body: await bodyOf(context, given) });
  if (sent.kind === 'refused') return answerRefused(context, sent);
  const { said, willMove, engine } = sent;
  answer(context, { signal: name, plan: sent.plan, said, willMove, engine }, [sentence(context, sent)]);
  return EXIT.ok;
};

async function bodyOf(context: Context, given: Given): Promise<string> {
  if (findSignal(given.arguments[0] ?? '')?.body === 'none') return '';
  return (await textFrom(context, undefined, textOption(given, 'bodyFile'))) ?? '';
}

function sentence(context: Context, { plan, said, willMove, engine }: Extract<SignalSent, { kind: 'sent' }>): string {
  if (willMove === null && said === 'now') return `${plan}: accepted.`;
  if (willMove === null) return 'This signal was already sent; nothing more will happen.';
  const { from, to } = willMove;
  const what = from === null ? `${plan} will be registered as ${to}` : `${plan} will go from ${from} to ${to}`;
  if (engine !== null) return `${what}.`;
  // An agent cannot start an engine, and in its sandbox does not see the one that is running.
  const when = context.app().by.who === 'agent' ? 'the engine takes it' : 'an engine is running ("cadre engine start")';
  return `${what} as soon as ${when}. The signal waits and is not lost.`;
}
