// What takes the place of the window while it is open: a dialog, a line to type, the plans, the keys.
import { commandFor } from '../../cli/text/suggestions.ts';
import { KEYS } from '../keys/table.ts';
import type { Command } from '../model/commands.ts';
import { findingsOf } from '../model/findings.ts';
import type { Dialog } from '../model/model.ts';
import { planChoices, shownPlan } from '../model/plans.ts';
import type { Situation } from '../model/step.ts';
import { taskLabel } from '../model/task-label.ts';
import { fitted, type Line, line, restyled, span, spread, wrapped } from '../terminal/styled.ts';
import { keyName } from './bottom-line.ts';
import { findingSpans } from './findings.ts';
import { TONES } from './theme.ts';
import { typedRows } from './typed-rows.ts';
import { planWord, shortSuggestion } from './words.ts';

export interface Overlay {
  readonly title: string;
  readonly right: string;
  readonly lines: readonly Line[];
  readonly cursor?: { readonly row: number; readonly column: number };
}

interface Size {
  readonly rows: number;
  readonly columns: number;
}

/** Undefined where nothing is open. */
export function overlayLines(situation: Situation, size: Size): Overlay | undefined {
  const { mode } = situation.model;
  switch (mode.kind) {
    case 'list':
      return undefined;
    case 'ask':
      return { title: mode.dialog.title, right: '', lines: dialogLines(mode.dialog, size.columns) };
    case 'plans':
      return { title: 'Plans', right: '', lines: planLines(situation, mode.at, size) };
    case 'findings':
      return { title: 'Findings', right: '', lines: findingLines(situation, mode.at, size) };
    case 'help':
      return {
        title: 'Keys',
        right: 'Esc',
        lines: helpLines(situation, size.columns).slice(mode.top, mode.top + size.rows),
      };
    case 'type':
      return typeOverlay(situation, size);
  }
}

function dialogLines({ lines, choices }: Dialog, columns: number): readonly Line[] {
  return [
    ...lines.flatMap((text) => wrapped(text, columns - 1).map((one) => line(` ${one}`))),
    [],
    ...choices.map(({ key, label }): Line => [span(` ${key.padEnd(4)}`, TONES.focus), span(label)]),
    [span(' Esc ', TONES.focus), span('leave everything as it is')],
    ...commandLines(choices, columns),
  ];
}

/** What the choices do, as one types it. Where the choice is the command already, it is not said twice. */
function commandLines(choices: Dialog['choices'], columns: number): readonly Line[] {
  const said = choices
    .filter(({ label, commands }) => !commands.some((command) => command.do === 'line' && command.text === label))
    .flatMap(({ commands }) => commands.flatMap((command) => commandWords(command) ?? []));
  if (said.length === 0) return [];
  return [[], ...wrapped(said.join(' | '), columns - 1, 2).map((text) => line(` ${text}`, TONES.dim))];
}

function commandWords(command: Command): string | undefined {
  switch (command.do) {
    case 'perform':
      return commandFor(
        shortSuggestion({ do: command.call.do, ...(command.call.on === undefined ? {} : { on: command.call.on }) }),
      );
    case 'line':
      return `cadre ${command.text}`;
    case 'attach':
      return commandFor({ do: 'session-attach', on: command.session });
    default:
      return undefined;
  }
}

/** The line after ":" and "/" is typed in the bottom line; what completes it is listed here. */
function typeOverlay({ model }: Situation, { columns, rows }: Size): Overlay | undefined {
  if (model.mode.kind !== 'type') return undefined;
  const { prompt, line: typed } = model.mode;
  const { kind } = prompt.purpose;
  if (kind === 'filter' || kind === 'search' || (kind === 'command' && prompt.lines.length === 0)) return undefined;
  const above = prompt.lines.flatMap((text, index) => {
    const isLast = kind !== 'command' && index === prompt.lines.length - 1;
    // A command and its summary are columns, which wrapping would tear apart.
    if (kind === 'command') return [line(` ${text}`)];
    return isLast ? [] : wrapped(text, columns - 2).map((one) => line(` ${one}`));
  });
  if (kind === 'command') return { title: 'Commands', right: 'Tab', lines: above };
  const hint = wrapped(prompt.lines.at(-1) ?? '', columns - 2).map((one) => line(` ${one}`, TONES.dim));
  // However long the question is, the line that is typed is in view.
  const { lines, cursor } = typedRows(` ${prompt.label}`, typed, { columns, rows: Math.max(1, rows - hint.length) });
  const shown = above.slice(0, Math.max(0, rows - lines.length - hint.length));
  return {
    title: prompt.title,
    right: '',
    lines: [...shown, ...lines, ...hint],
    cursor: { row: shown.length + cursor.row, column: cursor.column },
  };
}

function planLines({ model, snapshot }: Situation, at: number, { rows, columns }: Size): readonly Line[] {
  const choices = planChoices(snapshot);
  if (choices.length === 0) return [line(' No plans yet. "N" starts one.')];
  const from = Math.max(0, Math.min(at - rows + 2, choices.length - rows));
  const shown = shownPlan(model, snapshot);
  return choices.slice(from, from + rows).map(({ plan, isRegistered }, index) => {
    const view = snapshot.status?.plans.find((one) => one.plan === plan);
    const isBroken = view?.file.state === 'unusable';
    const mark = isBroken ? 'x' : plan === shown ? '*' : ' ';
    const word = view === undefined ? (isRegistered ? '' : 'new file') : isBroken ? 'unreadable' : planWord(view);
    const count = view === undefined ? '' : `  ${view.progress.done}/${view.progress.of}`;
    const isAt = from + index === at;
    const text = spread(
      [span(isAt ? '▌' : ' ', TONES.focus), span(` ${mark} ${plan}`)],
      [span(`${word}${count}`)],
      columns,
    );
    return isAt ? restyled(text, { inverse: true }) : text;
  });
}

function findingLines({ snapshot }: Situation, at: number, { rows, columns }: Size): readonly Line[] {
  const found = findingsOf(snapshot);
  const from = Math.max(0, Math.min(at - rows + 2, found.length - rows));
  return found.slice(from, from + rows).map((finding, index) => {
    const isAt = from + index === at;
    const task = finding.task === null ? '' : `${taskLabel(finding.task)} `;
    const edge = span(isAt ? '▌ ' : '  ', TONES.focus);
    const text = fitted([edge, span(task, TONES.strong), ...findingSpans(finding)], columns);
    return isAt ? restyled(text, { inverse: true }) : text;
  });
}

/** Those for the selection first. */
function helpLines(situation: Situation, columns: number): readonly Line[] {
  const isFor = KEYS.filter((row) => row.isFor(situation));
  const others = KEYS.filter((row) => !row.isFor(situation));
  const shown = (rows: typeof KEYS, isDim: boolean): readonly Line[] =>
    rows.flatMap(({ keys, does, on }) =>
      wrapped(`${does}${isDim ? ` (${on})` : ''}`, Math.max(10, columns - 14)).map((text, index) => [
        span(` ${index === 0 ? keys.map(keyName).join(' ') : ''}`.padEnd(13), isDim ? TONES.dim : TONES.focus),
        span(text, isDim ? TONES.dim : {}),
      ]),
    );
  return [
    ...shown(isFor, false),
    ...(others.length === 0 ? [] : [line(' Not for what is selected:', TONES.dim)]),
    ...shown(others, true),
  ];
}
