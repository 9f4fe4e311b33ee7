// What the scripted agent does without a script: the work of its role, immediately and successfully.
import { lastSegment } from '../plan/name.ts';
import type { Role } from '../signals/registry.ts';
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
      return [{ name: 'signal', words: ['planner-finished'] }];
    case 'spec-reviewer':
    case 'quality-reviewer':
    case 'reviewer':
      return [{ name: 'signal', words: ['review-approved'] }];
    case 'architect':
      // The first line decides a check-in, and does no harm in the answer to a question.
      return [{ name: 'signal', words: ['answer', 'CONTINUE\nContinue as you think best.'] }];
    case 'outside':
    case 'unknown':
      return undefined;
  }
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

/** The signals that the prompt lists show whether the task is to be planned, built or fixed. */
function wantedSignal(prompt: string): string {
  const list = prompt.slice(Math.max(0, prompt.lastIndexOf('\n## How to end your turn')));
  const listed = [...list.matchAll(/^- `.*\bsignal ([a-z-]+)/gm)].map((match) => match[1]);
  return ['plan-submitted', 'fix-finished'].find((name) => listed.includes(name)) ?? 'implement-finished';
}

function fileOf({ plan, task }: AgentTurn): string {
  const name = task === undefined ? lastSegment(plan ?? 'work').replace(/\.md$/, '') : `task-${task}`;
  return `${name.replace(/[^\w.-]/g, '_')}.txt`;
}
