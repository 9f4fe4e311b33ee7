// Completing what is typed after ":": commands, then plans, tasks and sessions.
import { slugOf } from '../../../plan/name.ts';
import { COMMANDS } from '../../cli/table/table.ts';
import { lineWith, type TypedLine } from '../model/line-editor.ts';
import type { Model, TextPrompt } from '../model/model.ts';
import type { Snapshot } from '../model/snapshot.ts';
import type { Situation } from '../model/step.ts';

/** With one match the word is completed, with several as far as they agree; they are listed above the line. */
export function completed({ model, snapshot }: Situation, prompt: TextPrompt, { text }: TypedLine): Model {
  const matches = matchesFor(text, snapshot);
  const common = commonStart(matches.map(({ line }) => line));
  const line = matches.length === 1 ? `${common} ` : common.length > text.length ? common : text;
  const lines = matches.length > 1 ? matches.slice(0, MOST_MATCHES).map(({ shown }) => shown) : [];
  return { ...model, mode: { kind: 'type', prompt: { ...prompt, lines }, line: lineWith(line) } };
}

const MOST_MATCHES = 8;

interface Match {
  readonly line: string;
  readonly shown: string;
}

function matchesFor(text: string, snapshot: Snapshot): readonly Match[] {
  const typed = text.replace(/^[/:]/, '');
  const commands = COMMANDS.filter(({ name }) => name.startsWith(typed));
  if (commands.length > 0)
    return commands.map(({ name, summary }) => ({ line: name, shown: `${name.padEnd(18)} ${summary}` }));
  const at = typed.lastIndexOf(' ') + 1;
  const [before, word] = [typed.slice(0, at), typed.slice(at)];
  return referencesIn(snapshot)
    .filter(({ line }) => line.startsWith(word) && line !== word)
    .map(({ line, shown }) => ({ line: before + line, shown }));
}

function referencesIn({ status, plan, questions }: Snapshot): readonly Match[] {
  const plans = (status?.plans ?? []).map((one) => ({
    line: slugOf(one.plan),
    shown: `${slugOf(one.plan)}  ${one.status}`,
  }));
  const tasks = (plan?.tasks ?? []).map(({ task, name, state }) => {
    const line = `${plan === null ? '' : slugOf(plan.plan)}#${task}`;
    return { line, shown: `${line}  ${state}  ${name}` };
  });
  const sessions = (status?.sessions ?? []).map(({ session, title }) => ({
    line: session,
    shown: `${session}  ${title}`,
  }));
  const asked = questions.map(({ id, text }) => ({ line: id, shown: `${id}  ${text}` }));
  const all = [...asked, ...tasks, ...plans, ...sessions];
  return all.filter(({ line }, index) => all.findIndex((other) => other.line === line) === index);
}

function commonStart(texts: readonly string[]): string {
  const [first = '', ...rest] = texts;
  let end = first.length;
  for (const text of rest) while (!text.startsWith(first.slice(0, end))) end -= 1;
  return first.slice(0, end);
}
