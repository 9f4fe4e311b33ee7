// Reads the bottom of a program's screen by its structure: the input box, the spinner, the list of answers to a question.
// Everything further up is conversation, which may quote anything.

import { oneLine } from '../../text/one-line.ts';
import type { ScreenReading } from '../agent.ts';
import { readCrash } from './crash.ts';
import { linesOf, nonBlankAbove, paragraphAbove, type ScreenLine } from './screen-lines.ts';

/** What a program's screen looks like. Lines are matched without their frame, but with their indentation. */
export interface ScreenPatterns {
  /** The input row, or what replaces it while the program is busy. */
  readonly input: RegExp;
  /** Whether there is a drawn line directly below that row. */
  readonly isRuledOff: boolean;
  /** A line that may appear below the box. */
  readonly footer: RegExp;
  /** A line above the input row, or the row itself, while the program is busy. */
  readonly spinner: RegExp;
  /** A line below the input row while the program is busy. */
  readonly busyFooter: RegExp;
  /** The paragraph directly above the box, or a line below it, when the quota is used up. */
  readonly quota: RegExp;
  /** Finds the time of the reset in that text. */
  readonly until: RegExp;
  /** The first numbered answer if the question is whether to trust the folder. */
  readonly trustAnswer: RegExp;
  /** The first numbered answer if the question is what to do without quota. */
  readonly quotaAnswer: RegExp;
  /** A line that may appear below the answers. */
  readonly hint: RegExp;
  /** The row of answers of a question without numbered answers. The group `question` may contain the question. */
  readonly answerRow: RegExp;
  /** The first line of such a question, if the question may contain blank lines. */
  readonly questionHead: RegExp;
}

/** For screens without such a line. */
export const NEVER = /(?!)/;

const UNREADABLE: ScreenReading = { kind: 'unreadable' };

export function matchScreen(patterns: ScreenPatterns, screen: string): ScreenReading {
  const lines = linesOf(screen);
  return (
    readAnswerRow(patterns, lines) ??
    readChoices(patterns, lines) ??
    readTrustList(patterns, lines) ??
    readBox(patterns, lines) ??
    readCrash(lines) ??
    UNREADABLE
  );
}

/** The maximum number of lines of a question above its list of answers. */
const QUESTION_REACH = 16;

/** A numbered answer; the selected one has a mark. */
const CHOICE = /^\s*(?:(?<mark>[❯›●>])\s*)?(?<number>\d)\.\s+(?<text>\S.*)$/;
const CONTINUED = /^\s{4,}\S/;

function readChoices(patterns: ScreenPatterns, lines: readonly ScreenLine[]): ScreenReading | undefined {
  let at = lines.length - 1;
  while (at >= 0 && (lines[at]?.isBlank || patterns.hint.test(lines[at]?.text ?? ''))) at--;
  const texts: string[] = [];
  let marks = 0;
  let expected: number | undefined;
  for (; at >= 0 && expected !== 0; at--) {
    const text = lines[at]?.text ?? '';
    const row = CHOICE.exec(text)?.groups;
    if (row === undefined) {
      // A long answer continues on the next line; anything else is not part of the list.
      if (!CONTINUED.test(text)) return undefined;
      continue;
    }
    const number = Number(row.number);
    if (expected !== undefined && number !== expected) return undefined;
    expected = number - 1;
    marks += row.mark === undefined ? 0 : 1;
    texts.unshift(row.text ?? '');
  }
  if (expected !== 0 || texts.length < 2 || marks !== 1) return undefined;
  const [first = ''] = texts;
  const question = questionAbove(lines, at + 1);
  if (patterns.quotaAnswer.test(first)) return { kind: 'quota', until: untilIn(patterns, question) };
  return { kind: patterns.trustAnswer.test(first) ? 'asks-trust' : 'asks-permission', question: oneLine(question) };
}

const UNNUMBERED = /^\s*(?:(?<mark>[❯›●>])\s+)?(?<text>\S.*)$/;

/** The trust question may have answers without numbers. The hint below distinguishes them from ordinary text. */
function readTrustList(patterns: ScreenPatterns, lines: readonly ScreenLine[]): ScreenReading | undefined {
  const hint = lines.findLastIndex((line) => !line.isBlank);
  if (!patterns.hint.test(lines[hint]?.text ?? '')) return undefined;
  const rows = paragraphAbove(lines, hint).map((text) => UNNUMBERED.exec(text)?.groups);
  const isAsked = rows.some((row) => patterns.trustAnswer.test(row?.text ?? ''));
  if (!isAsked || rows.includes(undefined) || rows.filter((row) => row?.mark !== undefined).length !== 1)
    return undefined;
  const bottom = lines.slice(0, hint).findLastIndex((line) => !line.isBlank);
  return { kind: 'asks-trust', question: oneLine(questionAbove(lines, bottom + 1 - rows.length)) };
}

/** The text from the drawn line above the answers, or else from the line with the question mark. */
function questionAbove(lines: readonly ScreenLine[], at: number): string {
  const reach = Math.max(0, at - QUESTION_REACH);
  const near = lines.slice(reach, at);
  const rule = near.findLastIndex((line) => line.isRule);
  const asking = near.findLastIndex((line) => line.text.includes('?'));
  return nonBlankAbove(near.slice(Math.max(0, rule === -1 ? asking : rule)), near.length, QUESTION_REACH).join(' ');
}

function readAnswerRow(patterns: ScreenPatterns, lines: readonly ScreenLine[]): ScreenReading | undefined {
  const at = lines.findLastIndex((line) => !line.isBlank);
  const row = patterns.answerRow.exec(lines[at]?.text ?? '');
  if (row === null) return undefined;
  const near = lines.slice(Math.max(0, at - QUESTION_REACH), at);
  const head = near.findLastIndex(({ text }) => patterns.questionHead.test(text));
  const above = head === -1 ? paragraphAbove(lines, at) : nonBlankAbove(near.slice(head), near.length, QUESTION_REACH);
  const question = row.groups?.question ?? above.join(' ');
  return { kind: 'asks-permission', question: oneLine(question) };
}

/** The maximum number of lines above the box that belong to the spinner, such as its progress or queued messages. */
const STATUS_REACH = 8;
const MOST_FOOTERS = 4;

function readBox(patterns: ScreenPatterns, lines: readonly ScreenLine[]): ScreenReading | undefined {
  let at = lines.length - 1;
  const footers: string[] = [];
  for (; at >= 0 && !patterns.input.test(lines[at]?.text ?? ''); at--) {
    const line = lines[at];
    if (line === undefined || line.isBlank) continue;
    if (footers.length === MOST_FOOTERS || !patterns.footer.test(line.text)) return undefined;
    footers.push(line.text);
  }
  if (at < 0 || (patterns.isRuledOff && lines[at + 1]?.isRule !== true)) return undefined;
  const paragraph = paragraphAbove(lines, at).join('\n');
  const limited = [paragraph, ...footers].find((text) => patterns.quota.test(text));
  if (limited !== undefined) return { kind: 'quota', until: untilIn(patterns, limited) };
  const status = [...nonBlankAbove(lines, at, STATUS_REACH), lines[at]?.text ?? ''];
  const isBusy =
    status.some((text) => patterns.spinner.test(text)) || footers.some((text) => patterns.busyFooter.test(text));
  return { kind: isBusy ? 'busy' : 'idle' };
}

function untilIn(patterns: ScreenPatterns, text: string): string | null {
  const [, until] = patterns.until.exec(text) ?? [];
  return until === undefined ? null : oneLine(until);
}
