// What an agent that cadre did not start has to know about plans, for each part that it may play. Made from the registry of
// signals, so that no instruction names a signal that does not exist.
import type { PlanFile } from '../../plan/name.ts';
import { SIGNALS, type SignalDefinition } from '../../signals/registry.ts';
import { encodeSentinel } from '../../signals/sentinel.ts';

export const INSTRUCTION_PARTS = ['planner', 'coder', 'reviewer'] as const;
type Part = (typeof INSTRUCTION_PARTS)[number];

/** The signals of each part about a whole plan, by the role that may also send them from a session of cadre's. */
const ROLE_OF = { planner: 'planner', coder: 'implementer', reviewer: 'reviewer' } as const;

const HEADINGS: { readonly [part in Part]: string } = {
  planner: 'Plan Registration (CRITICAL)',
  coder: 'Plan State',
  reviewer: 'Review Completion',
};

const BEFORE: { readonly [part in Part]: readonly string[] } = {
  planner: [
    'Write the plan to `docs/plans/<date>-<name>.md`: a heading, then `### Task 1: <title>` for each task, with the files',
    'it creates or changes. The date is optional. When the plan is complete:',
  ],
  coder: ['When all tasks of the plan are done and committed:'],
  reviewer: ['When your review is complete:'],
};

/** One section: what to do when the part is played, and what never to do. */
export function instructionsFor(part: Part): string {
  return [`## ${HEADINGS[part]}`, '', ...BEFORE[part], '', ...signalsOf(part).map(signalLine), '', ...RULES].join('\n');
}

export function signalsOf(part: Part): readonly SignalDefinition[] {
  return SIGNALS.filter(({ sentinel, plan }) => sentinel && plan?.roles.includes(ROLE_OF[part]));
}

/** For a plan whose name is not known yet. */
const ANY_PLAN = '<planfile>' as PlanFile;

function signalLine(signal: SignalDefinition): string {
  const path = `\`docs/plans/.signals/${encodeSentinel(signal, ANY_PLAN)}\``;
  const body = signal.body === 'required' ? 'with your feedback as the file body' : 'an empty file (just touch it)';
  return `- ${path}, ${body}. ${signal.meaning}`;
}

const RULES: readonly string[] = [
  '`<planfile>` is the file name of the plan, with `.md`. cadre finds the file, checks that the step is possible, and takes it.',
  '',
  '**Never modify plan-state.json directly.** cadre owns that file.',
  '',
  'If cadre started your session, your prompt names a `cadre signal` command instead: use that, and drop no file. In a',
  'session that a person started with `cadre session new` without a role, neither counts; tell the person that you are done.',
];

const TITLES: { readonly [part in Part]: string } = {
  planner: 'Writes plans that cadre can build.',
  coder: 'Builds the tasks of a plan.',
  reviewer: 'Reviews what was built for a plan.',
};

/** What comes before the section in a new file, for programs that read a description from the head of the file. */
export function agentHead(part: Part): string {
  return `---\nname: ${part}\ndescription: ${TITLES[part]}\n---\n\n${INTRODUCTIONS[part]}\n`;
}

const INTRODUCTIONS: { readonly [part in Part]: string } = {
  planner: [
    'You turn a request into a plan of small tasks, each of which one agent can build, test and commit alone. Read the',
    'code first. Name the files of each task; tasks of one phase are built in order, tasks of a phase marked "(parallel)" at',
    'the same time, so these must not change the same files.',
  ].join('\n'),
  coder: [
    'You build what the plan asks for and nothing else: write a test that fails, make it pass, run all tests, and commit',
    'with a message that says why.',
  ].join('\n'),
  reviewer: [
    'You read what was changed, compare it with the plan, and run the tests. You change nothing. Approve work that does what',
    'the plan asks for; otherwise say exactly what is wrong, and where.',
  ].join('\n'),
};

const SKILLS: { readonly [part in Part]: { readonly name: string; readonly description: string } } = {
  planner: {
    name: 'cadre-planning',
    description: 'Use when you write or change a plan in docs/plans.',
  },
  coder: {
    name: 'cadre-executing-plans',
    description: 'Use when you implement a plan in docs/plans outside of a cadre session.',
  },
  reviewer: {
    name: 'cadre-reviewing',
    description: 'Use when you review the implementation of a plan in docs/plans outside of a cadre session.',
  },
};

export function skillPath(part: Part): string {
  return `.claude/skills/${SKILLS[part].name}/SKILL.md`;
}

export function skillHead(part: Part): string {
  const { name, description } = SKILLS[part];
  return `---\nname: ${name}\ndescription: ${description}\n---\n\n${INTRODUCTIONS[part]}\n`;
}

/** For files that every agent reads, whatever its part. */
export function overallInstructions(): string {
  return [
    '## Plans',
    '',
    'Plans are in `docs/plans`. cadre builds them: it gives each task to an agent, runs the tests, has the work reviewed and',
    'merges it. An agent reports what it has done with a file in `docs/plans/.signals/`:',
    '',
    ...INSTRUCTION_PARTS.flatMap((part) => signalsOf(part).map(signalLine)),
    '',
    ...RULES,
  ].join('\n');
}
