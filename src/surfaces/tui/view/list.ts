// The list: phases, tasks, sessions, one line each.

import { undated } from '../../../plan/name.ts';
import { ageWords } from '../model/age.ts';
import type { Box } from '../model/layout.ts';
import { waitingIn } from '../model/needs.ts';
import { isMissing, isSelectable, type PhaseGroup, type Row } from '../model/rows.ts';
import type { ShownPlan } from '../model/snapshot.ts';
import type { Situation } from '../model/step.ts';
import { taskLabel } from '../model/task-label.ts';
import { fitted, type Line, line, lineText, restyled, type Span, span, spread } from '../terminal/styled.ts';
import { TONES } from './theme.ts';
import { planWord, sessionLook, taskLook } from './words.ts';

export function listLines(situation: Situation, box: Box): readonly Line[] {
  const { model, rows, snapshot } = situation;
  if (rows.length === 0) return emptyLines(situation).map((text) => fitted(line(text), box.columns));
  const needs = neededRows(situation);
  return rows.slice(model.listTop, model.listTop + box.rows).map((row) => {
    const isSelected = row.id === model.selected && isSelectable(row);
    const shown = rowLine(row, { columns: box.columns, now: snapshot.now, isNeeded: needs.has(row.id), isSelected });
    // One colour for the whole row: inverse spans in several would look like boxes.
    return isSelected ? selectedLine(shown, model.focus === 'list') : shown;
  });
}

function selectedLine(shown: Line, isFocused: boolean): Line {
  return isFocused ? line(lineText(shown), { bold: true, inverse: true }) : restyled(shown, { bold: true });
}

function emptyLines({ model, snapshot: { status } }: Situation): readonly string[] {
  if (status === null) return [' Reading ...'];
  if (model.filter !== '') return [` Nothing matches "${model.filter}". Esc ends the filter.`];
  return [
    ' No plans and no sessions here yet.',
    '',
    ' n   an agent in its own worktree',
    ' N   a brief becomes a plan, by talking',
    ' r   builds a plan that you wrote, once',
    '     its file is in docs/plans',
    '',
    ' "cadre demo" in a shell builds a small',
    ' plan while you watch, without a model.',
  ];
}

/** The ids of rows that somebody waits in for a person. */
function neededRows({ snapshot }: Situation): ReadonlySet<string> {
  return new Set(
    waitingIn(snapshot).flatMap((one) => {
      if (one.kind === 'asks') return [`session:${one.asking.session}`];
      const { plan, task } = one.kind === 'question' ? one.question : one.need;
      return [task === null ? `plan:${plan}` : `task:${plan}#${task}`];
    }),
  );
}

interface Drawn {
  readonly columns: number;
  readonly now: number;
  readonly isNeeded: boolean;
  readonly isSelected: boolean;
}

function rowLine(row: Row, drawn: Drawn): Line {
  const edge = span(drawn.isSelected ? '▌' : ' ', TONES.focus);
  const need = drawn.isNeeded ? span('!', TONES.need) : span(' ');
  const { left, right } = ROWS[row.kind](row as never, drawn);
  return spread([edge, need, ...left], right, drawn.columns);
}

interface Sides {
  readonly left: Line;
  readonly right: Line;
}

type Of<Kind extends Row['kind']> = Extract<Row, { readonly kind: Kind }>;

const ROWS: { readonly [kind in Row['kind']]: (row: Of<kind>, drawn: Drawn) => Sides } = {
  plan: ({ plan }) => ({
    left: [span(undated(plan.plan), TONES.strong)],
    right: [planLook(plan)],
  }),
  phase: ({ phase, isFolded, plan }) => ({
    left: [
      span(isFolded ? '> ' : 'v ', TONES.dim),
      span(`${phase.title}${badges(phase, plan)}`, phase.isBlocked || phase.isDone ? TONES.dim : TONES.strong),
    ],
    right: [span(countsOf(phase, isFolded), TONES.dim)],
  }),
  task: ({ task, session, plan, isFolded }, { now: _now }) => {
    const look = taskLook(task, session, plan.paused);
    const tone = TONES[look.tone];
    const dot = isFolded && session !== null ? [span(`${sessionLook(session).marker} `, tone)] : [];
    return {
      left: [
        span('  '),
        span(look.marker, tone),
        span(` ${taskLabel(task.task)}: ${task.name}`, look.tone === 'dim' ? TONES.dim : {}),
      ],
      right: [...dot, span(look.word, tone)],
    };
  },
  session: ({ session, task, plan }, { now }) => {
    const look = sessionLook(session);
    const word = span(`${look.marker} ${look.word}`, TONES[look.tone]);
    const age = span(` ${ageWords(session.since, now).padStart(2)}`, TONES.dim);
    if (plan === null) return { left: [span(`  ${session.title}`)], right: [word, age] };
    const place = session.branch.split('/').at(-1) ?? session.session;
    const name = task === null ? `${session.role} ${session.session}` : place;
    const used = task === null ? '' : `  ${turnWords(task)}`;
    return { left: [span('      └ '), span(`${name} `), word, span(used, TONES.dim)], right: [age] };
  },
  separator: (_row, { columns }) => ({ left: [span('─'.repeat(Math.max(0, columns - 2)), TONES.frame)], right: [] }),
};

function badges({ isBlocked }: PhaseGroup, plan: ShownPlan): string {
  const words = [...(isBlocked ? ['blocked'] : []), ...(isMissing(plan) ? ['stale'] : [])];
  return words.length === 0 ? '' : ` (${words.join(', ')})`;
}

function planLook(plan: ShownPlan): Span {
  if (plan.incident !== null) return span('!! incident', TONES.broken);
  if (plan.file.state === 'unusable') return span('unreadable', TONES.broken);
  return isMissing(plan) ? span('file deleted', TONES.broken) : span(planWord(plan));
}

function countsOf({ tasks, isDone }: PhaseGroup, isFolded: boolean): string {
  const done = tasks.filter(({ state }) => state === 'done').length;
  return `${isDone && isFolded ? 'done ' : ''}${done}/${tasks.length}`;
}

/** What its agent is at, and how much of the turns is used. */
function turnWords({ run }: NonNullable<Of<'session'>['task']>): string {
  if (run === null) return '';
  const { coding, fixing } = run.counts;
  if (run.state === 'CODING') return `coding ${coding.used}/${coding.of}`;
  if (run.state === 'FIXING') return `fixing ${fixing.used}/${fixing.of}`;
  if (run.state === 'CODE_REVIEW') return `${run.stage ?? 'code'} review`;
  return run.state.toLowerCase().replaceAll('_', ' ');
}

/** For the title of a filtered list. */
export function filterWords({ model, rows, snapshot }: Situation): string {
  if (model.filter === '') return '';
  const tasks = rows.filter(({ kind }) => kind === 'task').length;
  return `/${model.filter}  ${tasks} of ${snapshot.plan?.tasks.length ?? 0}, Esc`;
}
