// Which headings of a file are phases, which one is its title, and what the text below them is about.
import { readMarker } from '../marker.ts';
import type { EntrySection } from './entries.ts';
import { asOneLine } from './one-line.ts';

export interface FilePhases {
  /** Null where the file has none. */
  readonly title: string | null;
  /** What the file says before its tasks. */
  readonly notes: string;
  readonly phases: readonly SectionPhase[];
  /** They contain no tasks, and are not part of a phase. */
  readonly leftOut: readonly EntrySection[];
}

export interface SectionPhase {
  /** Empty for tasks that are below no heading of their own. */
  readonly name: string;
  readonly notes: string;
  /** Its heading says that its tasks may run at the same time. */
  readonly parallel: boolean;
  /** The indexes of its tasks. */
  readonly members: readonly number[];
  /** How many headings are above that of the phase. */
  readonly depth: number;
}

/** `tasks`: the section of each task, in the order of the file. */
export function phasesIn(sections: readonly EntrySection[], tasks: readonly EntrySection[]): FilePhases {
  const wrappers = sharedSections(tasks.map(sectionPath));
  const groups = groupsOf(tasks, wrappers.length);
  const places = placesOf(sections, tasks, groups, wrappers);
  const withTasks = new Set(tasks);
  return {
    title: titleOf(sections, groups),
    notes: joined(places.preamble.map(({ notes }) => notes)),
    phases: groups.map(({ section, members }) => {
      const notes = section === undefined ? '' : notesOf(places.phases.get(section) ?? [], withTasks);
      return { ...phaseName(section?.title ?? ''), notes, members, depth: wrappers.length };
    }),
    leftOut: places.leftOut,
  };
}

function joined(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n');
}

/** The headings above an entry, outermost first. */
export function sectionPath(section: EntrySection): readonly EntrySection[] {
  const path: EntrySection[] = [];
  for (let at: EntrySection | undefined = section; at !== undefined && at.level > 0; at = at.above) path.unshift(at);
  return path;
}

/** The headings that all tasks are below, such as the title of the file: they divide nothing. One with a number is a phase. */
function sharedSections(paths: readonly (readonly EntrySection[])[]): readonly EntrySection[] {
  const [first = []] = paths;
  const end = first.findIndex((section, at) => isNumbered(section.title) || paths.some((path) => path[at] !== section));
  return end === -1 ? first : first.slice(0, end);
}

function isNumbered(title: string): boolean {
  return readMarker(title).kind === 'marker' || NUMBER.test(title);
}

/** "1. Schema", "2.1 - Code", "3) Tests". */
const NUMBER = /^\d{1,4}(?:\.\d{1,4}){0,3}(?:[.):：、]\s{0,8}|\s{1,8}[—–-]\s{1,8}|\s{1,8})/u;

/** "Phase A — Walls", "Group 2: Roof", "第2阶段：屋顶": cadre numbers phases itself. */
const LETTERED = [
  /^(?:phase|wave|stage|sprint|milestone|part|step|group|batch|section|fase|etapa)\s{1,4}[A-Z0-9.]{1,5}\s{0,4}[:：—–-]\s{0,4}/i,
  /^(?:フェーズ|阶段|階段|ステップ)\s?\d{1,3}\s?[:：—–-]\s?/,
  /^第\s?[\d一二三四五六七八九十]{1,3}\s?(?:阶段|階段|フェーズ|部分|步)\s?[:：—–-]\s?/,
];

interface Group {
  /** Undefined for tasks that are below no heading of their own. */
  readonly section: EntrySection | undefined;
  readonly members: number[];
}

function groupsOf(tasks: readonly EntrySection[], depth: number): readonly Group[] {
  const groups = new Map<EntrySection | undefined, Group>();
  for (const [index, task] of tasks.entries()) {
    const section = sectionPath(task)[depth];
    const group = groups.get(section) ?? { section, members: [] };
    groups.set(section, group);
    group.members.push(index);
  }
  return [...groups.values()];
}

interface Places {
  readonly preamble: readonly EntrySection[];
  /** The sections of each phase. */
  readonly phases: ReadonlyMap<EntrySection, readonly EntrySection[]>;
  /** They contain no tasks. */
  readonly leftOut: readonly EntrySection[];
}

function placesOf(
  sections: readonly EntrySection[],
  tasks: readonly EntrySection[],
  groups: readonly Group[],
  wrappers: readonly EntrySection[],
): Places {
  const phases = new Map<EntrySection, EntrySection[]>(
    groups.flatMap(({ section }) => (section === undefined ? [] : [[section, []]])),
  );
  const preamble: EntrySection[] = [];
  const leftOut: EntrySection[] = [];
  const [first] = tasks;
  const firstTask = first === undefined ? sections.length : sections.indexOf(first);
  const title = sections.find(({ level }) => level === 1);
  for (const [index, section] of sections.entries()) {
    const phase = sectionPath(section).find((one) => phases.has(one));
    const isIntroduction = index <= firstTask && INTRODUCTION.test(section.title);
    if (phase !== undefined) phases.get(phase)?.push(section);
    else if (section.level === 0 || section === title || wrappers.includes(section) || isIntroduction)
      preamble.push(section);
    else if (section.notes !== '') leftOut.push(section);
  }
  return { preamble, phases, leftOut };
}

const INTRODUCTION =
  /^(?:(?:overview|introduction|goals?|summary|context|purpose|background|objectives?|description|about|scope)\b|概要|概述|目的|背景|目标)/i;

/** The phase itself comes first. Parts of it without a task keep their heading, in bold. */
function notesOf(sections: readonly EntrySection[], withTasks: ReadonlySet<EntrySection>): string {
  return joined(
    sections
      .filter(({ notes }) => notes !== '')
      .map((section, index) =>
        index === 0 || withTasks.has(section) ? section.notes : `**${section.title}**\n\n${section.notes}`,
      ),
  );
}

/** The first heading of the highest level, unless it is a phase, or says only that these are tasks. */
function titleOf(sections: readonly EntrySection[], groups: readonly Group[]): string | null {
  const title = sections.find((section) => section.level === 1);
  if (title === undefined || groups.some(({ section }) => section === title)) return null;
  const [, named = title.title] = PREFIXED.exec(title.title) ?? [];
  return named === '' || GENERIC.test(named) ? null : named;
}

/** "Tasks: Login", "Implementation Plan - Login". */
const PREFIXED =
  /^(?:implementation |development )?(?:tasks?|plan|task list|task breakdown|checklist|todos?)(?: for)?\s{0,8}[:：—–-]\s{0,8}(.*)$/iu;
const GENERIC =
  /^[^a-z]{0,8}(?:(?:the|project|implementation|development|feature|spec|coding) ){0,2}(?:tasks?|plan|list|task list|task breakdown|to-?dos?|to-?do list|checklist|roadmap|backlog)[^a-z]{0,8}$/i;

function phaseName(title: string): { name: string; parallel: boolean } {
  const reading = readMarker(title);
  if (reading.kind === 'marker' && reading.marker.word === 'phase') {
    const { name, parallel } = reading.marker;
    return { name, parallel };
  }
  const bare = NUMBER.test(title)
    ? title.replace(NUMBER, '')
    : LETTERED.reduce((rest, start) => rest.replace(start, ''), title);
  const parallel = /\(parallel\)$/i.test(bare);
  return { name: asOneLine(bare.replace(/\(parallel\)$/i, '')), parallel };
}
