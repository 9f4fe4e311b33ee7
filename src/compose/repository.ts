// The files of a repository, as the app asks for them.
import { closeSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { headCommit } from '../adapters/repo/repo.ts';
import { isPlanFile } from '../adapters/signals/inbox.ts';
import { isInstalled } from '../adapters/system/exec.ts';
import type { Repository } from '../app/ports.ts';
import { Failure } from '../core/model/failure.ts';
import { type PlanFile, planFile } from '../plan/name.ts';
import type { Base } from './base.ts';
import { createText, readText } from './text-file.ts';

export function repositoryFiles({ cwd, env, repo }: Base): Repository {
  const planFileExists = (plan: string): boolean => planFile(plan) !== undefined && isPlanFile(repo.plans, plan);
  return {
    planAt: (path) => planIn(repo.plans, [resolve(cwd, path), resolve(repo.root, path)]),
    planFileExists,
    titleOf: (plan) => (planFileExists(plan) ? firstHeading(join(repo.plans, plan)) : ''),
    headCommit: () => headCommit(repo, env),
    isInstalled: (program) => isInstalled(program, env),
    readText,
    isFile,
    pathInside: (path) => pathInside(repo.root, realPath(resolve(cwd, path)), path),
    createPlan: (plan, text) => createText(join(repo.plans, plan), text),
  };
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** With slashes, since it is written into a plan. */
function pathInside(root: string, absolute: string, typed: string): string {
  const inside = relative(root, absolute);
  return inside === '' || inside.startsWith('..') || isAbsolute(inside) ? typed : inside.replaceAll('\\', '/');
}

/** The plan at one of these paths, if one of them is in the folder of the plans. */
function planIn(folder: string, paths: readonly string[]): PlanFile | undefined {
  const path = paths.find((one) => realPath(dirname(one)) === folder);
  return path === undefined ? undefined : planFile(basename(path));
}

function realFolder(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

/** The path itself where nothing exists there. */
function realPath(path: string): string {
  return realFolder(path) ?? path;
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
