// Texts of a document as parts of a plan file, written so that nothing in them is read as a part of its grammar.
import { parse } from '../plan/parse.ts';
import { singleSpaced } from './canonical.ts';
import { escapedLine, escapedText } from './escaping.ts';
import { FIRST_HEADINGS, isInert, leavesQuoteOpen, type Place } from './inertness.ts';

/** Blocks of markdown. Almost every text stays as it is; a line that would be read as something else is escaped. */
export function prose(text: string, place: Place): string {
  const finished = withoutOpenQuote(text);
  if (isInert(finished, place)) return finished;
  const escaped = escapedText(finished);
  return isInert(escaped, place) ? escaped : fencedText(finished, 'text');
}

/** A list, one line for each text. */
export function list(items: readonly string[], place: Place): string {
  return items.map((text) => `- ${item(singleSpaced(text), place)}`).join('\n');
}

function item(text: string, place: Place): string {
  // A backslash at the end would continue a command in the next line.
  const line = withoutOpenQuote(/(?:^|[^\\])(?:\\\\)*\\$/.test(text) ? `${text}\\` : text);
  const inert = [line, escapedLine(line)].find((one) => isInert(`- ${one}\n- next\n- ${one}`, place));
  return inert ?? codeSpan(line);
}

/** A label with a text in the same line, which can then mean nothing else. Only an unfinished command is not left as it is. */
export function field(label: string, text: string): string {
  return `**${label}:** ${withoutOpenQuote(text)}`;
}

/** With a space that does not break, it is not the command. */
function withoutOpenQuote(text: string): string {
  return leavesQuoteOpen(text) ? text.replaceAll('git commit', 'git\u00a0commit') : text;
}

/** The text of a heading: a name that ends in "#" would lose it, so such a heading gets a closing "#". */
export function headingLine(text: string): string {
  return text.endsWith('#') ? `${text} #` : text;
}

/** The title of the whole plan. One that starts like the heading of a phase or task would be read as one. */
export function planTitle(title: string): string {
  const line = headingLine(singleSpaced(title));
  const { plan, problems } = parse(`# ${line}\n\n${FIRST_HEADINGS}`);
  return problems.length === 0 && plan.phases.length === 1 ? `# ${line}` : `# Plan: ${line}`;
}

/** Why the plan file cannot hold a title of a milestone or a task as it is, if it cannot. */
export function whyNotATitle(title: string): string | undefined {
  const line = singleSpaced(title);
  const text = headingLine(line);
  const { plan, problems } = parse(`## Phase 1: ${text}\n\n### Task 1: ${text}\n`);
  if (problems.some(({ code }) => code === 'not-parallel') || plan.phases[0]?.parallel)
    return 'the title says "parallel" in parentheses; expected a title without it, and "parallel": true in the milestone';
  const isRead = plan.phases[0]?.name === line && plan.phases[0]?.tasks[0]?.name === line && problems.length === 0;
  return isRead ? undefined : 'the title cannot be a heading of the plan; expected a few plain words';
}

/** A fence longer than any in the text. */
export function fencedText(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

function codeSpan(text: string): string {
  const runs = new Set((text.match(/`+/g) ?? []).map((run) => run.length));
  let length = 1;
  while (runs.has(length)) length++;
  const ticks = '`'.repeat(length);
  return `${ticks} ${text} ${ticks}`;
}
