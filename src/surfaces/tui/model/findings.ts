// Deciding about findings: one is chosen from the list, then what becomes of it.
import type { FindingView } from '../../../core/views/findings.ts';
import type { PlanFile } from '../../../plan/name.ts';
import { slugOf } from '../../../plan/name.ts';
import type { Choice, Dialog, RulingName, TextPrompt } from './model.ts';
import { subjectOf } from './selection.ts';
import type { Snapshot } from './snapshot.ts';
import { backToList, become, doing, refusing, type Situation, type Step } from './step.ts';
import { taskLabel } from './task-label.ts';

/** Of the selected task or plan, as far as they are known; those that keep it from being merged come first. */
export function findingsOf({ window }: Snapshot): readonly FindingView[] {
  return window !== null && 'findings' in window ? window.findings : [];
}

export function showFindings(situation: Situation): Step {
  const { model, snapshot, row } = situation;
  const found = findingsOf(snapshot);
  const [only] = found;
  const on = subjectOf(row, snapshot);
  // The terminal of a session is in view, with which no findings were read.
  if (snapshot.window?.kind === 'screen' && on !== undefined)
    return doing(model, { do: 'line', text: `findings ${on}` });
  if (only === undefined) return refusing(situation, `No finding of ${on ?? 'a plan'} is open.`);
  if (found.length > 1) return become({ ...model, mode: { kind: 'findings', at: 0 } });
  return become({ ...model, mode: { kind: 'ask', dialog: findingDialog(only) } });
}

export function findingsKey({ model, snapshot }: Situation, at: number, key: string): Step {
  const found = findingsOf(snapshot);
  const moved = MOVES[key];
  if (moved !== undefined) {
    const to = Math.max(0, Math.min(at + moved, found.length - 1));
    return become({ ...model, mode: { kind: 'findings', at: to } });
  }
  const chosen = found[Math.min(at, found.length - 1)];
  if (chosen === undefined || LEAVING.has(key)) return become(backToList(model));
  if (key !== 'enter' && key !== 'l') return become(model);
  return become({ ...model, mode: { kind: 'ask', dialog: findingDialog(chosen) } });
}

const MOVES: { readonly [key: string]: number } = { j: 1, k: -1, down: 1, up: -1, 'page-down': 10, 'page-up': -10 };
const LEAVING: ReadonlySet<string> = new Set(['escape', 'q', 'ctrl-c', 'f']);

function findingDialog(finding: FindingView): Dialog {
  const { plan, task, id, severity, place, problem, why, fix, contradicts, evidence } = finding;
  const on = `${slugOf(plan as PlanFile)}${task === null ? '' : `#${task}`}`;
  return {
    title: `${id} of ${task === null ? on : taskLabel(task)}: ${finding.demand ? 'demanded' : severity}${place === null ? '' : `, ${place}`}`,
    lines: [
      problem.trim(),
      ...(why === null ? [] : [`Why: ${why.trim()}`]),
      ...(fix === null ? [] : [`Fix: ${fix.trim()}`]),
      ...(contradicts === null ? [] : [`The plan says: ${contradicts.trim()}`]),
      ...(evidence === null ? [] : [`Evidence: ${evidence.trim()}`]),
      ...(isOpen(finding) ? [] : ['Nothing is to be decided about it now: the review of the whole plan sees it.']),
      ...(task === null ? ['It belongs to the whole plan: approving or sending back the plan decides about it.'] : []),
    ],
    choices: task === null ? [] : RULINGS.filter(({ isFor }) => isFor(finding)).map((one) => choiceOf(one, on, id)),
  };
}

interface RulingRow {
  readonly key: string;
  readonly ruling: RulingName;
  readonly label: string;
  readonly isFor: (finding: FindingView) => boolean;
}

const isOpen = ({ state }: FindingView): boolean => state === 'open' || state === 'not-addressed';

const RULINGS: readonly RulingRow[] = [
  {
    key: 'p',
    ruling: 'finding-park',
    label: 'park it: the review of the whole plan sees it',
    isFor: ({ blocking }) => blocking,
  },
  { key: 'o', ruling: 'finding-overrule', label: 'overrule it: it does not hold', isFor: isOpen },
  {
    key: 'c',
    ruling: 'finding-confirm',
    label: 'confirm that it is addressed',
    isFor: (one) => isOpen(one) && !one.undecided,
  },
  {
    key: 'h',
    ruling: 'finding-holds',
    label: 'the finding holds: the task changes',
    isFor: ({ undecided }) => undecided,
  },
  {
    key: 't',
    ruling: 'finding-plan-holds',
    label: 'the plan holds: the finding does not',
    isFor: ({ undecided }) => undecided,
  },
];

function choiceOf({ key, ruling, label }: RulingRow, on: string, finding: string): Choice {
  const prompt: TextPrompt = {
    purpose: { kind: 'ruling', ruling, on, finding },
    title: `${finding} of ${on}, ${label}`,
    label: 'why> ',
    lines: ['It is recorded with the finding; it may be empty. Enter decides  Esc changes nothing'],
  };
  return { key, label, commands: [], typed: { prompt, text: '' } };
}
