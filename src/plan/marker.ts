// "Phase 2: name (parallel)", "Task 3 - name", "Step 1: description": the markers that number the parts of a plan.

export type MarkerWord = 'phase' | 'task' | 'step';

export interface Marker {
  readonly word: MarkerWord;
  /** The number; for "Task 2.1" the part after the dot. */
  readonly number: number;
  /** The part before the dot. */
  readonly outer: number | undefined;
  /** Both parts, as in "2.1". */
  readonly written: string;
  readonly name: string;
  readonly parallel: boolean;
}

/** What a line starts with: a marker, something that looks like one but has no valid number, or neither. */
export type MarkerReading =
  | { readonly kind: 'marker'; readonly marker: Marker }
  | { readonly kind: 'unnumbered'; readonly word: MarkerWord }
  | { readonly kind: 'none' };

const NONE: MarkerReading = { kind: 'none' };

export function readMarker(line: string): MarkerReading {
  const decoration = leadingDecoration(line);
  // Not a constant, like the other sets of letters here: V8 takes long to build one, and few commands read a plan.
  const found = /^(phase|wave|task|step)(?![\p{L}\p{N}_])\s*#?(?:(\d+)(?:\.(\d+))?)?(.?.?)/iu.exec(
    line.slice(decoration.length),
  );
  const word = WORDS[found?.[1]?.toLowerCase() ?? ''];
  if (found === null || word === undefined) return NONE;
  const [whole, , digits = '', inner, after = ''] = found;
  const isNumber = digits !== '' && digits.length <= LONGEST_NUMBER && (inner ?? '').length <= LONGEST_NUMBER;
  if (!isNumber || /^_?[\p{L}\p{N}]|^\.\d/u.test(after)) return { kind: 'unnumbered', word };
  const rest = line.slice(decoration.length + whole.length - after.length);
  const number = Number(inner ?? digits);
  const outer = inner === undefined ? undefined : Number(digits);
  const written = outer === undefined ? `${number}` : `${outer}.${number}`;
  return { kind: 'marker', marker: { word, number, outer, written, ...nameIn(rest, word, decoration) } };
}

const WORDS: { readonly [word: string]: MarkerWord } = { phase: 'phase', wave: 'phase', task: 'task', step: 'step' };
/** A longer number is a mistake, and would lose precision. */
const LONGEST_NUMBER = 9;

/** Emphasis, check boxes and other symbols before the word. */
function leadingDecoration(line: string): string {
  const symbols = symbolsBefore(line);
  if (!symbols.endsWith('[') || !/^x\]/i.test(line.slice(symbols.length))) return symbols;
  const ticked = symbols.length + 2;
  return line.slice(0, ticked) + symbolsBefore(line.slice(ticked));
}

/** Emphasis, check boxes and everything else before the first letter or digit. */
export function symbolsBefore(text: string): string {
  return /^[^\p{L}\p{N}]*/u.exec(text)?.[0] ?? '';
}

function nameIn(rest: string, word: MarkerWord, decoration: string): Pick<Marker, 'name' | 'parallel'> {
  const early = word === 'phase' ? withoutEarlyParallel(rest) : undefined;
  const separator = SEPARATOR.exec(early ?? rest)?.[0] ?? '';
  const separated = (early ?? rest).slice(separator.length).trim();
  const isClosed = /[*_]/.test(separator);
  const named = isClosed ? separated : withoutClosing(separated, emphasisAt(decoration), word === 'step');
  const late = word === 'phase' && early === undefined ? withoutLateParallel(named) : undefined;
  return { name: (late ?? named).trim(), parallel: early !== undefined || late !== undefined };
}

/** What separates the number from the name. Emphasis that closes here covers only the number. */
const SEPARATOR = /^[*_]*\s*[:：—–.)-]?[*_]*/u;

function withoutEarlyParallel(rest: string): string | undefined {
  const found = /^\s{0,8}\(parallel\)/i.exec(rest);
  return found === null ? undefined : rest.slice(found[0].length);
}

function withoutLateParallel(name: string): string | undefined {
  return name.toLowerCase().endsWith(PARALLEL) ? name.slice(0, -PARALLEL.length) : undefined;
}

const PARALLEL = '(parallel)';

/** The emphasis that opens before the word. */
function emphasisAt(decoration: string): string {
  return ['**', '__', '*', '_'].find((emphasis) => decoration.endsWith(emphasis)) ?? '';
}

/** In `**Task 1: name**` the emphasis closes after the name. After the name of a step, more text may follow. */
function withoutClosing(name: string, emphasis: string, mayFollow: boolean): string {
  if (emphasis === '') return name;
  if (name.endsWith(emphasis)) return name.slice(0, -emphasis.length);
  return mayFollow ? name.replace(emphasis, '') : name;
}
