// The sidebar: what needs you, the plans with their progress, and the other repositories of this machine.

import type { Status } from '../../../app/reads/status.ts';
import type { KnownRepository } from '../../../core/views/known-repository.ts';
import { type PlanFile, slugOf, undated } from '../../../plan/name.ts';
import type { Box } from '../model/layout.ts';
import type { Waiting } from '../model/needs.ts';
import { waitingIn } from '../model/needs.ts';
import { type PlanChoice, shownPlan } from '../model/plans.ts';
import { type SidebarItem, type SidebarSection, sidebarAt, sidebarSections } from '../model/sidebar.ts';
import type { Situation } from '../model/step.ts';
import { taskLabel } from '../model/task-label.ts';
import { fitted, type Line, line, restyled, span, spread } from '../terminal/styled.ts';
import type { FramedSection } from './framed.ts';
import { TONES } from './theme.ts';
import { planWord } from './words.ts';

export function sidebarView(situation: Situation, box: Box): readonly FramedSection[] {
  const { model, snapshot } = situation;
  return sidebarSections(model, snapshot, box.rows).map((section) => ({
    title: titleOf(section.of, situation),
    lines: sectionLines(section, situation, box.columns),
    rows: section.rows,
  }));
}

function titleOf(of: SidebarItem['kind'], { snapshot }: Situation): string {
  if (of === 'plan') return 'Plans';
  if (of === 'repository') return 'Elsewhere';
  const count = waitingIn(snapshot).length;
  return `1 Needs you${count === 0 ? '' : ` ${count}`}`;
}

function sectionLines({ items, more, of }: SidebarSection, situation: Situation, columns: number): readonly Line[] {
  const { model, snapshot } = situation;
  const selected = model.focus === 'sidebar' ? sidebarAt(model, snapshot) : -1;
  const lines = items.map(({ item, at }) => {
    const text = fitted(itemLine(item, situation, columns), columns);
    return at === selected ? restyled(marked(text), { inverse: true, bold: true }) : text;
  });
  if (items.length === 0 && of === 'need') return [line('  nobody', TONES.dim)];
  return more === 0 ? lines : [...lines, line(`  ${more} more`, TONES.dim)];
}

/** Also without colours one sees what is selected: the first column is for that. */
function marked([first, ...rest]: Line): Line {
  return [span('▌'), ...(first === undefined ? [] : [{ ...first, text: first.text.slice(1) }]), ...rest];
}

function itemLine(item: SidebarItem, situation: Situation, columns: number): Line {
  switch (item.kind) {
    case 'need':
      return needLine(item.waiting, columns);
    case 'plan':
      return planLine(item.choice, situation, columns);
    case 'repository':
      return repositoryLine(item.repository, columns);
  }
}

/** What is wanted comes first: of a long name, the end can be missing. */
function needLine(waiting: Waiting, columns: number): Line {
  const mark = span('! ', TONES.need);
  if (waiting.kind === 'asks') {
    const { task, session } = waiting.asking;
    return fitted([mark, span(`allow ${task === null ? '' : `${taskLabel(task)} `}${session}`)], columns);
  }
  const { plan, task } = waiting.kind === 'question' ? waiting.question : waiting.need;
  const what = waiting.kind === 'question' ? 'answer' : needWord(waiting.need);
  const where =
    task === null ? undated(slugOf(plan as PlanFile)) : `${taskLabel(task)} ${undated(slugOf(plan as PlanFile))}`;
  return fitted([mark, span(`${what} ${where}`)], columns);
}

function needWord({ kind, actions }: Extract<Waiting, { kind: 'need' }>['need']): string {
  const [first] = actions;
  const trouble = kind === null ? undefined : TROUBLE_WORDS[kind];
  if (trouble !== undefined) return trouble;
  if (actions.some((action) => action.do === 'run')) return 'run';
  return first === undefined ? 'decide' : (NEED_WORDS[first.do] ?? first.do.replaceAll('-', ' '));
}

/** What happened says more than what can be done about it. */
const TROUBLE_WORDS: { readonly [kind: string]: string } = {
  halted: 'failed',
  budget: 'limit',
  'held-up': 'stuck',
  incident: 'incident',
  land: 'land',
};

const NEED_WORDS: { readonly [action: string]: string } = {
  'plan-approve': 'approve',
  'session-attach': 'allow',
  'worktree-restore': 'incident',
  'incident-take': 'incident',
  'incident-restore': 'incident',
  'config-accept': 'settings',
};

function planLine({ plan, isRegistered }: PlanChoice, { model, snapshot }: Situation, columns: number): Line {
  const { status } = snapshot;
  const isShown = plan === shownPlan(model, snapshot);
  const isNeeded = status?.needsYou.some((need) => need.plan === plan) === true;
  const mark = isShown ? span('* ', TONES.focus) : isNeeded ? span('! ', TONES.need) : span('  ');
  const view = status?.plans.find((one) => one.plan === plan);
  const count = view === undefined ? (isRegistered ? '' : 'new') : planCount(view);
  return spread([mark, span(undated(slugOf(plan)))], [span(count, TONES.dim)], columns);
}

function planCount(plan: Status['plans'][number]): string {
  if (plan.file.state === 'unusable') return 'x';
  if (plan.planning !== null) return planWord(plan).slice(0, 7);
  if (plan.status === 'done' || plan.status === 'cancelled') return plan.status.slice(0, 6);
  return `${plan.progress.done}/${plan.progress.of}`;
}

function repositoryLine({ root, needs, active, tasks }: KnownRepository, columns: number): Line {
  const name = root.split('/').at(-1) ?? root;
  const right =
    needs > 0 ? span(`! ${needs}`, TONES.need) : span(active > 0 ? `${tasks.done}/${tasks.of}` : 'quiet', TONES.dim);
  return spread([span('  '), span(name)], [right], columns);
}
