// Everything that `cadre init` writes: settings, a first plan, ignored files, and instructions for agents.
import {
  agentHead,
  INSTRUCTION_PARTS,
  instructionsFor,
  overallInstructions,
  skillHead,
  skillPath,
} from '../../../agents/prompts/role-instructions.ts';
import { FIRST_PLAN, FIRST_PLAN_TEXT } from './first-plan.ts';
import type { Wish } from './wishes.ts';

export interface InitSituation {
  readonly settings: ProjectSettings;
  /** Programs that are installed, by name. */
  readonly programs: readonly string[];
  /** Whether there is a plan already. */
  readonly hasPlans: boolean;
  /** What git should ignore in worktrees besides cadre's own files. */
  readonly ignored: readonly string[];
}

/** What goes into cadre.json; what is undefined is left to be found. */
export interface ProjectSettings {
  readonly base_branch?: string | undefined;
  readonly setup?: readonly string[] | string | undefined;
  readonly verify?: readonly string[] | string | undefined;
}

export function wishesFor({ settings, programs, hasPlans, ignored }: InitSituation): readonly Wish[] {
  return [
    {
      kind: 'once',
      path: 'cadre.json',
      text: `${JSON.stringify(settings, null, 2)}\n`,
      why: 'the settings of the project',
    },
    ...(hasPlans ? [] : [firstPlan()]),
    { kind: 'lines', path: '.gitignore', lines: [...OWN_FILES, ...ignored], why: 'files that git should not see' },
    section('AGENTS.md', '', overallInstructions(), 'what agents have to know about plans'),
    ...INSTRUCTION_PARTS.flatMap((part) => [
      section(`.claude/agents/${part}.md`, agentHead(part), instructionsFor(part), `the ${part} of Claude Code`),
      section(skillPath(part), skillHead(part), instructionsFor(part), `a skill of Claude Code for the ${part}`),
      section(`.opencode/agents/${part}.md`, agentHead(part), instructionsFor(part), `the ${part} of opencode`),
    ]),
    ...(programs.includes('gemini')
      ? [section('GEMINI.md', '', overallInstructions(), 'the same for Gemini CLI')]
      : []),
    ...(programs.includes('aider')
      ? [
          {
            kind: 'once',
            path: '.aider.conf.yml',
            text: 'read: AGENTS.md\n',
            why: 'lets aider read AGENTS.md',
          } as const,
        ]
      : []),
  ];
}

/** All that any earlier call may have written. */
export function everyWish(settings: ProjectSettings, ignored: readonly string[]): readonly Wish[] {
  return wishesFor({ settings, programs: ['gemini', 'aider'], hasPlans: false, ignored });
}

export const OWN_FILES = [
  'docs/plans/.signals/',
  'docs/plans/.plan-state.lock',
  'docs/plans/.plan-state.json.tmp',
] as const;

function firstPlan(): Wish {
  return {
    kind: 'once',
    path: `docs/plans/${FIRST_PLAN}`,
    text: FIRST_PLAN_TEXT,
    why: 'a first plan, to change or to build',
  };
}

function section(path: string, head: string, body: string, why: string): Wish {
  return { kind: 'section', path, head, body, why };
}
