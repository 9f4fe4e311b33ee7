// Runs the commands that a page shows and renders the page again with what they print now.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * A page has three kinds of live parts. A `console` block holds commands after "$ " and what they print. A comment
 * `<!-- file: path -->` above a block says that the block is that file. A comment `<!-- until: pattern -->` waits
 * until `cadre status` shows the pattern.
 */
export interface Shell {
  /** What the command prints, on both streams. */
  run(command: string): Promise<string>;
  write(path: string, text: string): void;
  until(pattern: RegExp): Promise<void>;
}

type Part =
  | { readonly kind: 'text'; readonly lines: readonly string[] }
  | { readonly kind: 'file'; readonly path: string; readonly lines: readonly string[] }
  | { readonly kind: 'console'; readonly lines: readonly string[] }
  | { readonly kind: 'until'; readonly pattern: RegExp; readonly lines: readonly string[] };

export async function renderPage(page: string, shell: Shell): Promise<string> {
  const lines: string[] = [];
  for (const part of partsOf(page)) {
    if (part.kind === 'file') shell.write(part.path, contentOf(part.lines));
    if (part.kind === 'until') await shell.until(part.pattern);
    lines.push(...(part.kind === 'console' ? await renderConsole(part.lines, shell) : part.lines));
  }
  return lines.join('\n');
}

/** Without the comment and the fences around it. */
function contentOf(lines: readonly string[]): string {
  return `${lines.slice(2, -1).join('\n')}\n`;
}

async function renderConsole(lines: readonly string[], shell: Shell): Promise<readonly string[]> {
  const [open = '', close = ''] = [lines[0], lines.at(-1)];
  const printed: string[] = [];
  for (const command of lines.filter((line) => line.startsWith('$ ')))
    printed.push(command, ...linesIn(await shell.run(command.slice(2))));
  return [open, ...printed, close];
}

function linesIn(output: string): readonly string[] {
  const text = output.replace(/\n+$/, '');
  return text === '' ? [] : text.split('\n').map((line) => line.trimEnd());
}

function partsOf(page: string): readonly Part[] {
  const lines = page.split('\n');
  const parts: Part[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? '';
    const [, path] = /^<!-- file: (\S+) -->$/.exec(line) ?? [];
    const [, pattern] = /^<!-- until: (.+) -->$/.exec(line) ?? [];
    const end = path === undefined ? blockEnd(lines, at) : blockEnd(lines, at + 1);
    const taken = lines.slice(at, end);
    if (path !== undefined) parts.push({ kind: 'file', path, lines: taken });
    else if (pattern !== undefined) parts.push({ kind: 'until', pattern: new RegExp(pattern), lines: taken });
    else parts.push({ kind: line === '```console' ? 'console' : 'text', lines: taken });
    at = end;
  }
  return parts;
}

/** After the block that starts at this line; after the line itself where it starts none. */
function blockEnd(lines: readonly string[], start: number): number {
  const [fence] = /^`{3,}/.exec(lines[start] ?? '') ?? [];
  if (fence === undefined) return start + 1;
  const close = lines.indexOf(fence, start + 1);
  if (close === -1) throw new Error(`The block in line ${start + 1} is never closed.`);
  return close + 1;
}

/** The page without what differs from one run to the next. */
export function masked(page: string): string {
  return page
    .replace(/\b\d{4}-\d\d-\d\d\b/g, '<date>')
    .replace(/\b\d\d:\d\d(?::\d\d)?\b/g, '<time>')
    .replace(/\b(?:[0-9a-f]{10}|[0-9a-f]{7})\b/g, '<commit>')
    .replace(/\bpid \d+/g, 'pid <n>')
    .replace(/#\d+(?= {2,})/g, '#<n>')
    .replace(/\b([qs])(?:\d+|N+)\b/g, '$1<n>')
    .replace(/\be\d+\.\d+(?=\.log)/g, 'e<n>')
    .replace(/-[0-9a-f]{12}(?=\/)/g, '-<hash>')
    .replace(/ {2,}/g, '  ');
}

/** Ids contain numbers of records, so they vary: a page shows "qNN", and a command that names it gets the last one seen. */
export class Ids {
  #seen = new Map<string, string>();

  hide(output: string): string {
    return output.replace(/\b([qs])(\d+)\b/g, (id: string, kind: string, digits: string) => {
      this.#seen.set(kind, id);
      return kind + 'N'.repeat(digits.length);
    });
  }

  fill(command: string): string {
    return command.replace(/\b([qs])N+\b/g, (placeholder, kind: string) => this.#seen.get(kind) ?? placeholder);
  }
}

export interface Folder {
  readonly path: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Runs commands in a shell that starts in the folder and remembers where `cd` has led. */
export function shellIn({ path, env }: Folder): { cwd(): string; run(command: string): string } {
  let cwd = path;
  const note = join(env.HOME ?? path, '.cwd');
  return {
    cwd: () => cwd,
    run(command) {
      const script = `exec 2>&1\n${command}\npwd > '${note}'\n`;
      const { stdout } = spawnSync('sh', ['-c', script], { cwd, env, encoding: 'utf8' });
      cwd = readFileSync(note, 'utf8').trim();
      return stdout;
    },
  };
}

export function writeBelow(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
