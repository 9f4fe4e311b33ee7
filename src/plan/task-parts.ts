// The contents of a task: its files, its steps with command and expected result, its interfaces and its dependencies.

import { readFileEntry } from './file-entry.ts';
import { InterfacesReader } from './interfaces.ts';
import type { Block } from './markdown/blocks.ts';
import { type TextSpan, textOf } from './markdown/span.ts';
import { readMarker } from './marker.ts';
import type { FileAction, FileReference, Interfaces, TaskStep } from './plan.ts';
import { headingText } from './sections.ts';

export interface TaskParts {
  readonly files: readonly FileReference[];
  readonly steps: readonly TaskStep[];
  /** The text after "Depends on:", and its place. */
  readonly dependsOn: { readonly text: string; readonly span: TextSpan } | undefined;
  readonly unknownEntries: readonly TextSpan[];
  readonly interfaces: Interfaces | null;
  readonly profile: string | null;
  readonly testFirst: boolean;
}

export function readTaskParts(text: string, blocks: readonly Block[]): TaskParts {
  const reader = new TaskReader(text);
  for (const block of blocks) if (!block.quoted) reader.take(block);
  return reader.parts();
}

interface StepDraft {
  readonly number: number;
  readonly description: string;
  readonly line: number;
  command: string | null;
  expected: string | null;
}

/** The list of files being read: the action that nested entries inherit, and the depth of the entry that set it. */
interface FileList {
  group: { readonly action: FileAction; readonly depth: number } | undefined;
}

/** Reads the blocks of one task in order, and remembers the current step and the current list of files. */
class TaskReader {
  readonly #text: string;
  readonly #files: FileReference[] = [];
  readonly #steps: StepDraft[] = [];
  readonly #unknownEntries: TextSpan[] = [];
  readonly #interfaces = new InterfacesReader();
  #dependsOn: TaskParts['dependsOn'];
  #profile: string | null = null;
  #testFirst: boolean | null = null;
  #list: FileList | undefined;
  /** Set after a "Run:" or "Expected:" without text: the next fence belongs to it. */
  #nextFenceIs: 'command' | 'expected' | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  parts(): TaskParts {
    return {
      files: this.#files,
      steps: this.#steps,
      dependsOn: this.#dependsOn,
      unknownEntries: this.#unknownEntries,
      interfaces: this.#interfaces.found,
      profile: this.#profile,
      testFirst: this.#testFirst ?? false,
    };
  }

  take(block: Block): void {
    switch (block.kind) {
      case 'heading':
        this.#takeHeading(headingText(this.#text, block), block.line);
        break;
      case 'paragraph':
        this.#takeParagraph(block.spans, block.depth);
        break;
      case 'fence':
        this.#takeFence(block.info, textOf(this.#text, block.spans));
        break;
      default:
        this.#list = undefined;
        this.#interfaces.end();
    }
  }

  #takeHeading(title: string, line: number): void {
    this.#interfaces.takeTitle(title);
    this.#list = FILES_TITLE.test(title) ? { group: undefined } : undefined;
    this.#startStep(title, line);
  }

  #takeParagraph(spans: readonly TextSpan[], depth: number): void {
    if (this.#interfaces.take(textOf(this.#text, spans), depth)) return;
    for (const [index, span] of spans.entries()) {
      const line = withoutCheckbox(this.#text.slice(span.from, span.to));
      const isMarked = line.bold || (line.ticked && index === 0);
      if (isMarked && this.#startStep(line.text, span.line)) this.#list = undefined;
      else if (!this.#takeLabel(line.text, span)) this.#takeEntry(line.text, span, depth, index === 0);
    }
  }

  #startStep(text: string, line: number): boolean {
    const reading = readMarker(text);
    if (reading.kind !== 'marker' || reading.marker.word !== 'step') return false;
    const { number, name } = reading.marker;
    this.#steps.push({ number, description: name, line, command: null, expected: null });
    this.#nextFenceIs = undefined;
    return true;
  }

  /** "Files:", "Depends on:", "Run:", "Expected:", "Profile:" or "Test first:". Any other bold label ends a list of files. */
  #takeLabel(line: string, span: TextSpan): boolean {
    const label = LABEL.exec(line);
    if (label === null) return false;
    const name = (label[1] ?? label[2])?.toLowerCase().replace('-', ' ');
    const value = line.slice(label[0].length).trim();
    const step = this.#steps.at(-1);
    if (name === 'files' && value === '') this.#list = { group: undefined };
    else if (name === 'depends on') this.#dependsOn ??= { text: value, span };
    else if (name === 'run') this.#takeResult(step, 'command', withoutBackticks(value));
    else if (name === 'expected') this.#takeResult(step, 'expected', value);
    else if (name === 'profile') this.#profile ??= withoutBackticks(value) || null;
    else if (name === 'test first') this.#testFirst ??= !NO.test(value);
    else return false;
    if (name !== 'files') this.#list = undefined;
    return true;
  }

  #takeResult(step: StepDraft | undefined, part: 'command' | 'expected', value: string): void {
    if (step === undefined || step[part] !== null) return;
    if (value === '') this.#nextFenceIs = part;
    else step[part] = value;
  }

  #takeEntry(line: string, span: TextSpan, depth: number, isFirstLine: boolean): void {
    if (this.#list === undefined) return;
    const { group } = this.#list;
    const inherited = group !== undefined && depth > group.depth ? group.action : undefined;
    const entry = readFileEntry(line, inherited);
    if (entry === undefined) {
      if (depth === 0) this.#list = undefined;
      else if (isFirstLine) this.#unknownEntries.push(span);
      return;
    }
    if (depth > 0 && !isFirstLine) return;
    if (entry.files.length === 0) this.#list.group = { action: entry.action, depth };
    for (const file of entry.files) this.#files.push({ ...file, line: span.line });
  }

  #takeFence(info: string, content: string): void {
    this.#list = undefined;
    const step = this.#steps.at(-1);
    const part = this.#nextFenceIs ?? (isShell(info) ? 'command' : undefined);
    this.#nextFenceIs = undefined;
    if (step !== undefined && part !== undefined && content !== '') step[part] ??= content;
  }
}

const FILES_TITLE = /^[*_]{0,3}files:?[*_]{0,3}:?$/i;
const LABEL =
  /^(?:[*_]{0,3}(files|depends[ -]on|run|expected)|(?:\*\*|__)(profile|test[ -]first))[*_]{0,3}[ \t]*:[*_]{0,3}/i;
const NO = /^(?:no|never|false|off)\b/i;

function withoutCheckbox(line: string): { text: string; bold: boolean; ticked: boolean } {
  const box = /^\[[ xX]\][ \t]+/.exec(line)?.[0] ?? '';
  const text = line.slice(box.length);
  return { text, bold: /^(\*\*|__)/.test(text), ticked: box !== '' };
}

/** "`npm test` and read the output" runs npm test. */
function withoutBackticks(value: string): string {
  const ticks = /^`+/.exec(value)?.[0] ?? '';
  const end = ticks === '' ? -1 : value.indexOf(ticks, ticks.length);
  return end === -1 ? value : value.slice(ticks.length, end).trim();
}

/** A fence in another language is code to write, not a command to run. */
function isShell(info: string): boolean {
  return SHELLS.has(info.split(/[\s{,]/, 1)[0]?.toLowerCase() ?? '');
}

const SHELLS: ReadonlySet<string> = new Set([
  '',
  'sh',
  'bash',
  'shell',
  'zsh',
  'fish',
  'console',
  'terminal',
  'shell-session',
  'powershell',
  'ps1',
  'cmd',
  'bat',
]);
