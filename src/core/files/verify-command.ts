// The command that verifies a project: the configured one, or one that its files suggest.
import { splitCommand } from '../../text/command-line.ts';
import { showName } from '../../text/show.ts';
import type { VerifyCommand, VerifySetting } from '../ports/verifier.ts';

/** The files at the top of the main checkout. */
export interface ProjectFiles {
  has(name: string): boolean;
  /** The text of a file; undefined if it does not exist or cannot be read. */
  text(name: string): string | undefined;
}

export type Chosen = VerifyCommand | { readonly kind: 'problem'; readonly why: string };

export function verifyCommand(setting: VerifySetting | undefined, files: ProjectFiles): Chosen {
  if (setting === undefined) return detected(files);
  if (setting === 'none') return { kind: 'none' };
  if (typeof setting !== 'string') return 'prompt' in setting ? { kind: 'prompt', ...setting } : configured(setting);
  const command = splitCommand(setting);
  if (command === undefined) return problem(`"verify" in cadre.json has an unclosed quote: ${quoted(setting)}.`);
  if (needsShell(setting))
    return problem(
      `"verify" in cadre.json needs a shell: ${quoted(setting)}. Write it as a list of words: ["sh", "-c", "..."].`,
    );
  return configured([command.program, ...command.flags]);
}

function configured(words: readonly string[]): Chosen {
  return { kind: 'command', words, why: 'It is set in cadre.json.' };
}

function problem(why: string): Chosen {
  return { kind: 'problem', why };
}

function quoted(text: string): string {
  return `"${showName(text)}"`;
}

/** Unquoted, these mean something to a shell; without one, the program would receive them as arguments. */
function needsShell(text: string): boolean {
  const bare = text.replace(/'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]/g, '');
  return /[|&;<>`$()*?~]/.test(bare) || /^\s*\w+=/.test(bare) || /"[^"]*[$`]/.test(text.replace(/'[^']*'/g, ''));
}

interface Kind {
  readonly words: readonly string[];
  readonly why: string;
  readonly fits: (files: ProjectFiles) => boolean;
}

/** The first one that fits is used. A Makefile comes last because it often only calls one of the others. */
const KINDS: readonly Kind[] = [
  {
    words: ['pnpm', 'test'],
    why: 'package.json has a test script, and the project uses pnpm.',
    fits: byScript('pnpm'),
  },
  {
    words: ['yarn', 'test'],
    why: 'package.json has a test script, and the project uses yarn.',
    fits: byScript('yarn'),
  },
  { words: ['npm', 'test'], why: 'package.json has a test script.', fits: hasTestScript },
  { words: ['cargo', 'test'], why: 'The project has a Cargo.toml.', fits: (files) => files.has('Cargo.toml') },
  { words: ['go', 'test', './...'], why: 'The project has a go.mod.', fits: (files) => files.has('go.mod') },
  { words: ['pytest'], why: 'The project is set up for pytest.', fits: usesPytest },
  { words: ['make', 'test'], why: 'The Makefile has a target "test".', fits: hasTestTarget },
];

function detected(files: ProjectFiles): Chosen {
  const kind = KINDS.find(({ fits }) => fits(files));
  if (kind !== undefined) return { kind: 'command', words: kind.words, why: kind.why };
  return problem(
    'No verify command is configured, and the project has no files that suggest one. Set "verify" in cadre.json to a command, or to "none" if there is nothing to run.',
  );
}

const LOCK_FILES = { pnpm: 'pnpm-lock.yaml', yarn: 'yarn.lock' } as const;

function byScript(program: keyof typeof LOCK_FILES): (files: ProjectFiles) => boolean {
  return (files) => {
    if (!hasTestScript(files)) return false;
    const chosen = packageOf(files).packageManager;
    return typeof chosen === 'string' ? chosen.startsWith(`${program}@`) : files.has(LOCK_FILES[program]);
  };
}

/** The script that npm puts into every new package does not count. */
function hasTestScript(files: ProjectFiles): boolean {
  const scripts = Object(packageOf(files).scripts);
  const script: unknown = Object.hasOwn(scripts, 'test') ? scripts.test : undefined;
  return typeof script === 'string' && script.trim() !== '' && !/no test specified/.test(script);
}

function packageOf(files: ProjectFiles): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(files.text('package.json') ?? '{}');
    return Object(value);
  } catch {
    return {};
  }
}

function usesPytest(files: ProjectFiles): boolean {
  const mentions = (name: string, pattern: RegExp): boolean => pattern.test(files.text(name) ?? '');
  return (
    files.has('pytest.ini') ||
    files.has('conftest.py') ||
    mentions('pyproject.toml', /^\s*\[tool\.pytest|["'\s]pytest\b/m) ||
    mentions('setup.cfg', /^\[tool:pytest\]/m) ||
    mentions('tox.ini', /^\[pytest\]/m)
  );
}

function hasTestTarget(files: ProjectFiles): boolean {
  const text = ['GNUmakefile', 'makefile', 'Makefile'].map((name) => files.text(name)).find((one) => one !== undefined);
  return /^(?:[^\s:#=]+ +)*test(?: +[^\s:#=]+)* *::?(?!=)/m.test(text ?? '');
}
