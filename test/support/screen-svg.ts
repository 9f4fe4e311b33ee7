// A screen with SGR sequences as an SVG picture: the same text in the same places, with its colours.
import { agentScreen } from '../../src/surfaces/tui/terminal/agent-screen.ts';
import type { Colour, Style } from '../../src/surfaces/tui/terminal/styled.ts';
import { widthOf } from '../../src/surfaces/tui/terminal/width.ts';

const [CELL, ROW, MARGIN] = [8.4, 18, 12];
const [TEXT, GROUND] = ['#d0d0d0', '#16181d'];
const FIRST_16 =
  '#3b4048 #e06c75 #98c379 #e5c07b #61afef #c678dd #56b6c2 #d0d0d0 #6b7280 #ff7b86 #b5e890 #ffd68a #82c4ff #de9bf5 #7fd8e2 #ffffff'.split(
    ' ',
  );

export function svgOf(screen: string, { columns, rows }: { readonly columns: number; readonly rows: number }): string {
  const [width, height] = [columns * CELL + 2 * MARGIN, rows * ROW + 2 * MARGIN];
  const lines = agentScreen(screen)
    .slice(0, rows)
    .flatMap((spans, row) => {
      let column = 0;
      return spans.map(({ text, style }) => {
        const at = column;
        column += widthOf(text);
        return spanOf(text, style, at, row);
      });
    });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14">`,
    '<title>The terminal interface of cadre</title>',
    `<rect width="100%" height="100%" rx="8" fill="${GROUND}"/>`,
    ...lines.filter((line) => line !== ''),
    '</svg>',
    '',
  ].join('\n');
}

function spanOf(text: string, style: Style, column: number, row: number): string {
  const [front, back] = style.inverse
    ? [colourOf(style.background) ?? GROUND, colourOf(style.colour) ?? TEXT]
    : [colourOf(style.colour) ?? TEXT, colourOf(style.background)];
  const [x, y] = [MARGIN + column * CELL, MARGIN + row * ROW];
  const length = widthOf(text) * CELL;
  const ground = back === undefined ? '' : `<rect x="${x}" y="${y}" width="${length}" height="${ROW}" fill="${back}"/>`;
  if (text.trim() === '') return ground;
  const looks = `${style.bold ? ' font-weight="bold"' : ''}${style.dim ? ' opacity="0.6"' : ''}`;
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `${ground}<text x="${x}" y="${y + ROW * 0.75}" textLength="${length}" xml:space="preserve" fill="${front}"${looks}>${escaped}</text>`;
}

function colourOf(colour: Colour | undefined): string | undefined {
  if (colour === undefined) return undefined;
  if (typeof colour !== 'number') return `rgb(${colour.red},${colour.green},${colour.blue})`;
  return FIRST_16[colour] ?? TEXT;
}
