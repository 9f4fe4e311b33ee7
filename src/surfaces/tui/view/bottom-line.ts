// The bottom line: the keys for the selection, or the line that is being typed; and above it what has just happened.
import { KEYS } from '../keys/table.ts';
import type { Model, Purpose, Toast } from '../model/model.ts';
import type { Situation } from '../model/step.ts';
import { cut, fitted, type Line, lineWidth, type Span, span, wrapped } from '../terminal/styled.ts';
import { endOf, widthOf } from '../terminal/width.ts';
import { TONES } from './theme.ts';

export interface BottomLine {
  readonly line: Line;
  /** Where the cursor is, while a line is typed here. */
  readonly cursor: number | undefined;
}

export function bottomLine(situation: Situation): BottomLine {
  const { model } = situation;
  const { columns } = model.size;
  if (model.mode.kind === 'type') {
    const { prompt, line } = model.mode;
    if (BELOW.has(prompt.purpose.kind)) {
      const { spans, cursor } = typedSpans(prompt.label, line, columns);
      return { line: fitted(spans, columns), cursor };
    }
  }
  return { line: fitted(hintsFor(situation, columns), columns), cursor: undefined };
}

/** What is typed in the bottom line itself. */
const BELOW: ReadonlySet<Purpose['kind']> = new Set(['command', 'filter', 'search']);

/** The label and the end of the text that fits, and the column of the cursor. */
function typedSpans(
  label: string,
  { text, at }: { readonly text: string; readonly at: number },
  columns: number,
): { readonly spans: Line; readonly cursor: number } {
  const room = Math.max(1, columns - widthOf(label) - 1);
  const before = endOf(text.slice(0, at), room);
  return {
    spans: cut([span(label, TONES.focus), span(before), span(text.slice(at))], columns),
    cursor: Math.min(columns - 1, widthOf(label) + widthOf(before)),
  };
}

/** As many as fit, with "? keys" always among them. */
function hintsFor(situation: Situation, columns: number): Line {
  const mode = MODE_HINTS[situation.model.mode.kind];
  if (mode !== undefined) return [span(` ${mode}`)];
  const hints = KEYS.flatMap(({ keys: [key = ''], hint }) => {
    const word = hint(situation);
    return word === undefined ? [] : [{ key: keyName(key), hint: word }];
  });
  const kept = hints.filter(({ hint }) => LAST.includes(hint));
  let room = columns - 1 - kept.reduce((sum, one) => sum + hintWidth(one), 0);
  const shown = hints.filter((one) => {
    if (kept.includes(one)) return true;
    const fits = hintWidth(one) <= room;
    if (fits) room -= hintWidth(one);
    return fits;
  });
  return [
    span(' '),
    ...shown.flatMap(({ key, hint }): readonly Span[] => [span(key, TONES.focus), span(` ${hint}  `)]),
  ];
}

const LAST: readonly string[] = ['keys', 'quit'];

function hintWidth({ key, hint }: { readonly key: string; readonly hint: string }): number {
  return widthOf(key) + widthOf(hint) + 3;
}

/** As the help shows it. */
export function keyName(key: string): string {
  return NAMES[key] ?? key.replace(/^ctrl-(.)$/, (_all, letter: string) => `^${letter.toUpperCase()}`);
}

const NAMES: { readonly [key: string]: string } = {
  enter: 'Enter',
  tab: 'Tab',
  'shift-tab': 'Shift-Tab',
  escape: 'Esc',
  up: 'Up',
  down: 'Down',
  left: 'Left',
  right: 'Right',
  home: 'Home',
  end: 'End',
  'page-up': 'PgUp',
  'page-down': 'PgDn',
};

const MODE_HINTS: { readonly [mode in Model['mode']['kind']]: string | undefined } = {
  list: undefined,
  ask: 'Esc changes nothing',
  plans: 'Enter choose  r run  Esc back',
  findings: 'Enter decide  Esc back',
  help: 'j k scroll  Esc back',
  type: 'Enter sends  Esc keeps it',
};

/** Above the bottom line, each on as many lines as it needs, up to a few. */
export function toastLines({ toasts, size: { columns } }: Model): readonly Line[] {
  return toasts.flatMap((toast) => {
    const isError = toast.tone === 'error';
    const mark = span(isError ? ' x  ' : ' ok ', isError ? TONES.broken : TONES.good);
    const right: Line = isError ? [span('  Esc ', TONES.dim)] : [];
    const room = Math.max(10, columns - widthOf(mark.text) - lineWidth(right));
    const lines = wrapped(toastText(toast), room);
    const shown = lines.slice(0, MOST_TOAST_LINES);
    return shown.map((text, index) => {
      const isLast = index === shown.length - 1;
      const rest = isLast && lines.length > shown.length ? ' ... (:messages)' : '';
      const left: Line = [
        index === 0 ? mark : span('    '),
        span(text.slice(0, rest === '' ? undefined : room - rest.length)),
        span(rest),
      ];
      return isLast ? [...fitted(left, columns - lineWidth(right)), ...right] : fitted(left, columns);
    });
  });
}

const MOST_TOAST_LINES = 3;

function toastText({ text, count }: Toast): string {
  return `${text.replaceAll('\n', ' ')}${count > 1 ? ` x${count}` : ''}`;
}
