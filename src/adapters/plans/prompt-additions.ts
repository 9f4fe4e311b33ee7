// The files with which a person or a project changes the prompts of a role: prompts/<role>.md.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AdditionFile } from '../../agents/prompts/additions.ts';
import { systemCode } from '../../core/model/failure.ts';
import type { Role } from '../../signals/registry.ts';

/** Those of the main checkout, and not of a worktree, in which agents write. */
export function additionsFor(
  { home, root }: { readonly home: string; readonly root: string },
  role: Role,
): readonly AdditionFile[] {
  const paths = { home: join(home, 'prompts'), repository: join(root, '.cadre', 'prompts') } as const;
  return (['home', 'repository'] as const).flatMap((from) => {
    const path = join(paths[from], `${role}.md`);
    const text = textOf(path);
    return text === undefined || text.trim() === '' ? [] : [{ from, path, text: text.slice(0, LONGEST) }];
  });
}

/** In characters. What is longer is no addition to a prompt. */
const LONGEST = 20_000;

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}
