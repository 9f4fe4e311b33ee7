// The files that a sentence names, and what is to be done to them as far as the sentence says.
import type { NamedFile } from '../file-entry.ts';
import type { FileAction } from '../plan.ts';

/** `name` starts with what the task does; `texts` are everything that is written about it. */
export function filesNamedIn(name: string, texts: readonly string[]): readonly NamedFile[] {
  const files = new Map<string, NamedFile>();
  for (const text of [name, ...texts]) {
    for (const { written, before } of pathsIn(text)) {
      if (files.size === MOST_FILES) return [...files.values()];
      const { path, lines } = withoutLines(written);
      const action = EXAMPLE.test(before) ? 'reference' : actionOn(path, name, before);
      if (isInside(path) && !files.has(path)) files.set(path, { action, path, lines });
    }
  }
  return [...files.values()];
}

/** A task that names more has a list of examples, or of everything there is. */
const MOST_FILES = 20;

/** `before`: the words in front of it. */
function* pathsIn(text: string): Generator<{ readonly written: string; readonly before: string }> {
  for (const { 0: word, 1: quoted, index } of text.matchAll(CANDIDATE)) {
    const isNamed = quoted === undefined ? WITH_FOLDER : WITH_FOLDER_OR_ALONE;
    const written = (quoted ?? word).replace(/[.:]+$/, '');
    if (isNamed.test(written)) yield { written, before: text.slice(Math.max(0, index - LONGEST_BEFORE), index) };
  }
}

const LONGEST_BEFORE = 50;
/** "Reference: `a.ts`", "like `b.ts`", "see contract: `c.md`", "remove the reference to `d.sh`". */
const EXAMPLE =
  /\b(?:references?(?: to|:)? |see (?:[a-z]+: )?|(?:like|mirrors?|mirroring|similar to|same as|e\.g\.|following|defined in|per) )$/i;
/** Something in backticks, or a word. */
const CANDIDATE = /`([^`\n]{1,200})`|[^\s`'"()<>*?|,;]{1,300}/g;
const LINES = /:(\d{1,7}(?:-\d{1,7})?)/;
/** A file with an ending in at least one folder; a folder alone, a glob and an address are not files. */
const FOLDERS = '(?:[^\\s/:*?<>|"\'\\\\`]+/)+[^\\s/:*?<>|"\'\\\\`]*\\.[A-Za-z][A-Za-z0-9]{0,9}';
/** Without a folder, only names that are at home in the root of a repository. `App.tsx` is somewhere below. */
const ALONE = '[\\w.-]{1,80}\\.(?:md|jsonc?|ya?ml|toml|lock|html|sh|txt|cfg|ini|mod)|Dockerfile|Makefile';
const WITH_FOLDER = new RegExp(`^(?:${FOLDERS})(?:${LINES.source})?$`);
const WITH_FOLDER_OR_ALONE = new RegExp(`^(?:${FOLDERS}|${ALONE})(?:${LINES.source})?$`);

function withoutLines(written: string): Pick<NamedFile, 'path' | 'lines'> {
  const [path = '', lines = null] = written.split(LINES);
  return { path: path.replace(/^\.\//, ''), lines };
}

/** Paths elsewhere on somebody's machine stay in the text. */
function isInside(path: string): boolean {
  return !/^[/~]|^\w+:|\.\.|^[\w-]+\.(?:com|org|net|io|dev|app)\//i.test(path);
}

/** What is said right before the path counts more than what the task as a whole does. */
function actionOn(path: string, name: string, before: string): FileAction {
  const [, first = '', second = ''] = verbsIn(name.slice(0, LONGEST_VERBS).toLowerCase());
  const verb = LOOKS.has(first) && second !== '' ? second : first;
  if (LOOKS.has(verb)) return 'reference';
  if (TEST.test(path) && !path.endsWith('.md')) return 'test';
  if (isDeleted(path, name)) return 'delete';
  const nearest = NEAREST.exec(before)?.[1]?.toLowerCase() ?? verb;
  return CREATES.has(nearest) ? 'create' : 'modify';
}

const VERB = 'create|write|generate|scaffold|update|modify|edit|extend|change';
/** What follows one of these is where something goes, or another thing. */
const NOT_ITSELF = `in|into|to|for|from|of|with|on|using|inside|under|by|and|or|then|that|which|${VERB}`;
/** "Create `a.ts`", "update the file `b.ts`", "create a new page at `c.ts`"; not "create a form in `d.ts`". */
const NEAREST = new RegExp(`\\b(${VERB})(?: (?!(?:${NOT_ITSELF})\\b)[a-z-]+){0,5}:? $`, 'i');

const LONGEST_VERBS = 80;

/** "Review and update" changes what it looks at. */
function verbsIn(name: string): readonly string[] {
  return /^[^\p{L}]{0,8}(\p{L}+)(?:,? (?:and|&|then) (\p{L}+))?/u.exec(name) ?? [];
}

/** "Delete `src/old.ts`", and not "Remove a comment from src/old.ts". */
function isDeleted(path: string, name: string): boolean {
  const [start] = /^\W{0,8}(?:delete|remove)\s+(?:the\s+)?(?:files?\s+)?`?/i.exec(name) ?? [];
  return start !== undefined && name.startsWith(path, start.length);
}

const TEST = /(?:^|\/)(?:tests?|__tests__|spec|e2e)\/|[._-](?:test|tests|spec)\.[A-Za-z]+$|(?:^|\/)test_[^/]+$/i;
const CREATES: ReadonlySet<string> = new Set(['create', 'write', 'scaffold', 'generate', 'new', 'initialize', 'init']);
const LOOKS: ReadonlySet<string> = new Set([
  'review',
  'inspect',
  'verify',
  'validate',
  'check',
  'confirm',
  'read',
  'audit',
  'run',
  'investigate',
  'analyze',
  'analyse',
]);
