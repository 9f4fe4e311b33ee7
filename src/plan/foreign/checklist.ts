// A plain list of checkboxes, below headings or not: "- [ ] Add a dark mode".
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
      ...phases.flatMap((phase) => [
        ...(phase.name === '' && phases.length === 1 ? [] : ['', `## ${phaseTitle(phase.name)}`]),
        ...notesLines(phase.notes),
        '',
        ...phase.tasks.flatMap((task) => taskLines(task, '', { after: '', step: () => '' })),
      ]),
    ]),
};

const RULES: EntryRules = {
  head: (text) => ({ id: '', labels: [], parallel: false, dependsOn: [], text }),
  role: (_head, { depth }, task) => (task !== undefined && depth > task.depth ? 'step' : 'task'),
  dependsOn: () => [],
};
