// What `cadre init` sees of the repository and the machine, and how it writes files.
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { headCommit } from '../adapters/repo/repo.ts';
import { isInstalled, run } from '../adapters/system/exec.ts';
import { replaceFile } from '../adapters/system/files.ts';
import { LOGINS } from '../agents/logins.ts';
import type { InitFiles, InitLook } from '../app/init-files.ts';
import { Failure, systemCode } from '../core/model/failure.ts';
import type { Base } from './base.ts';
import type { EngineParts } from './engine.ts';
import { isSignedIn } from './signed-in.ts';

export function initFiles(base: Base, parts: () => Promise<EngineParts>): InitFiles {
  const { repo, disk } = base;
  return {
    look: async () => look(base, await parts()),
    textOf: (path) => textIn(repo.root, path),
    write(changes) {
      for (const { path, does, text } of changes) {
        const target = join(repo.root, path);
        if (does === 'remove') removeFile(repo.root, path);
        if (text === undefined) continue;
        mkdirSync(dirname(target), { recursive: true });
        replaceFile(disk, target, Buffer.from(text));
      }
      // Where agents drop signals, also before there is an engine.
      if (changes.some(({ does }) => does === 'create')) mkdirSync(repo.signals, { recursive: true });
    },
  };
}

async function look({ repo, env, config }: Base, { runs }: EngineParts): Promise<InitLook> {
  const { settings } = await config.read();
  const verify = unlessFailed(() => runs.verifier.command(settings.verify));
  const setup = unlessFailed(() => runs.verifier.setup(settings.setup));
  const [name = ''] = settings.default_program.split(' ');
  return {
    branch: branchIn(repo.root, env),
    hasCommit: unlessFailed(() => headCommit(repo, env)) !== undefined,
    verify: verify?.kind === 'command' ? verify : undefined,
    setup: setup === undefined || setup.words.length === 0 ? undefined : setup,
    agents: LOGINS.filter(({ program }) => isInstalled(program, env)).map(({ program }) => ({
      program,
      signedIn: isSignedIn(program, env) === true,
    })),
    program: { name, installed: isInstalled(name, env) },
    hasPlans: existsSync(repo.plans) && readdirSync(repo.plans).some((file) => file.endsWith('.md')),
    isInitialized: existsSync(join(repo.root, 'cadre.json')),
    unignored: setup === undefined ? [] : unignoredBy(setup.words, repo.root, env),
  };
}

/** The folder that the command fills, where git would show it. */
function unignoredBy(setup: readonly string[], root: string, env: NodeJS.ProcessEnv): readonly string[] {
  const text = setup.join(' ');
  const folders = [
    ...(/^(?:npm|pnpm|yarn|bun) /.test(text) ? ['node_modules/'] : []),
    ...(text.includes('.venv') || text.startsWith('uv ') ? ['.venv/'] : []),
  ];
  return folders.filter((folder) => run(['git', 'check-ignore', '--quiet', folder], { cwd: root, env }).exitCode === 1);
}

function branchIn(root: string, env: NodeJS.ProcessEnv): string | undefined {
  const { exitCode, stdout } = run(['git', 'symbolic-ref', '--quiet', '--short', 'HEAD'], { cwd: root, env });
  return exitCode === 0 ? stdout.trim() : undefined;
}

function textIn(root: string, path: string): string | undefined {
  const target = join(root, path);
  const facts = lstatSync(target, { throwIfNoEntry: false });
  if (facts === undefined) return undefined;
  if (!facts.isFile())
    throw new Failure('usage', 'folder-in-the-way', `${path} is not a file. Move it away, then try again.`);
  return readFileSync(target, 'utf8');
}

/** With the folders that are empty then. */
function removeFile(root: string, path: string): void {
  rmSync(join(root, path), { force: true });
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
    try {
      rmdirSync(join(root, folder));
    } catch (error) {
      if (systemCode(error) === undefined) throw error;
      return;
    }
  }
}

function unlessFailed<Answer>(ask: () => Answer): Answer | undefined {
  try {
    return ask();
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
