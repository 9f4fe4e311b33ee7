// Commands that do something to a session, and show how it is then.
import type { Call } from '../../app/perform.ts';
import type { ActionName } from '../../core/model/suggestion.ts';
import { shortened } from '../../text/shorten.ts';
import { performAnd } from './action-command.ts';
import { answer, type Context, EXIT, type ExitCode } from './context.ts';
import { sessionJson, sessionSentence } from './text/session-lines.ts';

export function performOnSession<Name extends ActionName>(context: Context, call: Call<Name>): Promise<ExitCode> {
  return performAnd(context, call, ({ session }) => {
    if (session === undefined) throw new Error('The action concerned no session.');
    const what = call.do === 'session-send' ? 'delivered' : `${session.state}. ${sessionSentence(session)}`;
    answer(context, { session: sessionJson(session) }, [`${session.session} (${shortened(session.title)}): ${what}`]);
    return EXIT.ok;
  });
}
