// cadre session list: every session, as it is now.

import { counted } from '../../../../text/counted.ts';
import { shortened } from '../../../../text/shorten.ts';
import { answer, EXIT, type Run } from '../../context.ts';
import { columns } from '../../text/columns.ts';
import { shortTime } from '../../text/record-line.ts';
import { sessionJson, sessionSentence, stateWord } from '../../text/session-lines.ts';

export const run: Run = async (context, given) => {
  const { sessions: views, hidden } = await context.app().sessions(given.options.all === true ? 'all' : 'in-use');
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
  const more = hidden === 0 ? [] : [`${counted(hidden, 'past session')} not listed; --all lists all.`];
  answer(context, { sessions: views.map(sessionJson), hidden }, [...lines, ...more]);
  return EXIT.ok;
};
