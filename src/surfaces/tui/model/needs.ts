// What waits for a person, one after the other: questions, what agents ask on their screens, and everything else.

import type { Suggestion } from '../../../core/model/suggestion.ts';
import type { Asking } from '../../../core/views/asking.ts';
import type { Need } from '../../../core/views/needs.ts';
import type { OpenQuestion } from '../../../core/views/questions.ts';
import { slugOf, undated } from '../../../plan/name.ts';
import { commandFor } from '../../cli/text/suggestions.ts';
import { ageWords } from './age.ts';
import type { Choice, Dialog, Model } from './model.ts';
import { openPrompt, questionPrompt } from './prompts.ts';
import { sessionRowId, taskRowId } from './rows.ts';
import type { Snapshot } from './snapshot.ts';
import { backToList, become, refusing, type Situation, type Step, withToast } from './step.ts';
import { taskLabel } from './task-label.ts';

export type Waiting =
  | { readonly kind: 'question'; readonly id: string; readonly question: OpenQuestion }
  | { readonly kind: 'asks'; readonly id: string; readonly asking: Asking }
  | { readonly kind: 'need'; readonly id: string; readonly need: Need };

/** The oldest question first, then what agents ask on their screens, then decisions. */
export function waitingIn({ questions, asks, status }: Snapshot): readonly Waiting[] {
  const open = questions
    .filter(({ answerer, suspended }) => answerer === 'human' && !suspended)
    .toSorted((one, other) => one.since.localeCompare(other.since) || Number(other.blocking) - Number(one.blocking));
  const asked = new Set(open.map(({ plan, task }) => `${plan}#${task ?? ''}`));
  const needs = (status?.needsYou ?? []).filter(
    ({ kind, plan, task }) => kind !== 'permission' && !asked.has(`${plan}#${task ?? ''}`),
  );
  return [
    ...open.map((question) => ({ kind: 'question', id: question.id, question }) as const),
    ...asks.map((asking) => ({ kind: 'asks', id: `${asking.session} asks`, asking }) as const),
    ...needs.map((need) => ({ kind: 'need', id: `${need.plan}#${need.task ?? ''}`, need }) as const),
  ];
}

/** Opens the first one; after `current` the next. */
export function openNeed(situation: Situation, current?: string): Step {
  const { model, snapshot } = situation;
  const all = waitingIn(snapshot);
  const at = all.findIndex(({ id }) => id === current);
  const next = all[(at + 1) % Math.max(1, all.length)];
  if (next === undefined) return become(withToast(backToList(model), nobodyWaits(snapshot), 'done', snapshot.now));
  return openWaiting(situation, next);
}

export function openWaiting({ model, snapshot }: Situation, waiting: Waiting): Step {
  return become(opened(model, snapshot, waiting));
}

function nobodyWaits({ status }: Snapshot): string {
  const working = (status?.sessions ?? []).filter(({ state }) => state === 'running').length;
  return `Nobody needs you.${working === 0 ? '' : ` ${working} ${working === 1 ? 'agent is' : 'agents are'} running.`}`;
}

function opened(model: Model, snapshot: Snapshot, waiting: Waiting): Model {
  switch (waiting.kind) {
    case 'question': {
      const { question } = waiting;
      return openPrompt(model, questionPrompt(question, ageWords(question.since, snapshot.now)));
    }
    case 'asks':
      return { ...model, mode: { kind: 'ask', dialog: askingDialog(waiting.asking) } };
    case 'need':
      return { ...model, mode: { kind: 'ask', dialog: needDialog(waiting.need) } };
  }
}

/** Only goes to what waits, where the list shows it. */
export function goToNeed(situation: Situation): Step {
  const { model, snapshot, rows, row } = situation;
  const ids = waitingIn(snapshot).map(rowIdOf);
  const at = ids.indexOf(row?.id ?? '');
  const ordered = [...ids.slice(at + 1), ...ids.slice(0, at + 1)];
  const next = ordered.find((id) => rows.some((one) => one.id === id));
  if (next !== undefined) return become({ ...model, selected: next, focus: 'list', output: null });
  if (ids.length === 0) return become(withToast(model, nobodyWaits(snapshot), 'done', snapshot.now));
  return refusing(situation, 'What needs you is in another plan: "a" opens it.');
}

function rowIdOf(waiting: Waiting): string {
  if (waiting.kind === 'asks') return sessionRowId(waiting.asking.session);
  const { plan, task } = waiting.kind === 'question' ? waiting.question : waiting.need;
  return task === null ? `plan:${plan}` : taskRowId(plan as Need['plan'], task);
}

function askingDialog({ session, question, plan, task, wants }: Asking): Dialog {
  const where =
    plan === null
      ? ''
      : task === null
        ? `${undated(slugOf(plan))}: `
        : `${taskLabel(task)} of ${undated(slugOf(plan))}: `;
  return {
    title: `! ${where}${session} asks  ${wants}`,
    lines: question.split('\n'),
    choices: [{ key: 'l', label: `attach to ${session} and answer there`, commands: [{ do: 'attach', session }] }],
  };
}

export function needDialog({ plan, task, sentence, actions }: Need): Dialog {
  return {
    title: undated(task === null ? slugOf(plan) : `${slugOf(plan)}#${task}`),
    lines: sentence.trimEnd().split('\n'),
    choices: actions.slice(0, 9).map((action, index) => choiceFor(action, `${index + 1}`)),
  };
}

/** Where something has to be said with it, the line is left for the person to complete. */
export function choiceFor(suggestion: Suggestion, key: string): Choice {
  const text = commandFor(suggestion).replace(/^cadre /, '');
  if (suggestion.do === 'session-attach' && suggestion.on !== undefined)
    return { key, label: text, commands: [{ do: 'attach', session: suggestion.on }] };
  if (!text.includes('"..."')) return { key, label: text, commands: [{ do: 'line', text }] };
  return {
    key,
    label: text,
    commands: [],
    typed: {
      prompt: { purpose: { kind: 'command' }, label: ':', title: text, lines: [] },
      text: text.replace('"..."', ''),
    },
  };
}
