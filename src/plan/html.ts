// Which lines begin a block of HTML in a markdown text, and what ends it.

/** The block goes on up to the line in which this is found, or up to a blank line. */
export type HtmlEnd = RegExp | 'blank';

/** What ends the HTML that this line begins, if it begins any. A tag of one's own making cannot interrupt a paragraph. */
export function htmlEnd(line: string, inParagraph: boolean): HtmlEnd | undefined {
  for (const { begins, ends } of HTML_BLOCKS) if (begins.test(line)) return ends;
  const isTag = !inParagraph && line.length <= LONGEST_TAG && (OPEN_TAG.test(line) || CLOSE_TAG.test(line));
  return isTag ? 'blank' : undefined;
}

const HTML_BLOCKS: readonly { readonly begins: RegExp; readonly ends: HtmlEnd }[] = [
  { begins: /^<(?:script|pre|textarea|style)(?:[ \t>]|$)/i, ends: /<\/(?:script|pre|textarea|style)>/i },
  { begins: /^<!--/, ends: /-->/ },
  { begins: /^<\?/, ends: /\?>/ },
  { begins: /^<![A-Za-z]/, ends: />/ },
  { begins: /^<!\[CDATA\[/, ends: /\]\]>/ },
  {
    begins:
      /^<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?:[ \t>]|\/>|$)/i,
    ends: 'blank',
  },
];

/** Every attribute takes room on the stack while a tag is matched, and a line may be as long as the file. */
const LONGEST_TAG = 10_000;
// Where one part of a tag ends is never in question, so the time that matching takes grows with the line and no faster.
const OPEN_TAG =
  /^<[A-Za-z][A-Za-z0-9-]*(?:[ \t]+[A-Za-z_:][A-Za-z0-9_.:-]*(?:[ \t]*=[ \t]*(?:[^"'=<>` \t]+|'[^']*'|"[^"]*"))?)*[ \t]*\/?>[ \t]*$/;
const CLOSE_TAG = /^<\/[A-Za-z][A-Za-z0-9-]*[ \t]*>[ \t]*$/;
