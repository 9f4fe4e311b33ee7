// cadre repl: a prompt at which commands are typed. Everything is done by the commands themselves.
import { NO_REFERENCES } from '../../../../app/reads/references.ts';
import { Failure } from '../../../../core/model/failure.ts';
import { answer, type Context, EXIT, type ExitCode, fail, type Run } from '../../context.ts';
import { completeLine } from '../../repl/complete-line.ts';
import { parseLine } from '../../repl/parse-line.ts';
import { PROMPT_WORDS, type Vocabulary } from '../../repl/words.ts';
import { columns } from '../../text/columns.ts';

export const run: Run = async (context) => {
  const lines = await context.lines({
    prompt: 'cadre> ',
    complete: async (line) => completeLine(line, await vocabularyIn(context)),
  });
  if (lines.areTyped) context.say('Type a command, "help" for the list, or "quit". Tab completes.');
  let first: ExitCode = EXIT.ok;
  for await (const line of lines) {
    const code = await runLine(context, line);
    if (code === undefined) break;
    if (first === EXIT.ok) first = code;
  }
  // A person has seen what failed; a script needs to know.
  return lines.areTyped ? EXIT.ok : first;
};

/** Undefined at the end. A mistake or a failure ends the line, and not the prompt. */
async function runLine(context: Context, line: string): Promise<ExitCode | undefined> {
  const parsed = parseLine(line, await vocabularyIn(context));
  switch (parsed.kind) {
    case 'nothing':
      return EXIT.ok;
    case 'quit':
      return undefined;
    case 'help':
      answer(context, { help: helpLines() }, helpLines());
      return EXIT.ok;
    case 'mistake':
      fail(context, 'usage', parsed.message);
      return EXIT.refused;
    case 'command':
      return context.runCommand(context.json ? withJson(parsed.argv) : parsed.argv);
  }
}

/** Before "--", behind which everything is text. */
function withJson(argv: readonly string[]): readonly string[] {
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  return argv.includes('--json') ? argv : [...argv.slice(0, end), '--json', ...argv.slice(end)];
}

/** Read for every line: another process may have changed everything. Where that fails, the command says why. */
async function vocabularyIn(context: Context): Promise<Vocabulary> {
  const { commands } = context;
  try {
    return { commands, ...(await context.app().references()) };
  } catch (error) {
    if (error instanceof Failure) return { commands, ...NO_REFERENCES };
    throw error;
  }
}

function helpLines(): readonly string[] {
  return [
    ...columns(PROMPT_WORDS.map(({ name, takes, summary }) => [`/${name} ${takes}`, summary])),
    '',
    'The slash may be left out. Every command of "cadre" works here as well: "help"',
    'and its name show its options. Without a plan, the one in planning is used, or',
    'else the active one. Ctrl-C ends a command, not the prompt.',
  ];
}
