// Which lines start a block of HTML in a markdown text, and what ends it.

/** The block ends with the line that matches this, or at a blank line. */
export type HtmlEnd = RegExp | 'blank';

/** The end of the HTML block that this line starts, if it starts one. A custom tag cannot interrupt a paragraph. */
export function htmlEnd(line: string, inParagraph: boolean): HtmlEnd | undefined {
  for (const { opening, closing } of HTML_BLOCKS) if (opening.test(line)) return closing;
  const isTag = !inParagraph && line.length <= LONGEST_TAG && (OPEN_TAG.test(line) || CLOSE_TAG.test(line));
  return isTag ? 'blank' : undefined;
}

const HTML_BLOCKS: readonly { readonly opening: RegExp; readonly closing: HtmlEnd }[] = [
  { opening: /^<(?:script|pre|textarea|style)(?:[ \t>]|$)/i, closing: /<\/(?:script|pre|textarea|style)>/i },
  { opening: /^<!--/, closing: /-->/ },
  { opening: /^<\?/, closing: /\?>/ },
  { opening: /^<![A-Za-z]/, closing: />/ },
  { opening: /^<!\[CDATA\[/, closing: /\]\]>/ },
  {
    opening:
      /^<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?:[ \t>]|\/>|$)/i,
    closing: 'blank',
  },
];

/** Matching takes stack space for every attribute, and a line may be as long as the file. */
const LONGEST_TAG = 10_000;
// The parts of a tag are never ambiguous, so there is no backtracking and matching takes linear time.
const OPEN_TAG =
  /^<[A-Za-z][A-Za-z0-9-]*(?:[ \t]+[A-Za-z_:][A-Za-z0-9_.:-]*(?:[ \t]*=[ \t]*(?:[^"'=<>` \t]+|'[^']*'|"[^"]*"))?)*[ \t]*\/?>[ \t]*$/;
const CLOSE_TAG = /^<\/[A-Za-z][A-Za-z0-9-]*[ \t]*>[ \t]*$/;
