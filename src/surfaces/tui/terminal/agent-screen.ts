// The screen of an agent's terminal as styled lines. Text, colours and a few attributes are taken; everything else is dropped,
// so that nothing an agent prints can act on the person's terminal.
import { type Colour, inert, type Line, PLAIN, type Span, type Style } from './styled.ts';

/** `screen`: lines with SGR sequences, as `capture-pane -e` of tmux prints them. */
export function agentScreen(screen: string): readonly Line[] {
  let style = PLAIN;
  return screen.split('\n').map((text) => {
    const spans: Span[] = [];
    let from = 0;
    for (const match of text.matchAll(SEQUENCES)) {
      add(spans, text.slice(from, match.index), style);
      from = match.index + match[0].length;
      if (match[1] !== undefined) style = styleAfter(style, match[1]);
    }
    add(spans, text.slice(from), style);
    return spans;
  });
}

/** The first alternative is SGR; the others are everything else that starts with an escape, as far as it goes. */
const SEQUENCES =
  /\x1b\[([0-9;:]*)m|\x1b\[[0-?]*[ -/]*[@-~]?|\x1b[\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|\x1b[ -/]*[0-~]?|\x9b[0-?]*[ -/]*[@-~]?/g;

function add(spans: Span[], text: string, style: Style): void {
  const shown = inert(text);
  if (shown !== '') spans.push({ text: shown, style });
}

function styleAfter(style: Style, parameters: string): Style {
  const codes = parameters.split(/[;:]/).map((word) => (word === '' ? 0 : Number(word)));
  let now = style;
  for (let at = 0; at < codes.length; ) {
    const code = codes[at] ?? 0;
    if (code === 38 || code === 48) {
      const { colour, length } = extended(codes.slice(at + 1));
      if (colour !== undefined) now = { ...now, [code === 38 ? 'colour' : 'background']: colour };
      at += 1 + length;
    } else {
      now = simple(now, code);
      at += 1;
    }
  }
  return now;
}

function simple(style: Style, code: number): Style {
  const attribute = ATTRIBUTES.get(code);
  if (attribute !== undefined) return { ...style, ...attribute };
  if (code >= 30 && code <= 37) return { ...style, colour: code - 30 };
  if (code >= 90 && code <= 97) return { ...style, colour: code - 82 };
  if (code >= 40 && code <= 47) return { ...style, background: code - 40 };
  if (code >= 100 && code <= 107) return { ...style, background: code - 92 };
  if (code === 39) return without(style, 'colour');
  if (code === 49) return without(style, 'background');
  return code === 0 ? PLAIN : style;
}

const ATTRIBUTES: ReadonlyMap<number, Style> = new Map([
  [1, { bold: true }],
  [2, { dim: true }],
  [4, { underline: true }],
  [7, { inverse: true }],
  [22, { bold: false, dim: false }],
  [24, { underline: false }],
  [27, { inverse: false }],
]);

function without(style: Style, name: 'colour' | 'background'): Style {
  const { [name]: _gone, ...rest } = style;
  return rest;
}

/** What follows 38 or 48: `5;n`, or `2;r;g;b`. */
function extended([kind, ...rest]: readonly number[]): {
  readonly colour: Colour | undefined;
  readonly length: number;
} {
  if (kind === 5) return { colour: byteOf(rest[0]), length: 2 };
  if (kind !== 2) return { colour: undefined, length: 1 };
  const [red, green, blue] = [byteOf(rest[0]), byteOf(rest[1]), byteOf(rest[2])];
  const isWhole = red !== undefined && green !== undefined && blue !== undefined;
  return { colour: isWhole ? { red, green, blue } : undefined, length: 4 };
}

function byteOf(number: number | undefined): number | undefined {
  return number !== undefined && number >= 0 && number <= 255 ? number : undefined;
}
