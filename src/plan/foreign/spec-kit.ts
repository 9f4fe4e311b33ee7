// spec-kit: "- [ ] T012 [P] [US1] Create the model in src/models/user.py", in phases; or "### T012: Create the model".
import type { Dialect } from './dialect.ts';
import { type EntryHead, type EntryRules, listOfEntries } from './list-of-entries.ts';
import { notesLines, phaseTitle, taskLines, textOfLines } from './written-list.ts';

export const specKit: Dialect = {
  title: 'spec-kit',
  carries: { phases: true, parallel: true, dependencies: false },
  companions: ['spec.md', 'plan.md', 'research.md', 'data-model.md', 'quickstart.md'],
  detect(file) {
    const { entries } = file.entries();
    if (entries.some(({ depth }) => depth === 0)) return true;
    const top = entries.filter(({ depth, bare }) => depth === 1 && !bare).length;
    const numbered = entries.filter((entry) => head(entry.text).id !== '').length;
    return numbered > 0 && numbered * 3 >= top;
  },
  read: (file) => ({ kind: 'list', list: listOfEntries(file.entries(), RULES) }),
  write({ title, notes, phases }) {
    let last = 0;
    return textOfLines([
      `# Tasks: ${title ?? 'Plan'}`,
      ...notesLines(notes),
      ...phases.flatMap((phase, index) => [
        ...(phase.name === '' && phases.length === 1 ? [] : ['', `## Phase ${index + 1}: ${phaseTitle(phase.name)}`]),
        ...notesLines(phase.notes),
        '',
        ...phase.tasks.flatMap((task) => {
          const waits = task.dependsOn.length === 0 ? '' : ` (depends on ${task.dependsOn.map(asId).join(', ')})`;
          return taskLines(task, `${asId(`${++last}`)} ${task.parallel ? '[P] ' : ''}`, {
            after: waits,
            step: () => '',
          });
        }),
      ]),
    ]);
  },
};

function asId(number: string): string {
  return `T${number.padStart(3, '0')}`;
}

const RULES: EntryRules = {
  head,
  role({ id }, { depth, bare }, task) {
    if (bare) return 'group';
    if (id !== '') return 'task';
    return task !== undefined && depth > task.depth ? 'step' : 'neither';
  },
  dependsOn,
};

/** The id, the labels in brackets, and the rest. A link is not a label. */
function head(text: string): EntryHead {
  const [start, open = '', id = '', close = ''] = ID.exec(text) ?? [''];
  if (id === '') return { id: '', labels: [], parallel: false, dependsOn: [], text };
  let rest = withoutMarks(`${close === '' ? open : ''}${text.slice(start.length)}`);
  const labels: string[] = [];
  for (let label = LABEL.exec(rest); label !== null; label = LABEL.exec(rest)) {
    labels.push((label[1] ?? label[2] ?? '').trim());
    rest = rest.slice(label[0].length);
  }
  if (labels.length > 0) rest = rest.replace(/^[:.—–-]\s+/, '');
  const isParallelAtEnd = PARALLEL.test(rest);
  rest = rest.replace(PARALLEL, '');
  const waits = dependsOn(WAITS.exec(rest)?.[0] ?? '');
  return {
    id,
    labels: [
      ...labels.filter((label) => !isParallel(label)),
      ...(waits.length === 0 ? [] : [`depends on ${waits.join(', ')}`]),
    ],
    parallel: isParallelAtEnd || labels.some(isParallel),
    dependsOn: dependsOn(rest),
    text: waits.length === 0 ? rest : rest.replace(WAITS, ''),
  };
}

/** "`[api] [P]` Add it" has its labels in backticks, "**T001 [P]** Add it" in bold. */
function withoutMarks(text: string): string {
  return text.replace(/^(`|\*\*|__)((?:\[[^[\]`]{1,80}\]\s?){1,8})\1\s?/, '$2 ');
}

function isParallel(label: string): boolean {
  return /^P$/i.test(label);
}

const ID = /^([*_`]{0,3})(T-?\d{1,6}(?:\.\d{1,3})?[a-z]?)([*_`]{0,3})[:.)]?[*_`]{0,3}(?:\s+[·•|—–-])?(?=\s|$)\s*/;
const LABEL = /^[[(](?:(?<=\[)([^[\]]{1,80})\](?!\()|(?<=\()(P)\))\s*/i;
/** "### T002: Add it (Parallel)". */
const PARALLEL = /\s\((?:[^\w\s()]{1,4}\s?)?parallel\)$/i;
/** "(depends on T001, T002)" at the end of the line. */
const WAITS = /\s?\((?:depends on|depends:|after|requires|blocked by)\s[^()]{1,300}\)[.\s]{0,4}$/i;

const DEPENDS = /depends(?: on|[*_]{0,2}:)|dependenc(?:y|ies)|blocked by|requires|\(after /gi;

function dependsOn(text: string): readonly string[] {
  const ids = new Set<string>();
  for (const { index, 0: words } of text.matchAll(DEPENDS)) {
    const said = /^[^\n).;]{0,200}/.exec(text.slice(index + words.length, index + words.length + 200))?.[0] ?? '';
    for (const [id] of said.matchAll(/\bT-?\d{1,6}[a-z]?\b/g)) ids.add(id);
  }
  return [...ids];
}
