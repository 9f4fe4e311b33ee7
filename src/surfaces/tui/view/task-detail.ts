// A task in detail: its state, files and steps, how it was verified and reviewed, and what can be done.
import { authorWords } from '../../../signals/author.ts';
import { commandFor } from '../../cli/text/suggestions.ts';
import { ageWords } from '../model/age.ts';
import type { WindowContent } from '../model/snapshot.ts';
import type { Situation } from '../model/step.ts';
import { type Line, line, span, spread, wrapped } from '../terminal/styled.ts';
import { TONES } from './theme.ts';
import { taskLook } from './words.ts';

type Task = Extract<WindowContent, { kind: 'task' }>;

export function taskContent(situation: Situation, window: Task, columns: number): readonly Line[] {
  const { row, snapshot } = situation;
  const task = row?.kind === 'task' ? row.task : window.why.view;
  const look = taskLook(task, row?.kind === 'task' ? row.session : null, snapshot.plan?.paused ?? false);
  return [
    spread([span(`T${task.task}: ${task.name}`, TONES.strong)], [span(look.word, TONES[look.tone])], columns),
    ...runLines(window, columns),
    ...wrapped(task.sentence, columns).map((text) => line(text, task.owner === 'user' ? TONES.need : {})),
    ...feedbackLines(window, columns),
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
    ...actionLines(window, columns),
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

function feedbackLines({ why: { view } }: Task, columns: number): readonly Line[] {
  const { run } = view;
  if (run?.feedback == null || view.state === 'done') return [];
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

function actionLines({ why: { actions, view } }: Task, columns: number): readonly Line[] {
  const keys = view.waysOut.flatMap((act) =>
    KEY_OF[act] === undefined ? [] : [`${KEY_OF[act]} ${act.replaceAll('-', ' ')}`],
  );
  const commands = actions.map(commandFor);
  return [
    ...(keys.length === 0 ? [] : labelled('Can', [keys.join('   ')], columns)),
    ...commands.map((command) => line(`        ${command}`, TONES.dim)),
  ];
}

const KEY_OF: { readonly [act: string]: string } = {
  launch: 'Enter',
  relaunch: 'r',
  next: 't',
  approve: 't',
  override: 't',
  changes: 'b',
  back: 'b',
  answer: 'a',
  revert: 'D',
  'mark-done': 'D',
};
