// The questions of a planner as a text that a person fills in, in an editor or a file.

import { showName } from '../../../text/show.ts';
import type { PlanningAnswer } from '../../model/event.ts';
import type { WorkshopQuestion } from '../../model/workshop/entry.ts';

/** Lines that start with "#" are ignored, as in the message of a commit. */
export function writeAnswerForm(plan: string, questions: readonly WorkshopQuestion[]): string {
  return [
    `# Questions of the planner of ${plan}. Write each answer below its [name].`,
    '# Without an answer an optional question is left to the planner. Lines that start with "#" are ignored.',
    ...questions.flatMap(({ id, text, blocking, why, suggestions }) => [
      '',
      ...commented(`${blocking ? 'Blocking' : 'Optional'}: ${text}`),
      ...(why.trim() === '' ? [] : commented(`Why: ${why}`)),
      ...suggestions.flatMap((one) => commented(`Suggested: ${one}`)),
      `[${id}]`,
      '',
    ]),
    '',
  ].join('\n');
}

function commented(text: string): readonly string[] {
  return text.split(/\r?\n/).map((line) => `# ${line}`.trimEnd());
}

export interface AnswerForm {
  readonly answers: readonly PlanningAnswer[];
  /** Why the form cannot be read; none of it counts then. */
  readonly mistake: string | undefined;
}

/** Everything that was filled in; an optional question without an answer is skipped, a blocking one stays open. */
export function readAnswerForm(text: string, questions: readonly WorkshopQuestion[]): AnswerForm {
  const found = new Map<string, { readonly line: number; readonly lines: string[] }>();
  let current: string[] | undefined;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const number = index + 1;
    const id = /^\[([a-z0-9-]+)\]\s*$/i.exec(line)?.[1]?.toLowerCase();
    if (id !== undefined) {
      const before = found.get(id);
      if (before !== undefined) return mistake(`[${id}] appears twice, in lines ${before.line} and ${number}.`);
      current = [];
      found.set(id, { line: number, lines: current });
    } else if (line.startsWith('#')) continue;
    else if (current !== undefined) current.push(line);
    else if (line.trim() !== '') return mistake(`Line ${number}, "${showName(line)}", is above the first question.`);
  }
  const answers = [...found].flatMap(([question, { lines }]): readonly PlanningAnswer[] => {
    const answer = lines.join('\n').trim();
    if (answer !== '') return [{ question, text: answer }];
    const isOptional = questions.some(({ id, blocking }) => id === question && !blocking);
    return isOptional ? [{ question, text: null }] : [];
  });
  return { answers, mistake: undefined };
}

function mistake(sentence: string): AnswerForm {
  return { answers: [], mistake: sentence };
}
