// What the scripted agent does without a script: the work of its role, immediately and successfully.
import { lastSegment } from '../plan/name.ts';
import type { Role } from '../signals/registry.ts';
import type { PlanningDocument } from '../workshop/planning-document.ts';
import type { RoundDocument } from '../workshop/round-document.ts';
import type { ScriptCommand } from './script.ts';

export interface AgentTurn {
  readonly role: Role;
  readonly attempt: number;
  readonly plan: string | undefined;
  readonly task: string | undefined;
  readonly prompt: string;
}

/** Undefined if the role has no work. */
export function defaultCommands(turn: AgentTurn): readonly ScriptCommand[] | undefined {
  switch (turn.role) {
    case 'implementer':
      return implement(turn);
    case 'planner':
      return listedSignals(turn.prompt).includes('round-finished')
        ? [{ name: 'round', words: [documentFor(turn)] }]
        : [{ name: 'signal', words: ['planner-finished'] }];
    case 'spec-reviewer':
    case 'quality-reviewer':
    case 'reviewer':
      return [{ name: 'signal', words: ['review-approved'] }];
    case 'architect':
      if (listedSignals(turn.prompt).includes('review-approved'))
        return [{ name: 'signal', words: ['review-approved'] }];
      // The first line decides a check-in, and does no harm in the answer to a question.
      return [{ name: 'signal', words: ['answer', 'CONTINUE\nContinue as you think best.'] }];
    case 'outside':
    case 'unknown':
      return undefined;
  }
}

/**
 * A script that approves or asks for changes says the same about every open finding that its prompt lists, unless it gives
 * verdicts itself.
 */
export function withVerdicts(command: ScriptCommand, prompt: string): ScriptCommand {
  const [signal, body = ''] = command.words;
  if (command.name !== 'signal' || (signal !== 'review-approved' && signal !== 'review-changes')) return command;
  const open = [...prompt.matchAll(/^- (f[1-9][0-9]*) \[/gm)].map(([, id = '']) => id);
  if (open.length === 0 || /\bf[1-9][0-9]*\b/.test(body)) return command;
  const verdict = signal === 'review-approved' ? 'ADDRESSED' : 'NOT ADDRESSED';
  return { ...command, words: [signal, [body, ...open.map((id) => `${id}: ${verdict}`)].join('\n').trim()] };
}

function implement(turn: AgentTurn): readonly ScriptCommand[] {
  const wanted = wantedSignal(turn.prompt);
  const what = turn.task === undefined ? 'the plan' : `task ${turn.task}`;
  if (wanted === 'plan-submitted')
    return [{ name: 'signal', words: [wanted, `I will write ${fileOf(turn)} and commit it.`] }];
  return [
    { name: 'append', words: [fileOf(turn), `Attempt ${turn.attempt} at ${what}.`] },
    { name: 'commit', words: [`${what}: attempt ${turn.attempt}`] },
    { name: 'signal', words: [wanted] },
  ];
}

/** The signals that the prompt lists show what is to be done. */
function listedSignals(prompt: string): readonly string[] {
  const list = prompt.slice(Math.max(0, prompt.lastIndexOf('\n## How to end your turn')));
  return [...list.matchAll(/^- `.*\bsignal ([a-z-]+)/gm)].map(([, signal = '']) => signal);
}

function wantedSignal(prompt: string): string {
  const listed = listedSignals(prompt);
  return ['plan-submitted', 'fix-finished'].find((name) => listed.includes(name)) ?? 'implement-finished';
}

function fileOf({ plan, task }: AgentTurn): string {
  const name = task === undefined ? lastSegment(plan ?? 'work').replace(/\.md$/, '') : `task-${task}`;
  return `${name.replace(/[^\w.-]/g, '_')}.txt`;
}

/** A plan of one task, which fits what `implement` does for it. */
function documentFor({ prompt }: AgentTurn): string {
  const isLast = /^## Round \d+: formalizing$/m.test(prompt);
  return JSON.stringify(isLast ? PLANNING_DOCUMENT : ROUND_DOCUMENT);
}

const FILE = { path: 'task-1.txt', intent: 'create', task: 't1' } as const;

const ROUND_DOCUMENT: RoundDocument = {
  summary: 'One task is enough.',
  questions: [],
  proposals: {
    tasks: [{ id: 't1', title: 'Do what the brief asks for', subtasks: [], depends: [] }],
    assumptions: ['Nothing else depends on it.'],
    risks: [],
    acceptance_criteria: ['task-1.txt says what was done.'],
    files: [FILE],
  },
  ready: true,
};

const PLANNING_DOCUMENT: PlanningDocument = {
  id: 'scripted',
  title: 'What the brief asks for',
  brief: 'See brief.md.',
  context: 'The scripted agent has not read the code.',
  goals: ['Do what the brief asks for.'],
  scope: { in: ['What the brief says.'], out: ['Everything else.'] },
  architecture: 'One file.',
  tech_stack: ['text'],
  work: {
    milestones: [{ id: 'm1', title: 'All of it' }],
    tasks: [
      {
        id: 't1',
        title: 'Do what the brief asks for',
        kind: 'feature',
        milestone: 'm1',
        depends: [],
        description: 'Write down in task-1.txt what was done.',
        steps: [{ title: 'Write the file' }],
        test: 'task-1.txt exists.',
        avoid: [],
        commit: 'docs: what was done',
      },
    ],
  },
  risks: [],
  assumptions: ['Nothing else depends on it.'],
  acceptance_criteria: [{ id: 'a1', text: 'task-1.txt says what was done.', task: 't1' }],
  file_plan: [FILE],
  notes: [],
  test_plan: ['Read task-1.txt.'],
};
