// A section that cadre keeps up to date in a file of the person's. Its first line has a digest of what cadre wrote, so that
// a section that somebody has edited is recognized and left alone.
import { digest } from '../../../text/digest.ts';

export type SectionState = 'missing' | 'unchanged' | 'edited';

interface Found {
  readonly before: string;
  readonly body: string;
  readonly written: string;
  readonly after: string;
}

const SECTION = /^([\s\S]*?)<!-- cadre:begin ([0-9a-f]{8})[^\n]*-->\n([\s\S]*?)\n?<!-- cadre:end -->\n?([\s\S]*)$/;

export function markedSection(body: string): string {
  return `<!-- cadre:begin ${digest(body)} kept up to date by cadre; once edited, it is left alone -->\n${body}\n<!-- cadre:end -->\n`;
}

export function sectionState(text: string): SectionState {
  const found = findSection(text);
  if (found === undefined) return 'missing';
  return digest(found.body) === found.written ? 'unchanged' : 'edited';
}

/** The text with the section in it: in its place, instead of an older section about the same, or at the end. */
export function withSection(text: string, body: string): string {
  const found = findSection(text);
  if (found !== undefined) return `${found.before}${markedSection(body)}${found.after}`;
  const outdated = outdatedSection(text);
  if (outdated !== undefined)
    return text
      .replace(outdated, () => `${markedSection(body)}\n`)
      .trimEnd()
      .concat('\n');
  const gap = text === '' || text.endsWith('\n\n') ? '' : text.endsWith('\n') ? '\n' : '\n\n';
  return `${text}${gap}${markedSection(body)}`;
}

export function withoutSection(text: string): string {
  const found = findSection(text);
  if (found === undefined) return text;
  return `${found.before.trimEnd()}\n${found.after === '' ? '' : `\n${found.after.trimStart()}`}`.replace(/^\n+/, '');
}

function findSection(text: string): Found | undefined {
  const [, before, written, body, after] = SECTION.exec(text) ?? [];
  if (before === undefined || written === undefined || body === undefined || after === undefined) return undefined;
  return { before, written, body, after };
}

/** A section that has agents write plan-state.json, as instructions from before there were signals do. */
export function outdatedSection(text: string): string | undefined {
  const sections = text.match(/^##+ [^\n]*\n(?:(?!^##? )[\s\S])*?(?=^##+ |(?![\s\S]))/gm) ?? [];
  return sections.find(
    (section) => section.includes('plan-state.json') && !/never|do not|don't|must not/i.test(section),
  );
}
