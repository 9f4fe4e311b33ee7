// The message of a merge commit, with a trailer by which a later attempt recognises it.

import { slugOf } from '../../plan/name.ts';
import type { Commit } from '../model/commit.ts';
import type { Tree } from '../model/run-name.ts';

export const MERGE_TRAILER = 'Cadre-Run';

/** The trailer's value: which commit of which run was merged. */
export function mergeMark({ plan, name }: Tree, pin: Commit): string {
  return `${slugOf(plan)}/${name} ${pin}`;
}

export function mergeMessage(message: string, run: Tree, pin: Commit): string {
  const text = message.replaceAll('\0', '').replace(/\r\n?/g, '\n').trim() || `${slugOf(run.plan)} ${run.name}`;
  const [last = '', ...before] = text.split(/\n{2,}/).toReversed();
  const endsInTrailers = before.length > 0 && last.split('\n').every((line) => /^[A-Za-z][\w-]*: \S/.test(line));
  return `${text}${endsInTrailers ? '\n' : '\n\n'}${MERGE_TRAILER}: ${mergeMark(run, pin)}\n`;
}
