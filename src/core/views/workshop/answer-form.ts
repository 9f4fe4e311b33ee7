// The questions of a planner as a text that a person fills in, in an editor or a file.
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

/** Everything that was filled in; an optional question without an answer is skipped, a blocking one stays open. */
export function readAnswerForm(text: string, questions: readonly WorkshopQuestion[]): readonly PlanningAnswer[] {
  const texts = new Map<string, string[]>();
  let current: string[] | undefined;
  for (const line of text.split(/\r?\n/)) {
    const id = /^\[([a-z0-9-]+)\]\s*$/.exec(line)?.[1];
    if (id !== undefined) {
      current = [];
      texts.set(id, current);
    } else if (!line.startsWith('#')) current?.push(line);
  }
  return [...texts].flatMap(([question, lines]): readonly PlanningAnswer[] => {
    const answer = lines.join('\n').trim();
    if (answer !== '') return [{ question, text: answer }];
    const isOptional = questions.some(({ id, blocking }) => id === question && !blocking);
    return isOptional ? [{ question, text: null }] : [];
  });
}
