// A plan in detail: its goal, progress and timeline; of a workshop what was said and what is asked.
import type { TranscriptEntry } from '../../../core/model/workshop/entry.ts';
import { commandFor } from '../../cli/text/suggestions.ts';
import { ageWords } from '../model/age.ts';
import type { Happened, ShownPlan, WindowContent } from '../model/snapshot.ts';
import type { Situation } from '../model/step.ts';
import { type Line, line, span, spread, wrapped } from '../terminal/styled.ts';
import { TONES } from './theme.ts';
import { planWord } from './words.ts';

type Plan = Extract<WindowContent, { kind: 'plan' }>;

export function planContent({ snapshot }: Situation, window: Plan, columns: number): readonly Line[] {
  const { plan, now } = snapshot;
  if (plan === null) return [];
  const { detail, why, transcript, timeline } = window;
  return [
    spread([span(detail.title ?? plan.plan, TONES.strong)], [span(planWord(plan))], columns),
    ...problemLines(plan, columns),
    ...incidentLines(plan, columns),
    ...(plan.incident === null ? sentenceLines(why.view, columns) : []),
    ...(detail.goal === null ? [] : wrapped(`Goal: ${detail.goal}`, columns, 2).map((text) => line(text))),
    ...progressLine(plan, columns),
    ...workshopLines(plan, transcript, columns),
    ...why.actions.map((action) => line(`  ${commandFor(action)}`, TONES.dim)),
    ...timelineLines(timeline, columns, now),
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
  return [bar, ...(landed === null ? [] : wrapped(landed.text, columns).map((text) => line(text, TONES.good)))];
}

function workshopLines(
  { actors }: ShownPlan,
  transcript: readonly TranscriptEntry[],
  columns: number,
): readonly Line[] {
  const { planning } = actors;
  if (planning === null) return [];
  const head = `Workshop: ${planning.state.replaceAll('_', ' ')}, round ${planning.rounds.used} of ${planning.rounds.of}`;
  const open = planning.questions.filter(({ state }) => state === 'open');
  return [
    [],
    line(head, TONES.strong),
    ...open.flatMap(({ id, text, blocking, suggestions }) => [
      spread(
        [span('! ', blocking ? TONES.need : {}), span(`${id}: ${text}`)],
        [span(blocking ? 'blocking' : 'may skip', TONES.dim)],
        columns,
      ),
      ...(suggestions.length === 0
        ? []
        : [line(`    ${suggestions.map((one, index) => `${index + 1} ${one}`).join('   ')}`)]),
    ]),
    ...transcript.slice(-MOST_SAID).flatMap((entry) => saidLines(entry, columns)),
    [],
  ];
}

const MOST_SAID = 20;

function saidLines({ actor, kind, content }: TranscriptEntry, columns: number): readonly Line[] {
  const who = (actor === 'person' ? 'you' : actor).padEnd(10);
  const what = kind === 'brief' || kind === 'answer' || kind === 'proposal' ? '' : `[${kind}] `;
  return wrapped(`${what}${content}`, Math.max(10, columns - 10))
    .slice(0, 4)
    .map((text, index) => [span(index === 0 ? who : ' '.repeat(10), TONES.dim), span(text)]);
}

function timelineLines(timeline: readonly Happened[], columns: number, now: number): readonly Line[] {
  if (timeline.length === 0) return [];
  return [
    [],
    line('Timeline', TONES.dim),
    ...timeline.map(({ at, text }) => spread([span(text)], [span(ageWords(at, now), TONES.dim)], columns)),
  ];
}
