// cadre questions: every open question of all plans, and what agent programs ask on their screens.
import { CHECK_IN_ANSWERS, type OpenQuestion } from '../../../../core/views/questions.ts';
import { showLines, showText } from '../../../../text/show.ts';
import { answer, EXIT, type Run } from '../../context.ts';
import { shortTime } from '../../text/record-line.ts';
import { askingJson, askingLines } from '../../text/session-lines.ts';

export const run: Run = async (context) => {
  const { questions, asks } = await context.app().questions();
  const lines = [...questions.flatMap(questionLines), ...asks.flatMap((asking) => ['', ...askingLines(asking)])];
  answer(
    context,
    {
      questions: questions.map((question) => ({ ...question, command: answerCommand(question) })),
      asks: asks.map(askingJson),
    },
    lines.length === 0 ? ['No open questions.'] : lines.slice(1),
  );
  return EXIT.ok;
};

function answerCommand({ id, kind }: OpenQuestion): string {
  return `cadre answer ${id} ${kind === 'check-in' ? `${CHECK_IN_ANSWERS.join('|')} ["reason"]` : '"..."'}`;
}

function questionLines(question: OpenQuestion): readonly string[] {
  const { id, name, kind, since, text, answerer, suspended, blocking, why, suggestions } = question;
  const flags = [
    ...(kind === 'planning' ? ['the planner asks', ...(blocking ? [] : ['optional'])] : []),
    ...(kind === 'check-in' ? ['check-in'] : []),
    ...(answerer === 'agent' ? ['the architect answers'] : []),
    ...(suspended ? ['suspended with its plan'] : []),
  ];
  return [
    '',
    `${id}  ${showText(name)}  since ${shortTime(since)}${flags.map((flag) => `, ${flag}`).join('')}`,
    ...showLines(text.trimEnd())
      .split('\n')
      .map((line) => `  ${line}`),
    ...(why.trim() === '' ? [] : [`  Why: ${showText(why)}`]),
    ...suggestions.map((one) => `  - ${showText(one)}`),
    `  > ${answerCommand(question)}`,
  ];
}
