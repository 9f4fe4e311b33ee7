// A task in detail: its state, files and steps, how it was verified and reviewed, and what can be done.

import { authorWords } from '../../../signals/author.ts';
import { ageWords } from '../model/age.ts';
import type { WindowContent } from '../model/snapshot.ts';
import type { Situation } from '../model/step.ts';
import { taskLabel } from '../model/task-label.ts';
import { type Line, line, span, spread, wrapped } from '../terminal/styled.ts';
import { actionLines } from './actions.ts';
import { findingsLines } from './findings.ts';
import { TONES } from './theme.ts';
import { taskLook } from './words.ts';

type Task = Extract<WindowContent, { kind: 'task' }>;

export function taskContent(situation: Situation, window: Task, columns: number): readonly Line[] {
  const { row, snapshot } = situation;
  const task = row?.kind === 'task' ? row.task : window.why.view;
  const look = taskLook(task, row?.kind === 'task' ? row.session : null, snapshot.plan?.paused ?? false);
  const actions = actionLines(window.why.actions, columns);
  // What waits for a person says first what they can do.
  const isPersons = task.owner === 'user';
  return [
    spread([span(`${taskLabel(task.task)}: ${task.name}`, TONES.strong)], [span(look.word, TONES[look.tone])], columns),
    ...runLines(window, columns),
    ...wrapped(task.sentence, columns).map((text) => line(text, task.owner === 'user' ? TONES.need : {})),
    ...feedbackLines(window, columns),
    ...findingsLines(window.findings, columns),
    ...(isPersons ? actions : []),
    ...labelled(
      'Files',
      window.detail.files.map(({ action, path, lines }) => `${action} ${path}${lines === null ? '' : `:${lines}`}`),
      columns,
    ),
    ...labelled(
      'Steps',
      window.detail.steps.map(({ number, description }) => `${number} ${description}`),
      columns,
    ),
    ...checkLines(window, columns, snapshot.now),
    ...(isPersons ? [] : actions),
  ];
}

function runLines({ why: { view } }: Task, columns: number): readonly Line[] {
  const { run, state, since: _since } = view;
  if (run === null) return [line(state.toUpperCase(), TONES.dim)];
  const { coding, fixing, turns } = run.counts;
  const used = `coding ${coding.used}/${coding.of}  fixing ${fixing.used}/${fixing.of}  turns ${turns.used}/${turns.of}`;
  const commit = run.commit === null ? '' : `  ${run.commit.slice(0, 7)}${run.unverified ? ' not verified' : ''}`;
  return [
    spread([span(`${run.state}  attempt ${run.attempt}  ${run.branch}${commit}`)], [], columns),
    line(used, TONES.dim),
  ];
}

/** What a review said is shown as its findings. */
function feedbackLines({ why: { view }, findings }: Task, columns: number): readonly Line[] {
  const { run } = view;
  if (run?.feedback == null || view.state === 'done') return [];
  if (findings.length > 0 && run.feedback.by !== 'engine') return [];
  const by = run.feedback.by === null ? '' : ` (${authorWords(run.feedback.by)})`;
  return wrapped(`Feedback${by}: ${run.feedback.text.trim()}`, columns, 2)
    .slice(0, 6)
    .map((text) => line(text, TONES.dim));
}

function labelled(label: string, items: readonly string[], columns: number): readonly Line[] {
  const indent = 8;
  return items.flatMap((item, index) =>
    wrapped(item, Math.max(10, columns - indent), 2).map((text, at) => [
      span((index === 0 && at === 0 ? label : '').padEnd(indent), TONES.dim),
      span(text),
    ]),
  );
}

/** Of a failed one the end of its output. */
function checkLines({ detail: { checks } }: Task, columns: number, now: number): readonly Line[] {
  if (checks.length === 0) return [];
  return [
    line('Checks', TONES.dim),
    ...checks.flatMap(({ of, passed, by, at, attempt, text }) => [
      spread(
        [
          span(passed ? '  ok ' : '  x  ', passed ? TONES.good : TONES.broken),
          span(`${of} ${passed ? 'passed' : 'failed'}`),
          span(of === 'verification' || of === 'merge' ? '' : `, ${authorWords(by)}`, TONES.dim),
        ],
        [span(`attempt ${attempt}  ${ageWords(at, now)}`, TONES.dim)],
        columns,
      ),
      ...(passed ? [] : failureLines(text, columns)),
    ]),
  ];
}

const MOST_OUTPUT = 8;

function failureLines(text: string, columns: number): readonly Line[] {
  const lines = wrapped(text.trim(), Math.max(10, columns - 6)).filter((one) => one.trim() !== '');
  const shown = lines.slice(0, MOST_OUTPUT).map((one) => line(`      ${one}`));
  return lines.length > MOST_OUTPUT
    ? [...shown, line(`      ${lines.length - MOST_OUTPUT} more lines`, TONES.dim)]
    : shown;
}
