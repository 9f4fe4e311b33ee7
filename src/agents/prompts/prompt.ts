// A prompt: an opening, and sections with titles, so that a project can add to a section or replace it.

export interface Prompt {
  readonly opening: string;
  readonly sections: readonly Section[];
}

export interface Section {
  readonly title: string;
  readonly text: string;
  /** A project can neither replace it nor add to it: what cadre itself relies on, and text by others. */
  readonly fixed?: true;
}

/** The length of a prompt apart from the task's own text. */
export const LONGEST_PROMPT = 12_000;

export function promptText({ opening, sections }: Prompt): string {
  const written = sections.filter(({ text }) => text !== '').map(({ title, text }) => `## ${title}\n\n${text}`);
  return `${[opening, ...written].join('\n\n')}\n`;
}

/** Undefined where there is nothing to say. A function gets the room that the other parts leave, in characters. */
export type Part = MaybeSection | ((room: number) => MaybeSection);
export type MaybeSection = Section | undefined;

/** `apart`: the length of the task's own text, which does not count. */
export function promptOf(opening: string, parts: readonly Part[], apart = 0): Prompt {
  const isFlexible = (part: Part): part is (room: number) => MaybeSection => typeof part === 'function';
  const given = parts.flatMap((part) => (part === undefined || isFlexible(part) ? [] : [part]));
  const used = promptText({ opening, sections: given }).length - apart;
  const flexible = parts.filter(isFlexible).length;
  const room = Math.max(LEAST_ROOM, Math.floor((LONGEST_PROMPT - MARGIN - used) / Math.max(1, flexible)));
  const sections = parts.map((part) => (isFlexible(part) ? part(room) : part)).filter((part) => part !== undefined);
  return { opening, sections };
}

/** What a text by somebody else gets at least, and what the sentences and marks around such texts take, in characters. */
const LEAST_ROOM = 600;
const MARGIN = 900;

export function section(title: string, text: string): Section {
  return { title, text };
}

/** One that a project cannot change. */
export function fixedSection(title: string, text: string): Section {
  return { title, text, fixed: true };
}

export function steps(lines: readonly string[]): string {
  return lines.map((line, index) => `${index + 1}. ${line}`).join('\n');
}

export function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}
