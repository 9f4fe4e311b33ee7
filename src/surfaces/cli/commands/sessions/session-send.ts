// cadre session send: a text for the agent, as one paste and one Enter, or not at all.
import { type Run, refuse, textOption } from '../../context.ts';
import { promptFrom, sessionNamed, takeSessionStep } from '../../session.ts';

export const run: Run = async (context, given) => {
  const { by, gateway } = context.app();
  const { id: session } = sessionNamed(await gateway.look(), given.arguments[0] ?? '');
  const text = await promptFrom(context, given.arguments[1], textOption(given, 'file'));
  if (text.trim() === '') return refuse(context, 'no-text', 'There is nothing to send. Give a text, or --file.');
  return takeSessionStep(context, { kind: 'session-send', by, session, text });
};
