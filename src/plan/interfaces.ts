// What a task needs from others and what others rely on: the entries below "Interfaces", and the names in them.
import type { Interfaces } from './plan.ts';

type Side = keyof Interfaces;

/** Reads the paragraphs of one task in order. */
export class InterfacesReader {
  readonly #entries: { readonly [side in Side]: string[] } = { consumes: [], produces: [] };
  #isRead = false;
  /** Set below the title: the side that entries belong to, and the depth of the entry that named it. */
  #open: { side: Side | undefined; depth: number } | undefined;

  get found(): Interfaces | null {
    return this.#isRead ? this.#entries : null;
  }

  takeTitle(title: string): void {
    this.#open = TITLE.test(title) ? { side: undefined, depth: 0 } : undefined;
    if (this.#open !== undefined) this.#isRead = true;
  }

  end(): void {
    this.#open = undefined;
  }

  /** Whether the paragraph is part of the interfaces. */
  take(paragraph: string, depth: number): boolean {
    const [first = '', ...others] = paragraph.split('\n');
    if (TITLE.test(first.trim())) {
      this.takeTitle(first.trim());
      for (const line of others) this.#takeEntry(line, depth);
      return true;
    }
    if (SIDE_LABEL.test(first)) this.#open ??= { side: undefined, depth: 0 };
    if (this.#open === undefined) return false;
    const isEntry = SIDE.test(first) || depth > this.#open.depth || (depth > 0 && this.#open.side !== undefined);
    if (!isEntry) {
      this.end();
      return false;
    }
    this.#takeEntry(paragraph, depth);
    return true;
  }

  #takeEntry(text: string, depth: number): void {
    if (this.#open === undefined) return;
    const named = SIDE.exec(text);
    const side = named?.[1]?.toLowerCase() as Side | undefined;
    if (side !== undefined) this.#open = { side, depth };
    const entry = text
      .slice(named?.[0].length ?? 0)
      .replace(/\s+/g, ' ')
      .trim();
    if (this.#open.side === undefined || NOTHING.test(entry)) return;
    this.#isRead = true;
    this.#entries[this.#open.side].push(entry);
  }
}

const TITLE = /^[*_]{0,3}interfaces[*_]{0,3}[ \t]{0,8}:?[*_]{0,3}$/i;
const SIDE = /^[*_]{0,3}(consumes|produces)[*_]{0,3}[ \t]{0,8}:[*_]{0,3}[ \t]{0,8}/i;
const SIDE_LABEL = /^(?:\*\*|__)(?:consumes|produces)(?::(?:\*\*|__)|(?:\*\*|__)[ \t]{0,8}:)/i;
const NOTHING = /^(?:none|nothing|n\/a|[-–—])?\.?$/i;

/** The names that an entry defines or needs: the first word of each piece of code in it. A path is not a name. */
export function namesIn(entry: string): readonly string[] {
  const pieces = entry.slice(0, LONGEST).match(/`[^`]{1,200}`/g) ?? [];
  return [...new Set(pieces.flatMap((piece) => nameOf(piece.slice(1, -1))))];
}

const LONGEST = 4_000;

function nameOf(code: string): readonly string[] {
  const bare = code.trim().replace(KEYWORDS, '');
  if (/^[\w.@-]*\//.test(bare) || FILE_NAME.test(bare)) return [];
  const [name = ''] = /^[A-Za-z_$][\w$]*(?:[.:#]{1,2}[A-Za-z_$][\w$]*){0,5}/.exec(bare) ?? [];
  return name.length < 2 ? [] : [name];
}

const FILE_NAME =
  /^[\w.-]+\.(?:[cm]?[jt]sx?|py|rs|go|md|json|ya?ml|toml|sh|c|h|cpp|java|kt|rb|php|css|html|sql|txt|csv|lock)$/i;
const KEYWORDS =
  /^(?:(?:export|default|async|public|static|function|class|interface|type|enum|const|let|var|def|fn|pub|func|struct|trait)\s+){1,4}/;

/** Whether an entry says that what it names is there already, so that no task has to produce it. */
export function saysItExists(entry: string): boolean {
  return /\b(?:exist(?:s|ing)?|already|built-in|standard library)\b/i.test(entry);
}
