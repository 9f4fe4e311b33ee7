// The files of a repository, as the app asks for them.
import { closeSync, openSync, readdirSync, readSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { headCommit } from '../adapters/repo/repo.ts';
import { isPlanFile } from '../adapters/signals/inbox.ts';
import { isInstalled } from '../adapters/system/exec.ts';
import type { Repository } from '../app/ports.ts';
import { Failure } from '../core/model/failure.ts';
import { type PlanFile, planFile } from '../plan/name.ts';
import type { Base } from './base.ts';
import { readText } from './text-file.ts';

export function repositoryFiles({ cwd, env, repo }: Base): Repository {
  const planFileExists = (plan: string): boolean => planFile(plan) !== undefined && isPlanFile(repo.plans, plan);
  return {
    planAt: (path) => planIn(repo.plans, [resolve(cwd, path), resolve(repo.root, path)]),
    planFileExists,
    titleOf: (plan) => (planFileExists(plan) ? firstHeading(join(repo.plans, plan)) : ''),
    unregistered: (known) =>
      namesIn(repo.plans).filter((name) => {
        const plan = planFile(name);
        return plan !== undefined && !known.has(plan) && planFileExists(plan);
      }),
    headCommit: () => headCommit(repo.root, env),
    isInstalled: (program) => isInstalled(program, env),
    readText,
  };
}

/** The plan at one of these paths, if one of them is in the folder of the plans. */
function planIn(folder: string, paths: readonly string[]): PlanFile | undefined {
  const path = paths.find((one) => realFolder(dirname(one)) === folder);
  return path === undefined ? undefined : planFile(basename(path));
}

function realFolder(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** The title is near the top of a plan, and the plan may be large. */
const TITLE_BYTES = 16 * 1024;

function firstHeading(path: string): string {
  try {
    const file = openSync(path, 'r');
    try {
      const buffer = Buffer.alloc(TITLE_BYTES);
      const text = buffer.toString('utf8', 0, readSync(file, buffer, 0, TITLE_BYTES, 0));
      return /^#[ \t]+(.+?)[ \t#]*$/m.exec(text)?.[1]?.trim() ?? '';
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw new Failure('environment', 'unreadable-plan', `Could not read ${path}. Make it readable for you.`, {
      cause: error,
    });
  }
}
