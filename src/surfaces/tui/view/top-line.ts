// The top line: the plan, its state, what runs, the engine, and how many need you.

import { undated } from '../../../plan/name.ts';
import type { Model } from '../model/model.ts';
import { waitingIn } from '../model/needs.ts';
import { shownPlan } from '../model/plans.ts';
import type { Snapshot } from '../model/snapshot.ts';
import { type Line, type Span, span, spread } from '../terminal/styled.ts';
import { TONES } from './theme.ts';
import { planWord } from './words.ts';

export function topLine(model: Model, snapshot: Snapshot): Line {
  const { columns } = model.size;
  const left: readonly Span[] = [span(' '), ...(columns < 100 ? [] : brand(snapshot)), ...planSpans(model, snapshot)];
  return spread([...left, ...runSpans(model, snapshot)], needSpans(snapshot), columns);
}

function brand({ status }: Snapshot): readonly Span[] {
  const repository = status?.repo.split('/').at(-1) ?? '';
  return [span('cadre', TONES.strong), span(`  ${repository}${repository === '' ? '' : '  '}`)];
}

function planSpans(model: Model, snapshot: Snapshot): readonly Span[] {
  const { plan, status } = snapshot;
  if (status === null) return [span('reading ...', TONES.dim)];
  if (plan === null) {
    const file = shownPlan(model, snapshot);
    return [span(file === null ? 'no plan' : `${file}  not registered`, TONES.dim)];
  }
  const { done, of } = plan.progress;
  const count = of === 0 ? '' : ` ${done}/${of}`;
  const word = model.size.columns < 64 ? '' : ` ${snapshot.isNew ? 'not registered' : planWord(plan)}`;
  return [span(undated(plan.plan), TONES.strong), span(`${word}${count}`)];
}

function runSpans({ size: { columns }, pending }: Model, snapshot: Snapshot): readonly Span[] {
  const { status } = snapshot;
  if (status === null) return [];
  const running = status.sessions.filter(({ state }) => state === 'running').length;
  return [
    ...(running === 0 ? [] : [span(`  ${running} ${running === 1 ? 'agent' : 'agents'}`)]),
    ...engineSpans(snapshot, columns < 64),
    ...(status.frozen ? [span('  frozen', TONES.verify)] : []),
    ...(status.paused ? [span('  all paused', TONES.dim)] : []),
    ...(pending === 0 ? [] : [span('  asked ...', TONES.dim)]),
  ];
}

/** Where something has to be done, no engine is worth a warning. */
function engineSpans({ status, isEngineHere }: Snapshot, isNarrow: boolean): readonly Span[] {
  if (isEngineHere) return isNarrow ? [] : [span('  engine: this window')];
  if (status === null || (status.engine === null && status.plans.length === 0)) return [];
  if (status.engine === null) return [span('  no engine', TONES.need)];
  if (isNarrow) return [];
  const isBackground = status.engine.command.endsWith(' watch --json');
  return [span(isBackground ? '  engine: background' : `  engine: pid ${status.engine.pid}`)];
}

function needSpans(snapshot: Snapshot): Line {
  const count = waitingIn(snapshot).length;
  return count === 0 ? [] : [span(`! ${count} need${count === 1 ? 's' : ''} you: a `, TONES.need)];
}

/** What the terminal's own title says. */
export function titleOf(snapshot: Snapshot): string {
  const count = waitingIn(snapshot).length;
  const repository = snapshot.status?.repo.split('/').at(-1) ?? '';
  return `${count === 0 ? '' : `! ${count} `}cadre ${repository}`.trim();
}
