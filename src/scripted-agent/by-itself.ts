// What the scripted agent does without a script: its role's work, well and at once.
import { lastSegment } from '../plan/name.ts';
import type { Role } from '../signals/registry.ts';
import type { Command } from './script.ts';

export interface Part {
  readonly role: Role;
  readonly attempt: number;
  readonly plan: string | undefined;
  readonly task: string | undefined;
  readonly prompt: string;
}

/** Nothing where the role has no work. */
export function byItself(part: Part): readonly Command[] | undefined {
  switch (part.role) {
    case 'implementer':
      return implement(part);
    case 'planner':
      return [{ name: 'signal', words: ['planner-finished'] }];
    case 'spec-reviewer':
    case 'quality-reviewer':
    case 'reviewer':
      return [{ name: 'signal', words: ['review-approved'] }];
    case 'architect':
      // A word that decides a check-in is as good as any in the answer to a question.
      return [{ name: 'signal', words: ['answer', 'CONTINUE\nGo on as you think best.'] }];
    case 'outside':
    case 'unknown':
      return undefined;
  }
}

function implement(part: Part): readonly Command[] {
  const wanted = wantedSignal(part.prompt);
  const what = part.task === undefined ? 'the plan' : `task ${part.task}`;
  if (wanted === 'plan-submitted')
    return [{ name: 'signal', words: [wanted, `I will write ${fileOf(part)} and commit it.`] }];
  return [
    { name: 'append', words: [fileOf(part), `Attempt ${part.attempt} at ${what}.`] },
    { name: 'commit', words: [`${what}: attempt ${part.attempt}`] },
    { name: 'signal', words: [wanted] },
  ];
}

/** A prompt lists the signals that may be said; it tells whether this is to plan, to build or to fix. */
function wantedSignal(prompt: string): string {
  const list = prompt.slice(Math.max(0, prompt.lastIndexOf('\n## How to end your turn')));
  const listed = [...list.matchAll(/^- `.*\bsignal ([a-z-]+)/gm)].map((match) => match[1]);
  return ['plan-submitted', 'fix-finished'].find((name) => listed.includes(name)) ?? 'implement-finished';
}

function fileOf({ plan, task }: Part): string {
  const name = task === undefined ? lastSegment(plan ?? 'work').replace(/\.md$/, '') : `task-${task}`;
  return `${name.replace(/[^\w.-]/g, '_')}.txt`;
}
