// Searching in the window: a screen with what scrolled off it, a diff, or what a command has printed.
import { agentScreen } from '../terminal/agent-screen.ts';
import { lineText, wrapped } from '../terminal/styled.ts';
import { shownDiff, windowRows } from './diff-cursor.ts';
import type { DiffRow } from './diff-rows.ts';
import { layoutOf } from './layout.ts';
import { isFollowed, scrollKey } from './moving.ts';
import { FILTER_PROMPT, openPrompt } from './prompts.ts';
import { become, refusing, type Situation, type Step } from './step.ts';

/** "/": in the window a search, anywhere else the filter of the list. */
export function openSearch(situation: Situation): Step {
  const { model } = situation;
  if (model.focus !== 'window') return become(openPrompt(model, FILTER_PROMPT, model.filter));
  if (rowTexts(situation) === undefined)
    return refusing(
      situation,
      'A screen, a diff or an output can be searched. "2" goes to the list, which "/" filters.',
    );
  const purpose = { kind: 'search' } as const;
  return become(openPrompt(model, { purpose, label: '/', title: '', lines: [] }, model.search?.text ?? ''));
}

/** An empty text ends the search. On a screen the newest hit comes first, elsewhere the first one from here on. */
export function search(situation: Situation, text: string): Step {
  const { model } = situation;
  if (text === '') return become({ ...model, search: null });
  const hits = hitsOf(situation, text);
  const top = topRow(situation);
  const at = isFollowed(model, situation.snapshot) ? hits.at(-1) : (hits.find((hit) => hit >= top) ?? hits[0]);
  if (at === undefined) return refusing(situation, `Nothing in the window contains "${text}".`);
  return become(showing({ ...situation, model: { ...model, search: { text, at } } }, at));
}

/** The next hit, or the one before; after the last one the first. */
export function searchOn(situation: Situation, by: 1 | -1): Step {
  const { search: now } = situation.model;
  if (now === null) return become(situation.model);
  const hits = hitsOf(situation, now.text);
  const next =
    by === 1 ? (hits.find((hit) => hit > now.at) ?? hits[0]) : (hits.findLast((hit) => hit < now.at) ?? hits.at(-1));
  if (next === undefined) return refusing(situation, `Nothing in the window contains "${now.text}".`);
  return become(showing({ ...situation, model: { ...situation.model, search: { ...now, at: next } } }, next));
}

/** Which rows contain the text, whatever the case of its letters. */
export function hitsOf(situation: Situation, text: string): readonly number[] {
  const wanted = text.toLowerCase();
  const rows = rowTexts(situation) ?? [];
  return rows.flatMap((row, index) => (row.toLowerCase().includes(wanted) ? [index] : []));
}

function rowTexts(situation: Situation): readonly string[] | undefined {
  const { model, snapshot } = situation;
  const columns = layoutOf({ ...model, focus: 'window' }).panes.window?.columns ?? model.size.columns;
  if (model.output !== null) return model.output.lines.flatMap((text) => wrapped(text, columns));
  if (snapshot.window?.kind === 'screen') return agentScreen(snapshot.window.text).map(lineText);
  return shownDiff(situation)?.map(rowText);
}

function rowText(row: DiffRow): string {
  if (row.kind === 'line') return row.line.text;
  return row.kind === 'comment' ? row.comment.text : row.finding.problem;
}

function topRow(situation: Situation): number {
  const { scroll, scrollEnd } = situation.model;
  const lines = scroll.key === scrollKey(situation) ? Math.min(scroll.lines, scrollEnd) : 0;
  return isFollowed(situation.model, situation.snapshot) ? scrollEnd - lines : lines;
}

/** With the row in the middle of the window. */
function showing(situation: Situation, at: number): Situation['model'] {
  const { model, snapshot } = situation;
  const middle = at - Math.floor(windowRows(model) / 2);
  const top = Math.max(0, Math.min(middle, model.scrollEnd));
  const lines = isFollowed(model, snapshot) ? model.scrollEnd - top : top;
  return { ...model, scroll: { key: scrollKey(situation), lines } };
}
