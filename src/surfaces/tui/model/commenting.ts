// Comments on lines of a diff.
import { scrolled } from './moving.ts';
import { openPrompt } from './prompts.ts';
import { subjectOf } from './selection.ts';
import { become, refusing, type Situation, type Step } from './step.ts';

export interface DiffLine {
  readonly text: string;
  readonly kind: 'file' | 'hunk' | 'added' | 'removed' | 'same' | 'meta';
  readonly path: string;
  /** Its number in the new file, or in the old one for a removed line; 0 for other lines. */
  readonly number: number;
}

/** A diff as git prints it, line by line. */
export function diffLines(text: string): readonly DiffLine[] {
  let [path, before, after] = ['', 0, 0];
  let isBody = false;
  return text.split('\n').map((line): DiffLine => {
    const [, file] = /^diff --git a\/.* b\/(.*)$/.exec(line) ?? [];
    if (file !== undefined) {
      [path, isBody] = [file, false];
      return { text: line, kind: 'file', path, number: 0 };
    }
    const [, from, to] = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(line) ?? [];
    if (from !== undefined && to !== undefined) {
      [before, after, isBody] = [Number(from), Number(to), true];
      return { text: line, kind: 'hunk', path, number: 0 };
    }
    if (isBody && line.startsWith('+')) return { text: line, kind: 'added', path, number: after++ };
    if (isBody && line.startsWith('-')) return { text: line, kind: 'removed', path, number: before++ };
    if (isBody && line.startsWith(' ')) {
      before += 1;
      return { text: line, kind: 'same', path, number: after++ };
    }
    return { text: line, kind: 'meta', path, number: 0 };
  });
}

/** The line that a comment would be on: the first changed one from the top of the window. */
export function commentTarget({ model, snapshot }: Pick<Situation, 'model' | 'snapshot'>): DiffLine | undefined {
  if (snapshot.window?.kind !== 'diff') return undefined;
  const from = scrolled(model, snapshot);
  return diffLines(snapshot.window.text)
    .slice(from)
    .find(({ kind }) => kind === 'added' || kind === 'removed');
}

export function comment(situation: Situation): Step {
  const { model, snapshot, row } = situation;
  const target = commentTarget(situation);
  const of = subjectOf(row, snapshot);
  if (target === undefined || of === undefined) return refusing(situation, 'There is no changed line to comment on.');
  const { path, number: line, text: code } = target;
  const known = model.comments.find((one) => one.of === of && one.path === path && one.line === line);
  return become(
    openPrompt(
      model,
      {
        purpose: { kind: 'comment', of, path, line, code: code.slice(1) },
        title: `Comment on ${path}:${line}`,
        label: 'you> ',
        lines: [code, 'Enter adds it to the feedback that "b" sends; empty removes it.'],
      },
      known?.text,
    ),
  );
}
