// What cadre kept, and what came back, as lines for a person.
import type { Restored } from '../../../app/actions/action.ts';
import type { KeptView } from '../../../app/reads/kept.ts';
import { counted } from '../../../text/counted.ts';
import { quoteForShell } from '../../../text/shell.ts';
import { showText } from '../../../text/show.ts';
import { columns } from './columns.ts';
import { shortTime } from './record-line.ts';

/** `hidden`: how many are not listed because they were merged. */
export function keptLines(kept: readonly KeptView[], hidden: number): readonly string[] {
  const more =
    hidden === 0 ? [] : [`${counted(hidden, 'pin')} of merged work not listed; "cadre restore --all" lists all.`];
  if (kept.length === 0) return [hidden === 0 ? 'Nothing was kept.' : 'Nothing was kept besides merged work.', ...more];
  const rows = kept.map((one) => [
    one.id,
    one.at === null ? '-' : shortTime(one.at),
    whatOf(one),
    contentOf(one),
    whyOf(one),
  ]);
  return [
    ...columns([['id', 'kept', 'what', 'content', 'why'], ...rows]),
    '',
    ...more,
    '"cadre restore <id>" brings one back, "cadre restore <id> --show" shows what is in it.',
  ];
}

function whatOf({ task, attempt, part }: KeptView): string {
  if (task !== null) return `task ${task}, attempt ${attempt}`;
  return PARTS.get(part) ?? showText(part);
}

const PARTS: ReadonlyMap<string, string> = new Map([
  ['plan', 'plan branch'],
  ['review', 'plan review'],
  ['merged', 'merged tree'],
]);

function contentOf({ files, commit, uncommitted, missing }: KeptView): string {
  if (commit === null) return counted(files, 'file');
  if (missing) return `${commit.slice(0, 8)}, missing in git`;
  return `${commit.slice(0, 8)}, ${counted(files, 'file')}${uncommitted ? ', uncommitted work' : ''}`;
}

function whyOf({ why, merged }: KeptView): string {
  return showText(why ?? (merged ? 'It was merged.' : ''));
}

export function restoredLines(restored: Restored): readonly string[] {
  switch (restored.kind) {
    case 'worktree':
      return [
        `${restored.id} is back in ${showText(restored.path)}, on ${restored.branch}.`,
        ...(restored.uncommitted ? ['What was not committed is uncommitted again.'] : []),
        `  cd ${quoteForShell([restored.path])}`,
      ];
    case 'branch':
      return [
        `${restored.id} is back as the branch ${restored.branch}. No checkout was changed.`,
        ...(restored.uncommitted ? ['Its last commit holds what was not committed.'] : []),
        `  git log ${quoteForShell([restored.branch])}`,
      ];
    case 'files':
      return [`${restored.id}: ${counted(restored.files, 'file')} in ${showText(restored.folder)}.`];
  }
}
