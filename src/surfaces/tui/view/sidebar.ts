// The sidebar: what needs you, and the plans with their progress.
import type { Status } from '../../../app/reads/status.ts';
import { slugOf, undated } from '../../../plan/name.ts';
import type { Box } from '../model/layout.ts';
import { type Waiting, waitingIn } from '../model/needs.ts';
import { shownPlan } from '../model/plans.ts';
import type { Situation } from '../model/step.ts';
import { fitted, type Line, line, span, spread } from '../terminal/styled.ts';
import type { Section } from './framed.ts';
import { TONES } from './theme.ts';
import { planWord } from './words.ts';

export function sidebarSections(situation: Situation, box: Box): readonly Section[] {
  const waiting = waitingIn(situation.snapshot);
  const needs = waiting.map((one) => needLine(one, box.columns));
  const plans = planLines(situation, box.columns);
  const room = Math.max(1, Math.floor(box.rows / 2) - 2);
  return [
    { title: `1 Needs you${waiting.length === 0 ? '' : ` ${waiting.length}`}`, lines: limited(needs, room) },
    { title: 'Plans', lines: limited(plans, Math.max(1, box.rows - Math.min(room, needs.length) - 4)) },
  ];
}

function limited(lines: readonly Line[], most: number): readonly Line[] {
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), line(` ${lines.length - most + 1} more`, TONES.dim)];
}

function needLine(waiting: Waiting, columns: number): Line {
  return fitted([span('! ', TONES.need), span(needWords(waiting))], columns);
}

function needWords(waiting: Waiting): string {
  if (waiting.kind === 'asks') return `${waiting.asking.session} permission`;
  const { plan, task } = waiting.kind === 'question' ? waiting.question : waiting.need;
  const what = waiting.kind === 'question' ? 'question' : (waiting.need.actions[0]?.do ?? 'you').replaceAll('-', ' ');
  return `${task === null ? undated(slugOf(plan as never)) : `T${task}`} ${what}`;
}

function planLines({ model, snapshot }: Situation, columns: number): readonly Line[] {
  const { status } = snapshot;
  if (status === null) return [];
  const shown = shownPlan(model, snapshot);
  const needed = new Set(status.needsYou.map(({ plan }) => plan));
  const known = status.plans.map((plan) => {
    const mark =
      plan.plan === shown ? span('* ', TONES.focus) : needed.has(plan.plan) ? span('! ', TONES.need) : span('  ');
    return spread([mark, span(undated(slugOf(plan.plan)))], [span(planCount(plan), TONES.dim)], columns);
  });
  const files = status.unregistered.map((name) =>
    spread([span(`  ${name}`, TONES.dim)], [span('new', TONES.dim)], columns),
  );
  return [...known, ...files];
}

function planCount(plan: Status['plans'][number]): string {
  if (plan.file.state === 'unusable') return 'x';
  if (plan.planning !== null) return planWord(plan).slice(0, 7);
  if (plan.status === 'done' || plan.status === 'cancelled') return plan.status.slice(0, 6);
  return `${plan.progress.done}/${plan.progress.of}`;
}
