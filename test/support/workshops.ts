// Briefs whose planner is played by the scripted agent, one document per round.
import type { PlanningDocument } from '../../src/workshop/planning-document.ts';
import type { AskedQuestion, RoundDocument } from '../../src/workshop/round-document.ts';

/** A brief with a script: the documents that the planner hands in, turn by turn. */
export function briefWith(...turns: readonly (object | readonly object[])[]): string {
  const sections = turns.map((turn, index) => {
    const documents = Array.isArray(turn) ? turn : [turn];
    const rounds = documents.map((document) => `round\n| ${JSON.stringify(document)}`);
    return `turn ${index + 1}\n${rounds.join('\n')}`;
  });
  return `Parts\n\nBuild the parts.\n\n\`\`\`script\nrole planner\n${sections.join('\n')}\n\`\`\`\n`;
}

export interface RoundWith {
  readonly summary?: string;
  readonly questions?: readonly AskedQuestion[];
  /** How many parts it proposes. */
  readonly parts?: number;
  readonly ready?: boolean;
}

export function roundWith({
  summary = 'A round.',
  questions = [],
  parts = 1,
  ready = false,
}: RoundWith): RoundDocument {
  const numbers = Array.from({ length: parts }, (_, index) => index + 1);
  return {
    summary,
    questions,
    proposals: {
      tasks: numbers.map((number) => ({ id: `t${number}`, title: `Part ${number}`, subtasks: [], depends: [] })),
      assumptions: ['Everything fits.'],
      risks: [],
      acceptance_criteria: ['The parts are there.'],
      files: numbers.map((number) => ({ path: `task-${number}.txt`, intent: 'create', task: `t${number}` })),
    },
    ready,
  };
}

export function asks(id: string, blocking = true): AskedQuestion {
  return { id, text: `Which ${id}?`, blocking, why: 'The parts depend on it.', suggestions: ['The usual', 'Another'] };
}

/** A plan of parts that the scripted agent builds by default: it writes task-<number>.txt. */
export function planWith(parts = 2): PlanningDocument {
  const numbers = Array.from({ length: parts }, (_, index) => index + 1);
  return {
    id: 'parts',
    title: 'Parts',
    brief: 'Build the parts.',
    context: 'Nothing is there yet.',
    goals: ['The parts are there.'],
    scope: { in: ['Parts'], out: ['Everything else'] },
    architecture: 'One file for each part.',
    tech_stack: ['text'],
    work: {
      milestones: [{ id: 'm1', title: 'All parts' }],
      tasks: numbers.map((number) => ({
        id: `t${number}`,
        title: `Part ${number}`,
        kind: 'feature',
        milestone: 'm1',
        depends: [],
        description: `Write task-${number}.txt.`,
        steps: [{ title: 'Write the file' }],
        test: `task-${number}.txt exists.`,
        avoid: ['Write anything else.'],
        commit: `parts: number ${number}`,
      })),
    },
    risks: [],
    assumptions: ['Everything fits.'],
    acceptance_criteria: [{ id: 'a1', text: 'All parts are there.' }],
    file_plan: numbers.map((number) => ({ path: `task-${number}.txt`, intent: 'create', task: `t${number}` })),
    notes: [],
    test_plan: ['Look at the files.'],
  };
}
