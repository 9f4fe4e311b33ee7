// The sidebar as a list: what needs you, the plans, and the other repositories of this machine.
import type { KnownRepository } from '../../../core/views/known-repository.ts';
import type { Model } from './model.ts';
import { openWaiting, type Waiting, waitingIn } from './needs.ts';
import { choosePlan, type PlanChoice, planChoices, shownPlan } from './plans.ts';
import type { Snapshot } from './snapshot.ts';
import { become, doing, type Situation, type Step } from './step.ts';

export type SidebarItem =
  | { readonly kind: 'need'; readonly waiting: Waiting }
  | { readonly kind: 'plan'; readonly choice: PlanChoice }
  | { readonly kind: 'repository'; readonly repository: KnownRepository };

export interface SidebarSection {
  readonly of: SidebarItem['kind'];
  /** Those in view, with their places among all items. */
  readonly items: readonly { readonly item: SidebarItem; readonly at: number }[];
  /** How many are not in view. */
  readonly more: number;
  /** How many rows it takes, without its title. */
  readonly rows: number;
}

function itemsOf(snapshot: Snapshot): { readonly [kind in SidebarItem['kind']]: readonly SidebarItem[] } {
  return {
    need: waitingIn(snapshot).map((waiting) => ({ kind: 'need', waiting })),
    plan: planChoices(snapshot).map((choice) => ({ kind: 'plan', choice })),
    repository: snapshot.repositories.map((repository) => ({ kind: 'repository', repository })),
  };
}

/** The sections as they fit into so many rows, below each other, each with a title above it. */
export function sidebarSections(model: Model, snapshot: Snapshot, rows: number): readonly SidebarSection[] {
  const { need, plan, repository } = itemsOf(snapshot);
  const most = Math.max(1, Math.floor(rows / 3));
  const needRows = Math.min(Math.max(1, need.length), most);
  const repositoryRows = Math.min(repository.length, most);
  const titles = repository.length === 0 ? 1 : 2;
  const planRows = Math.max(1, rows - needRows - repositoryRows - titles);
  const own = plan.findIndex((item) => item.kind === 'plan' && item.choice.plan === shownPlan(model, snapshot));
  const at = model.focus === 'sidebar' ? sidebarAt(model, snapshot) : need.length + own;
  return [
    section('need', need, { before: 0, rows: needRows, at }),
    section('plan', plan, { before: need.length, rows: planRows, at }),
    ...(repository.length === 0
      ? []
      : [section('repository', repository, { before: need.length + plan.length, rows: repositoryRows, at })]),
  ];
}

/** With `at` in view; the last row says how many are not. */
function section(
  of: SidebarItem['kind'],
  all: readonly SidebarItem[],
  { before, rows, at }: { readonly before: number; readonly rows: number; readonly at: number },
): SidebarSection {
  if (all.length <= rows) return { of, items: all.map((item, index) => ({ item, at: before + index })), more: 0, rows };
  const shown = Math.max(1, rows - 1);
  const from = Math.min(Math.max(0, at - before - shown + 1), all.length - shown);
  const items = all.slice(from, from + shown).map((item, index) => ({ item, at: before + from + index }));
  return { of, items, more: all.length - shown, rows };
}

/** The place of the selected item. */
export function sidebarAt(model: Model, snapshot: Snapshot): number {
  return Math.max(0, Math.min(model.sidebarAt, Object.values(itemsOf(snapshot)).flat().length - 1));
}

export function moveInSidebar({ model, snapshot }: Situation, by: number): Step {
  const last = Object.values(itemsOf(snapshot)).flat().length - 1;
  const at = Math.max(0, Math.min(sidebarAt(model, snapshot) + by, last));
  return become({ ...model, sidebarAt: at });
}

/** Answers a need, shows a plan, visits a repository. */
export function openInSidebar(situation: Situation): Step {
  const { model, snapshot } = situation;
  const item = Object.values(itemsOf(snapshot)).flat()[sidebarAt(model, snapshot)];
  switch (item?.kind) {
    case 'need':
      return openWaiting(situation, item.waiting);
    case 'plan':
      return choosePlan({ ...situation, model: { ...model, focus: 'list' } }, item.choice);
    case 'repository':
      return doing(model, { do: 'visit', root: item.repository.root });
    default:
      return become({ ...model, focus: 'list' });
  }
}

/** The item on a row inside of the sidebar, from zero. */
export function sidebarItemAt(model: Model, snapshot: Snapshot, rows: number, row: number): number | undefined {
  let top = 0;
  for (const { items, rows: taken } of sidebarSections(model, snapshot, rows)) {
    if (row >= top && row < top + taken) return items[row - top]?.at;
    top += taken + 1;
  }
  return undefined;
}
