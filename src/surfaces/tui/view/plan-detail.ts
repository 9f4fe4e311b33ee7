// A plan in detail: its goal, progress and timeline; of a workshop what was said and what is asked.

import type { TranscriptEntry } from '../../../core/model/workshop/entry.ts';
import { undated } from '../../../plan/name.ts';
import { ageWords } from '../model/age.ts';
import type { Happened, ShownPlan, WindowContent } from '../model/snapshot.ts';
import type { Situation } from '../model/step.ts';
import { taskLabel } from '../model/task-label.ts';
import { type Line, line, span, spread, wrapped } from '../terminal/styled.ts';
import { actionLines } from './actions.ts';
import { findingsLines } from './findings.ts';
import { TONES } from './theme.ts';
import { planWord } from './words.ts';

type Plan = Extract<WindowContent, { kind: 'plan' }>;

export function planContent({ snapshot }: Situation, window: Plan, columns: number): readonly Line[] {
  const { plan, now } = snapshot;
  if (plan === null) return [];
  const { detail, why, transcript, proposed, timeline } = window;
  const isPlanned = plan.planning !== null;
  const workshop = workshopLines(plan, transcript, columns);
  return [
    spread([span(detail.title ?? undated(plan.plan), TONES.strong)], [span(planWord(plan))], columns),
    ...problemLines(plan, columns),
    ...incidentLines(plan, columns),
    ...(plan.incident === null ? sentenceLines(why.view, columns) : []),
    ...(detail.goal === null ? [] : wrapped(`Goal: ${detail.goal}`, columns, 2).map((text) => line(text))),
    ...progressLine(plan, columns),
    ...findingsLines(window.findings, columns, 'plan'),
    ...actionLines(why.actions, columns),
    ...proposedLines(proposed, columns),
    ...(isPlanned ? workshop : []),
    ...timelineLines(timeline, columns, now),
    ...(isPlanned ? [] : workshop),
  ];
}

/** What is approved is read here first. */
function proposedLines(proposed: string | null, columns: number): readonly Line[] {
  if (proposed === null) return [];
  return [
    [],
    line('The plan, as its file will say it', TONES.strong),
    ...proposed
      .trimEnd()
      .split('\n')
      .flatMap((text) =>
        wrapped(text, columns - 2, /^ *[-*] /.test(text) ? 2 : 0).map((one) =>
          line(`  ${one}`, /^#+ /.test(text) ? TONES.strong : {}),
        ),
      ),
  ];
}

function sentenceLines({ sentence, owner }: Plan['why']['view'], columns: number): readonly Line[] {
  return wrapped(sentence, columns).map((text) => line(text, owner === 'user' ? TONES.need : {}));
}

function problemLines({ file, plan }: ShownPlan, columns: number): readonly Line[] {
  if (file.state === 'missing')
    return [line(`docs/plans/${plan} is missing. Its tasks are kept as they were.`, TONES.broken)];
  return file.problems
    .filter(({ severity }) => severity === 'error')
    .flatMap(({ line: at, message }) =>
      wrapped(`line ${at}: ${message}`, columns, 2).map((text) => line(text, TONES.broken)),
    );
}

function incidentLines({ incident }: ShownPlan, columns: number): readonly Line[] {
  if (incident === null) return [];
  return wrapped(`Incident: ${incident.sentence}`, columns, 2).map((text) => line(text, TONES.broken));
}

function progressLine({ progress: { done, of }, landed }: ShownPlan, columns: number): readonly Line[] {
  if (of === 0) return [];
  const width = Math.max(5, Math.min(30, columns - 20));
  const filled = Math.round((done / of) * width);
  const bar: Line = [
    span('#'.repeat(filled), TONES.good),
    span('.'.repeat(width - filled), TONES.dim),
    span(` ${done} of ${of} done`),
  ];
  // Why it did not land is what it waits for, and shown above.
  const text = landed !== null && (landed.ok || landed.byHand === true) ? landed.text : '';
  const tone = landed?.ok === true ? TONES.good : TONES.need;
  return [bar, ...(text === '' ? [] : wrapped(text, columns).map((one) => line(one, tone)))];
}

function workshopLines(
  { actors }: ShownPlan,
  transcript: readonly TranscriptEntry[],
  columns: number,
): readonly Line[] {
  const { planning } = actors;
  if (planning === null) return [];
  const head = `Workshop: ${planning.state.replaceAll('_', ' ')}, ${planning.round} ${planning.round === 1 ? 'round' : 'rounds'}`;
  const open = planning.questions.filter(({ state }) => state === 'open');
  return [
    [],
    line(head, TONES.strong),
    ...open.flatMap(({ id, text, blocking, suggestions }) => [
      spread(
        [span(blocking ? '! ' : '  ', TONES.need), span(id, TONES.strong)],
        [span(blocking ? 'blocking' : 'may skip', TONES.dim)],
        columns,
      ),
      ...wrapped(text, columns - 4).map((one) => line(`    ${one}`)),
      ...suggestions.flatMap((one, index) =>
        wrapped(`${index + 1} ${one}`, columns - 6, 2).map((part) => line(`      ${part}`)),
      ),
    ]),
    ...transcript.slice(-MOST_SAID).flatMap((entry) => saidLines(entry, columns)),
    [],
  ];
}

const MOST_SAID = 20;

function saidLines({ actor, kind, content }: TranscriptEntry, columns: number): readonly Line[] {
  const isStep = kind === 'transition';
  const who = (isStep ? '' : actor === 'person' ? 'you' : actor).padEnd(10);
  const what = isStep ? '-- ' : kind === 'brief' || kind === 'answer' || kind === 'proposal' ? '' : `${kind}: `;
  return wrapped(`${what}${content}`, Math.max(10, columns - 10))
    .slice(0, 4)
    .map((text, index) => [span(index === 0 ? who : ' '.repeat(10), TONES.dim), span(text, isStep ? TONES.dim : {})]);
}

function timelineLines(timeline: readonly Happened[], columns: number, now: number): readonly Line[] {
  if (timeline.length === 0) return [];
  return [
    [],
    line('Timeline', TONES.dim),
    ...timeline.map(({ at, task, text }) =>
      spread(
        [span(task === null ? '' : `${taskLabel(task)} `, TONES.strong), span(text)],
        [span(ageWords(at, now), TONES.dim)],
        columns,
      ),
    ),
  ];
}
