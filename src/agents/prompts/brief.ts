// The brief of a task: what it asks for, where it fits, what was decided since, and what else holds. One file per attempt.
import { oneLine } from '../../text/one-line.ts';
import type { AssignedTask, Brief, Interface, KeptBrief, KeptText, Neighbour, PlanSays, Quote } from './assignment.ts';
import { bullets, fixedSection, type MaybeSection, promptOf, promptText, type Section } from './prompt.ts';
import { fenced, fencedInPart, instructionBlock, quoteBlock } from './quoting.ts';

/** The text of the file. */
export function briefText(brief: Brief): string {
  const opening = `# Brief for task ${oneLine(brief.task.address)}: ${titleOf(brief.task.name)}`;
  return promptText(promptOf(opening, sectionsOf(brief)));
}

/** The same in a prompt, with where to find it again. */
export function briefSections(brief: KeptBrief | null): readonly Section[] {
  if (brief === null) return [];
  const sections = sectionsOf(brief).filter((one) => one !== undefined);
  const last = sections.at(-1)?.title ?? '';
  const how = `The sections from "${FITS}" to "${last}" are the brief of this task. It is also in \`${oneLine(brief.path)}\`: read that file again when you are unsure what is asked for. cadre rewrites it when something is decided.`;
  return [fixedSection('The brief', how), ...sections];
}

const FITS = 'Where the task fits';

function sectionsOf(brief: Brief): readonly MaybeSection[] {
  return [
    fixedSection(FITS, cut(oneLine(brief.fits), FITS_ROOM)),
    fixedSection(`Requirements: task ${oneLine(brief.task.address)}, ${titleOf(brief.task.name)}`, taskOf(brief.task)),
    decisionsIn(brief.decisions),
    earlierIn(brief.earlier),
    findingsIn(brief.findings),
    interfacesIn(brief),
    planSection(brief.says),
    neighboursIn(brief.neighbours),
  ];
}

function taskOf({ text, author }: AssignedTask): string {
  const how =
    author === null
      ? 'The task, exactly as written in the plan. Names, values, formats and texts in it are meant literally:'
      : `The task, as ${author} wrote it:`;
  return `${how}\n\n${fenced(text)}`;
}

/** Also for reviewers: what a person demands is part of what they check. */
function decisionsIn(decisions: KeptText | null): MaybeSection {
  if (decisions === null) return undefined;
  const how =
    'This belongs to the task. Where it differs from the text of the task, follow this; of two decisions, follow the later one.';
  return fixedSection('Decided since the plan was written', instructionBlock(how, decisions, DECISIONS_ROOM));
}

function earlierIn(earlier: KeptText | null): MaybeSection {
  if (earlier === null) return undefined;
  const how = 'Decided about tasks that this one builds on, so their results may differ from the text of the plan.';
  return fixedSection('Decided about earlier tasks', instructionBlock(how, earlier, EARLIER_ROOM));
}

function findingsIn(findings: Quote | null): MaybeSection {
  if (findings === null) return undefined;
  const how =
    'Reviews of the work on this task found this, maybe in an earlier attempt, and it is not closed yet. It belongs to the task: the next review gives a verdict on each.';
  return fixedSection('Open findings', `${how}\n\n${quoteBlock(findings, FINDINGS_ROOM)}`);
}

function interfacesIn({ consumes, produces }: Brief): MaybeSection {
  const parts = [
    listed('It uses from other tasks (read how they are written in the code before you rely on them):', consumes),
    listed('Later tasks rely on what it produces. Keep names and signatures exactly as written:', produces),
  ].filter((part) => part !== '');
  return parts.length === 0 ? undefined : fixedSection('Interfaces', parts.join('\n\n'));
}

function listed(how: string, interfaces: readonly Interface[]): string {
  if (interfaces.length === 0) return '';
  const lines = interfaces.map(({ entry, others }) => [entry, ...others].map((one) => oneLine(one)).join('; '));
  return `${how}\n\n${bullets(within(lines, INTERFACES_ROOM))}`;
}

/** What the plan says besides its tasks. Where that is long, the parts that every task needs. */
export function planSection(says: PlanSays): MaybeSection {
  const { all } = says;
  if (all === null) return undefined;
  const how = 'What the plan says besides its tasks. It holds for every task';
  if (all.text.length <= PLAN_ROOM) return fixedSection('The plan', `${how}:\n\n${fenced(all.text)}`);
  const parts = (Object.entries(PARTS) as [keyof typeof PARTS, Part][]).flatMap(([key, { title, room }]) => {
    const text = says[key];
    return text === null ? [] : [`**${title}:** ${cut(text, room)}`];
  });
  const rest = `${how}. The most important parts are here; all of it is in \`${oneLine(all.path)}\`.`;
  if (parts.length === 0) return fixedSection('The plan', `${how}.\n\n${fencedInPart(all, PLAN_ROOM)}`);
  return fixedSection('The plan', `${rest}\n\n${fenced(parts.join('\n\n'))}`);
}

interface Part {
  readonly title: string;
  readonly room: number;
}

const PARTS: { readonly [key in 'goal' | 'architecture' | 'techStack' | 'constraints']: Part } = {
  goal: { title: 'Goal', room: 300 },
  architecture: { title: 'Architecture', room: 350 },
  techStack: { title: 'Tech Stack', room: 150 },
  constraints: { title: 'Global Constraints', room: 700 },
};

function neighboursIn(neighbours: readonly Neighbour[]): MaybeSection {
  if (neighbours.length === 0) return undefined;
  const lines = neighbours.map(({ address, name, files, shared }) => {
    const named = files.length === 0 ? 'names no files' : files.map((path) => `\`${oneLine(path)}\``).join(', ');
    const both =
      shared.length === 0 ? '' : `; this task names ${shared.length === 1 ? 'one' : 'some'} of these as well`;
    return `Task ${oneLine(address)}, ${titleOf(name)}: ${named}${both}`;
  });
  const how =
    'Other agents build these tasks now, in worktrees of their own. Their files are not yours to change. What they build is not in this worktree, so do not wait for it and do not build it.';
  return fixedSection('Built at the same time', `${how}\n\n${bullets(within(lines, NEIGHBOURS_ROOM))}`);
}

/** In characters. */
const FITS_ROOM = 400;
const PLAN_ROOM = 1_600;
const DECISIONS_ROOM = 1_000;
const EARLIER_ROOM = 500;
const FINDINGS_ROOM = 1_000;
const INTERFACES_ROOM = 400;
const NEIGHBOURS_ROOM = 500;
const LONGEST_TITLE = 80;

/** As many lines as fit; the rest is counted. */
function within(lines: readonly string[], room: number): readonly string[] {
  const fitting: string[] = [];
  let left = room;
  for (const line of lines) {
    if (line.length > left && fitting.length > 0) break;
    fitting.push(cut(line, room));
    left -= line.length;
  }
  const more = lines.length - fitting.length;
  return more === 0 ? fitting : [...fitting, `and ${more} more`];
}

export function titleOf(name: string): string {
  return cut(oneLine(name), LONGEST_TITLE);
}

function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest).replace(/\p{Cs}/gu, '')}…`;
}
