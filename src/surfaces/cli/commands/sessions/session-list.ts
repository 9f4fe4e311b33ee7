// cadre session list: every session, and the truth about it now.
import { answer, EXIT, type Run } from '../../context.ts';
import { sessionJson, sessionSentence, stateWord, viewSessions } from '../../session.ts';
import { columns, shortened } from '../../text/columns.ts';
import { shortTime } from '../../text/record-line.ts';

export const run: Run = async (context, given) => {
  const app = context.app();
  const entries = [...app.gateway.look().sessions.values()];
  const shown = given.options.all === true ? entries : entries.filter((entry) => entry.followedBy === undefined);
  const views = await viewSessions(app, shown);
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
      ? ['No sessions. "cadre session new" begins one.']
      : columns([['session', 'state', 'since', 'program', 'title', ''], ...rows]);
  answer(context, { sessions: views.map(sessionJson) }, lines);
  return EXIT.ok;
};
