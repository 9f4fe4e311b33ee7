// cadre mcp: serves tools to an agent, over standard input and output.
import { loadServer } from '../../../mcp/load-server.ts';
import { EXIT, type Run } from '../../context.ts';

export const run: Run = async (context) => {
  const app = context.app();
  const { serveTools } = await loadServer();
  await serveTools({
    version: context.version,
    by: app.by,
    own: app.assignment === undefined ? [] : [app.assignment],
    answer: (call) => context.answerOf(call.argv, call.input ?? ''),
    say: (text) => context.say(text),
    stop: context.stop,
  });
  return EXIT.ok;
};
