// Kiro: "- [ ] 1. Set up", with "- [ ] 1.1 Create it" nested in it or after it; "- [ ]*" is optional.
import type { Dialect } from './dialect.ts';
import { listOfEntries } from './list-of-entries.ts';
import { NUMBERED, numbersIn } from './numbered.ts';
import { notesLines, phaseTitle, taskLines, textOfLines } from './written-list.ts';

export const kiro: Dialect = {
  title: 'Kiro',
  carries: { phases: true, parallel: false, dependencies: false },
  companions: ['requirements.md', 'design.md', 'bugfix.md'],
  detect(file) {
    const { top, whole, dotted } = numbersIn(file);
    return whole > 0 && (whole + dotted) * 2 >= top;
  },
  read: (file) => ({ kind: 'list', list: listOfEntries(file.entries(), NUMBERED) }),
  write({ title, notes, phases }) {
    let last = 0;
    return textOfLines([
      `# Implementation Plan${title === null ? '' : `: ${title}`}`,
      ...notesLines(notes),
      ...phases.flatMap((phase, index) => [
        ...(phase.name === '' && phases.length === 1 ? [] : ['', `## Phase ${index + 1}: ${phaseTitle(phase.name)}`]),
        ...notesLines(phase.notes),
        '',
        ...phase.tasks.flatMap((task) => {
          const number = ++last;
          return taskLines(task, `${number}. `, { after: '', step: (step) => `${number}.${step} ` });
        }),
      ]),
    ]);
  },
};
