// What a project or a person adds to the prompts of a role, in a file prompts/<role>.md.
import type { Role } from '../../signals/registry.ts';
import type { Prompt, Section } from './prompt.ts';

/** The roles whose prompts can be changed. */
export const PROMPTED_ROLES = [
  'planner',
  'architect',
  'implementer',
  'spec-reviewer',
  'quality-reviewer',
  'reviewer',
] as const satisfies readonly Role[];

/** A file with additions. */
export interface AdditionFile {
  readonly from: 'home' | 'repository';
  readonly path: string;
  readonly text: string;
}

export interface Added {
  readonly prompt: Prompt;
  /** What had no effect, as sentences. */
  readonly ignored: readonly string[];
}

/** In the order of the files, so that the later one counts where two replace the same section. */
export function withAdditions(prompt: Prompt, files: readonly AdditionFile[]): Added {
  return files.reduce<Added>(addFile, { prompt, ignored: [] });
}

function addFile({ prompt, ignored }: Added, file: AdditionFile): Added {
  const [own = '', ...changes] = file.text.replace(/\r\n?/g, '\n').split(CHANGE);
  let sections = prompt.sections;
  const problems: string[] = [];
  // The pattern has two groups, so each change is three pieces: what to do, the title, and the text.
  for (let index = 0; index < changes.length; index += 3) {
    const [verb = '', title = '', text = ''] = changes.slice(index, index + 3);
    const found = sections.find((section) => sameTitle(section.title, title));
    if (found === undefined) problems.push(`${file.path}: this prompt has no section "${title.trim()}".`);
    else if (found.fixed) problems.push(`${file.path}: the section "${found.title}" ${CANNOT_BE_CHANGED}`);
    else sections = sections.map((section) => (section === found ? changed(section, verb, text.trim()) : section));
  }
  const added = own.trim() === '' ? sections : withSection(sections, { title: TITLES[file.from], text: own.trim() });
  return { prompt: { ...prompt, sections: added }, ignored: [...ignored, ...problems] };
}

/** How such a sentence ends. Other problems may be due to the turn: not every prompt of a role has the same sections. */
export const CANNOT_BE_CHANGED = 'cannot be changed.';

const CHANGE = /^## (Replace|Add to): *(.+)$/m;

/** A title may name the task, which nobody can know in advance. */
function sameTitle(title: string, written: string): boolean {
  return title.toLowerCase() === written.trim().toLowerCase();
}

function changed(section: Section, verb: string, text: string): Section {
  return { ...section, text: verb === 'Replace' ? text : `${section.text}\n\n${text}` };
}

const TITLES: { readonly [from in AdditionFile['from']]: string } = {
  home: 'From the person who runs this plan',
  repository: 'From this project',
};

/** Before how to end the turn, so that the rules of cadre have the last word. */
function withSection(sections: readonly Section[], added: Section): readonly Section[] {
  const end = sections.findIndex(({ title }) => title === 'How to end your turn');
  const at = end === -1 ? sections.length : end;
  return [...sections.slice(0, at), added, ...sections.slice(at)];
}
