// The bytes that a terminal sends, as keys, clicks and pasted text.

export type Input =
  /** `name`: the character itself, or "up", "enter", "ctrl-d", ... */
  | { readonly kind: 'key'; readonly name: string }
  | { readonly kind: 'paste'; readonly text: string }
  /** From zero, at the top left. */
  | { readonly kind: 'click'; readonly row: number; readonly column: number }
  | { readonly kind: 'wheel'; readonly row: number; readonly column: number; readonly by: -1 | 1 };

interface Decoded {
  readonly inputs: readonly Input[];
  /** The beginning of a sequence whose end has not come yet. */
  readonly rest: string;
}

export function decode(text: string): Decoded {
  const inputs: Input[] = [];
  let rest = text;
  while (rest !== '') {
    const next = nextInput(rest);
    if (next === undefined) break;
    inputs.push(...next.inputs);
    rest = rest.slice(next.length);
  }
  return { inputs, rest };
}

/** What is left when nothing follows: an escape that begins no sequence is the key itself. */
export function decodeRest(rest: string): readonly Input[] {
  if (rest === '') return [];
  if (rest === ESCAPE) return [key('escape')];
  if (rest.startsWith(PASTE)) return [{ kind: 'paste', text: rest.slice(PASTE.length) }];
  return rest.length === 2 ? [key('escape'), key(rest[1] ?? '')] : [];
}

interface Next {
  readonly inputs: readonly Input[];
  readonly length: number;
}

const ESCAPE = '\x1b';
const [PASTE, PASTED] = ['\x1b[200~', '\x1b[201~'];

function nextInput(text: string): Next | undefined {
  if (text.startsWith(ESCAPE)) return escaped(text);
  const char = String.fromCodePoint(text.codePointAt(0) ?? 0);
  const control = CONTROLS.get(char);
  if (control !== undefined) return { inputs: [key(control)], length: 1 };
  const code = char.codePointAt(0) ?? 0;
  if (code < 32) return { inputs: [key(`ctrl-${String.fromCharCode(code + 96)}`)], length: 1 };
  return { inputs: [key(char)], length: char.length };
}

const CONTROLS: ReadonlyMap<string, string> = new Map([
  ['\r', 'enter'],
  ['\n', 'enter'],
  ['\t', 'tab'],
  ['\x7f', 'backspace'],
  ['\b', 'backspace'],
  [' ', 'space'],
]);

function escaped(text: string): Next | undefined {
  if (text.startsWith(PASTE)) return pasted(text);
  // The beginning of the mark, which is itself a sequence.
  const [sequence] = /^\x1b(?:\[[0-?]*[ -/]*[@-~]|O[ -~])/.exec(text) ?? [];
  if (sequence !== undefined) return { inputs: inputsOf(sequence), length: sequence.length };
  if (/^\x1b(?:\[[0-?]*[ -/]*|O)?$/.test(text)) return undefined;
  // A sequence that is none: its introduction alone is dropped.
  if (/^\x1b[[O]/.test(text)) return { inputs: [], length: 2 };
  // No key is for Alt; on a slow line Esc and the key after it come together.
  return { inputs: [key('escape')], length: 1 };
}

function pasted(text: string): Next | undefined {
  const end = text.indexOf(PASTED);
  if (end === -1) return undefined;
  return { inputs: [{ kind: 'paste', text: text.slice(PASTE.length, end) }], length: end + PASTED.length };
}

function inputsOf(sequence: string): readonly Input[] {
  const mouse = /^\x1b\[<(\d+);(\d+);(\d+)([Mm])$/.exec(sequence);
  if (mouse !== null) return mouseInput(mouse.slice(1, 4).map(Number), mouse[4] === 'M');
  const [, parameters = '', final = ''] = /^\x1b[[O]([0-?]*)([ -~])$/.exec(sequence) ?? [];
  const [first = '', modifier = '1'] = parameters.split(';');
  const name = final === '~' ? NUMBERED.get(first) : FINALS.get(final);
  if (name === undefined) return [];
  return [key(`${MODIFIERS.get(modifier) ?? ''}${name}`)];
}

const FINALS: ReadonlyMap<string, string> = new Map([
  ['A', 'up'],
  ['B', 'down'],
  ['C', 'right'],
  ['D', 'left'],
  ['H', 'home'],
  ['F', 'end'],
  ['Z', 'shift-tab'],
  ['M', 'enter'],
]);

const NUMBERED: ReadonlyMap<string, string> = new Map([
  ['1', 'home'],
  ['3', 'delete'],
  ['4', 'end'],
  ['5', 'page-up'],
  ['6', 'page-down'],
  ['7', 'home'],
  ['8', 'end'],
]);

const MODIFIERS: ReadonlyMap<string, string> = new Map([
  ['2', 'shift-'],
  ['3', 'alt-'],
  ['5', 'ctrl-'],
]);

function mouseInput([button = 0, column = 1, row = 1]: readonly number[], isPress: boolean): readonly Input[] {
  const place = { row: row - 1, column: column - 1 };
  if (button === 64 || button === 65) return [{ kind: 'wheel', by: button === 64 ? -1 : 1, ...place }];
  return button === 0 && isPress ? [{ kind: 'click', ...place }] : [];
}

function key(name: string): Input {
  return { kind: 'key', name };
}
