// Sessions, and what their programs ask on their screens, for a person.
import type { SessionShown } from '../../../app/sessions.ts';
import type { Asking } from '../../../core/views/asking.ts';
import type { SessionView } from '../../../core/views/session.ts';
import { showLines } from '../../../text/show.ts';
import { commandFor } from './suggestions.ts';

/** In one or two words: what a running program is doing, or else the state of the session. */
export function stateWord({ state, activity }: SessionView): string {
  return activity === null || activity.doing === 'unclear' ? state : WORDS[activity.doing];
}

const WORDS = {
  works: 'working',
  waits: 'waiting',
  'asks-permission': 'asking',
  'asks-trust': 'asking',
  quota: 'no quota',
  crashed: 'error',
} as const;

/** The sentence, and the commands that help. */
export function sessionSentence({ sentence, suggestions }: SessionView): string {
  return [sentence, ...suggestions.map((suggestion) => `Try: ${commandFor(suggestion)}`)].join(' ');
}

/** As `--json` prints it. */
export function sessionJson({ suggestions, ...view }: SessionShown): object {
  return { ...view, commands: suggestions.map(commandFor) };
}

export function askingLines({ session, task, question, actions }: Asking): readonly string[] {
  const [first = '', ...more] = showLines(question.trimEnd()).split('\n');
  const whose = task === null ? session : `${session} of task ${task}`;
  return [
    `! ${whose} asks: ${first}`,
    ...more.map((line) => `    ${line}`),
    ...actions.map((action) => `    answer with: ${commandFor(action)}`),
  ];
}

/** As `--json` prints it. */
export function askingJson({ session, plan, task, question, actions: [first] }: Asking): object {
  return { session, plan, task, question, command: first === undefined ? null : commandFor(first) };
}
