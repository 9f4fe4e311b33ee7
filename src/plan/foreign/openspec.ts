// OpenSpec: "## 1. Schema" and below it "- [ ] 1.1 Add the table".
import type { Dialect } from './dialect.ts';
import { listOfEntries } from './list-of-entries.ts';
import { NUMBERED, numbersIn } from './numbered.ts';
import { notesLines, phaseTitle, taskLines, textOfLines } from './written-list.ts';

export const openSpec: Dialect = {
  title: 'OpenSpec',
  carries: { phases: true, parallel: false, dependencies: false },
  companions: ['proposal.md', 'design.md'],
  detect(file) {
    const { top, whole, dotted } = numbersIn(file);
    return dotted > 0 && whole === 0 && dotted * 2 >= top;
  },
  read: (file) => ({ kind: 'list', list: listOfEntries(file.entries(), NUMBERED) }),
  write: ({ title, notes, phases }) =>
    textOfLines([
      `# Tasks${title === null ? '' : `: ${title}`}`,
      ...notesLines(notes),
      ...phases.flatMap((phase, index) => [
        '',
        `## ${index + 1}. ${phaseTitle(phase.name)}`,
        ...notesLines(phase.notes),
        '',
        ...phase.tasks.flatMap((task, at) => {
          const number = `${index + 1}.${at + 1}`;
          return taskLines(task, `${number} `, { after: '', step: (step) => `${number}.${step} ` });
        }),
      ]),
    ]),
};
