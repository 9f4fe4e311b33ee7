// Lines that look like a heading, a mark or a label of a plan and are not read as one, with what the author probably means.
import { showName } from '../text/show.ts';
import { isMisspelt } from '../text/similar-words.ts';
import type { Block } from './markdown/blocks.ts';
import { startsBold, type TextSpan } from './markdown/span.ts';
import { type MarkerWord, readMarker, symbolsBefore } from './marker.ts';
import type { Problem } from './plan.ts';
import { firstLine, type ProblemPlace, problemAt } from './problem-place.ts';
import { headingText, type PhaseSection, type Sections } from './sections.ts';

export function findNearMisses(text: string, blocks: readonly Block[], sections: Sections): readonly Problem[] {
  const known = numbersIn(sections.phases);
  return [
    ...blocks.flatMap((block) => nearHeading(text, block, known)),
    ...sections.phases.flatMap((phase) => nearParallel(text, phase)),
    ...nearLabels(text, sections.header, HEADER_LABELS),
    ...sections.phases.flatMap(({ tasks }) => tasks.flatMap((task) => nearLabels(text, task.blocks, TASK_LABELS))),
  ];
}

/** The phases and tasks that are read, so that a mention of one is not taken for a heading. */
function numbersIn(phases: readonly PhaseSection[]): ReadonlySet<string> {
  return new Set(
    phases.flatMap(({ marker, tasks }) => [
      `phase ${marker?.written}`,
      ...tasks.map((task) => `task ${task.marker.written}`),
    ]),
  );
}

function nearHeading(text: string, block: Block, known: ReadonlySet<string>): readonly Problem[] {
  if (block.quoted || block.depth > 0) return [];
  if (block.kind === 'heading') {
    const title = headingText(text, block);
    const meant = readMarker(title).kind === 'none' ? meantHeading(title) : undefined;
    return meant === undefined
      ? []
      : [notRead(text, firstLine(block), { hashes: '#'.repeat(block.level), line: title }, meant)];
  }
  const span = block.kind === 'paragraph' ? block.spans[0] : undefined;
  if (block.kind !== 'paragraph' || span === undefined || !HEADING_STARTS.includes(text[span.from] ?? '')) return [];
  const line = text.slice(span.from, Math.min(span.to, span.from + LONGEST_HEADING));
  const meant = meantLine(line, block.spans.length === 1);
  return meant === undefined || known.has(`${meant.word} ${meant.written}`)
    ? []
    : [notRead(text, span, { hashes: '', line }, meant)];
}

interface Meant {
  readonly word: Exclude<MarkerWord, 'step'>;
  readonly written: string;
  readonly name: string;
}

const LONGEST_HEADING = 200;
/** What a line starts with that is meant as a heading: hashes, bold text, or one of the words. */
const HEADING_STARTS = '#*_tTpP';

/** "Task3: C" has no space, "Taks 3: C" is misspelt. */
function meantHeading(title: string): Meant | undefined {
  const decoration = symbolsBefore(title);
  const bare = title.slice(decoration.length, decoration.length + LONGEST_HEADING);
  const [, typed = '', rest = ''] = /^(\p{L}{3,7})\s{0,8}(#?\d.*)$/u.exec(bare) ?? [];
  const lower = typed.toLowerCase();
  const word = WORDS.find((one) => one === lower || (isMisspelt(lower, one) && SEPARATED.test(rest)));
  return word === undefined || !NUMBERED.test(rest) ? undefined : meantBy(`${decoration}${word} ${rest}`);
}

const WORDS = ['task', 'phase'] as const;

/** "3: name", "3 name" or "3", and not "3-5" or "3a". */
const NUMBERED = /^#?\d{1,9}(?:\.\d{1,9})?(?:\s|[:：]|[.)—–-]\s|$)/u;
/** The same with a sign between number and name: "Ask 3 people" is no task. */
const SEPARATED = /^#?\d{1,9}(?:\.\d{1,9})?\s{0,8}(?:[:：]|[.)—–-]\s|$)/u;

/** "###Task 3: C" has no space after the hashes; "**Task 3: C**" and "Task 3: C" have no hashes. */
function meantLine(line: string, isAlone: boolean): Meant | undefined {
  const glued = /^#{1,6}(\p{L}.*)$/u.exec(line)?.[1];
  if (glued !== undefined) return meantBy(glued) ?? meantHeading(glued);
  const isBold = /^(?:\*\*|__)(?:task|phase)\s.*(?:\*\*|__)$/i.test(line) || (isAlone && BOLD_NUMBER.test(line));
  const isPlain = isAlone && /^(?:task|phase)\s{1,8}\d{1,9}(?:\.\d{1,9})?\s{0,8}[:：—–].*[^.\s]$/iu.test(line);
  return isBold || isPlain ? meantBy(line) : undefined;
}

const BOLD_NUMBER = /^(?:\*\*|__)(?:task|phase)\s{1,8}\d{1,9}(?:\.\d{1,9})?\s{0,8}:?(?:\*\*|__)/i;

function meantBy(line: string): Meant | undefined {
  const reading = readMarker(line);
  if (reading.kind !== 'marker' || reading.marker.word === 'step') return undefined;
  const { word, written, name } = reading.marker;
  return { word, written, name };
}

function notRead(
  text: string,
  place: ProblemPlace,
  { hashes, line }: { readonly hashes: string; readonly line: string },
  { word, written, name }: Meant,
): Problem {
  const typed = showName(hashes === '' ? line : `${hashes} ${line}`);
  const title = `${word === 'task' ? 'Task' : 'Phase'} ${written}${name === '' ? '' : `: ${name}`}`;
  const level = hashes === '' ? (word === 'task' ? '###' : '##') : hashes;
  const message = `"${typed}" is not read as a ${word}. Write "${showName(`${level} ${title}`)}".`;
  return problemAt(text, place, { severity: 'warning', code: `not-a-${word}`, message });
}

function nearParallel(text: string, { marker, heading, tasks }: PhaseSection): readonly Problem[] {
  const inPhase = marker === undefined || marker.parallel ? undefined : parallelLike(marker.name);
  const ofPhase =
    inPhase === undefined
      ? []
      : [
          problemAt(text, firstLine(heading), {
            severity: 'warning',
            code: 'not-parallel',
            message: `"${showName(inPhase)}" has no effect. For tasks that may run at the same time, end the heading with "(parallel)".`,
          }),
        ];
  return [...ofPhase, ...tasks.flatMap((task) => parallelTask(text, task))];
}

function parallelTask(text: string, { marker, heading }: PhaseSection['tasks'][number]): readonly Problem[] {
  const found = parallelLike(marker.name);
  if (found === undefined) return [];
  const message = `"${showName(found)}" has no effect on a task. To let the tasks of a phase run at the same time, end the heading of the phase with "(parallel)".`;
  return [problemAt(text, firstLine(heading), { severity: 'warning', code: 'not-parallel', message })];
}

/** A part in parentheses or brackets that says "parallel", also misspelt, and nothing else. */
function parallelLike(name: string): string | undefined {
  const parts = name.slice(0, LONGEST_HEADING).match(/[([][^()[\]]{3,40}[)\]]/g) ?? [];
  return parts.find((part) => {
    const words = (part.toLowerCase().match(/\p{L}+/gu) ?? []).filter((word) => !SMALL_WORDS.has(word));
    const [only = ''] = words;
    return words.length === 1 && (only === 'parallel' || isMisspelt(only, 'parallel'));
  });
}

const SMALL_WORDS: ReadonlySet<string> = new Set(['in', 'can', 'may', 'run', 'runs', 'be', 'done', 'tasks']);

interface Label {
  readonly name: string;
  /** As it is to be written. */
  readonly write: string;
  /** What else people write for it. */
  readonly also: readonly string[];
  /** Words that have other meanings too: they are this label only if a task number follows. */
  readonly withTask?: readonly string[];
}

const HEADER_LABELS: readonly Label[] = [
  { name: 'goal', write: '**Goal:**', also: ['goals'] },
  { name: 'architecture', write: '**Architecture:**', also: [] },
  { name: 'tech stack', write: '**Tech Stack:**', also: ['techstack', 'stack'] },
  { name: 'global constraints', write: '**Global Constraints:**', also: ['constraints', 'global constraint'] },
];

const TASK_LABELS: readonly Label[] = [
  { name: 'files', write: '**Files:**', also: ['file', 'files to change', 'files to modify', 'files to create'] },
  {
    name: 'depends on',
    write: '**Depends on:**',
    also: ['depends', 'depend', 'depends upon', 'dependson', 'dependent on', 'depending on'],
    withTask: [
      'dependencies',
      'dependency',
      'requires',
      'required',
      'prerequisites',
      'blocked by',
      'waits for',
      'after',
    ],
  },
  { name: 'expected', write: '**Expected:**', also: [] },
  { name: 'interfaces', write: '**Interfaces:**', also: ['interface'] },
  { name: 'profile', write: '**Profile:**', also: ['profiles'] },
  { name: 'test first', write: '**Test first:**', also: ['tests first', 'test-first'] },
];

function nearLabels(text: string, blocks: readonly Block[], labels: readonly Label[]): readonly Problem[] {
  return blocks.flatMap((block) => {
    const spans = block.kind === 'paragraph' && !block.quoted ? block.spans : [];
    return spans.flatMap((span) => (startsBold(text, span) ? nearLabel(text, span, labels) : []));
  });
}

function nearLabel(text: string, span: TextSpan, labels: readonly Label[]): readonly Problem[] {
  const line = text.slice(span.from, Math.min(span.to, span.from + LONGEST_HEADING));
  const [whole = '', typed = ''] =
    /^(?:\*\*|__)(\p{L}[\p{L} -]{1,24})(?::(?:\*\*|__)|(?:\*\*|__)\s{0,8}:)/u.exec(line) ?? [];
  const word = typed.trim().toLowerCase();
  if (word === '') return [];
  const value = line.slice(whole.length);
  const warn = (message: string): readonly Problem[] => [
    problemAt(text, span, { severity: 'warning', code: 'not-a-label', message }),
  ];
  if (labels.some(({ name }) => name === word || (name === 'depends on' && word === 'depends-on')))
    return word === 'files' && !NOTHING.test(value) ? warn(FILES_IN_LINE) : [];
  const label = labels.find((one) => isMeant(one, word, value));
  return label === undefined ? [] : warn(`"${showName(whole.trim())}" is not read. Write "${label.write}".`);
}

const NOTHING = /^[\s*_`]*(?:none|nothing|n\/a|[-–—])?[\s*_`.]*$/i;
const FILES_IN_LINE =
  'Files in the same line as "**Files:**" are not read. Put each into a list entry below, such as "- Create: <path>".';

function isMeant({ name, also, withTask = [] }: Label, word: string, value: string): boolean {
  if (also.includes(word) || isMisspelt(word, name)) return true;
  return withTask.includes(word) && NAMES_TASKS.test(value);
}

const NAMES_TASKS = /^\s{0,8}(?:tasks?\s{0,8}#?\d|#?\d{1,9}(?:\.\d{1,9})?(?:\s{0,8},|\s{0,8}$))/i;
