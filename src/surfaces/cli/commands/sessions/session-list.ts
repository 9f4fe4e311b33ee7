// cadre session list: every session, as it is now.

import { shortened } from '../../../../text/shorten.ts';
import { answer, EXIT, type Run } from '../../context.ts';
import { columns } from '../../text/columns.ts';
import { shortTime } from '../../text/record-line.ts';
import { sessionJson, sessionSentence, stateWord } from '../../text/session-lines.ts';

export const run: Run = async (context, given) => {
  const views = await context.app().sessions(given.options.all === true ? 'all' : 'newest');
  const rows = views.map((view) => [
    view.session,
    stateWord(view),
    shortTime(view.since),
    view.program,
    shortened(view.title),
    given.options.paths === true ? (view.worktree ?? '-') : sessionSentence(view),
  ]);
  const lines =
    views.length === 0
      ? ['No sessions. "cadre session new" starts one.']
      : columns([['session', 'state', 'since', 'program', 'title', ''], ...rows]);
  answer(context, { sessions: views.map(sessionJson) }, lines);
  return EXIT.ok;
};
