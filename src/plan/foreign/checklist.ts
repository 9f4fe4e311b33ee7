// A plain list of checkboxes, below headings or not: "- [ ] Add a dark mode".
import { announcesConditions } from './conditions.ts';
import type { Dialect } from './dialect.ts';
import { type EntryRules, listOfEntries } from './list-of-entries.ts';
import { notesLines, phaseTitle, taskLines, textOfLines } from './written-list.ts';

export const checklist: Dialect = {
  title: 'checklist',
  carries: { phases: true, parallel: false, dependencies: false },
  companions: [],
  detect: (file) => file.entries().entries.length > 0,
  read: (file) => ({ kind: 'list', list: listOfEntries(file.entries(), RULES) }),
  write: ({ title, notes, phases }) =>
    textOfLines([
      `# ${title ?? 'Tasks'}`,
      ...notesLines(notes),
      ...phases.flatMap((phase, index) => [
        ...(phase.name === '' && phases.length === 1 ? [] : ['', `## ${heading(phase.name, index + 1)}`]),
        ...notesLines(phase.notes),
        '',
        ...phase.tasks.flatMap((task) => taskLines(task, '', { after: '', step: () => '' })),
      ]),
    ]),
};

/** With its number where its name alone would make conditions of its tasks. */
function heading(name: string, number: number): string {
  return announcesConditions(name) ? `Phase ${number}: ${phaseTitle(name)}` : phaseTitle(name);
}

const RULES: EntryRules = {
  // "- [ ] - Add it" has a second dash.
  head: (text) => ({ id: '', labels: [], parallel: false, dependsOn: [], text: text.replace(/^[-–—] /, '') }),
  role: (_head, { depth }, task) => (task !== undefined && depth > task.depth ? 'step' : 'task'),
  dependsOn: () => [],
};
