// A scripted crew: each role does what its prompt says, using only the text of that prompt. A prompt that does not arrive,
// or only in part, leads nowhere.
import type { Playbook, Step } from './script.ts';

export interface Habits {
  /** What the implementer writes at first; by default what the task asks for. */
  readonly firstTry?: string;
  /** The document that the planner of a workshop hands in after this prompt. */
  readonly planner?: (prompt: string) => object;
}

export function crew(habits: Habits = {}): Playbook {
  return (text) => {
    const part = PARTS.find(({ opening }) => text.includes(opening));
    return part?.steps(text, habits);
  };
}

interface Part {
  readonly opening: string;
  readonly steps: (prompt: string, habits: Habits) => readonly Step[];
}

const PARTS: readonly Part[] = [
  {
    opening: 'You are the implementer of one task of a plan. Others will verify and review what you commit.',
    steps: (prompt, { firstTry }) => [
      { do: 'write', path: fileOf(prompt), text: firstTry ?? wantedIn(prompt) },
      run(prompt, VERIFY),
      {
        do: 'run',
        command: `git add ${NAME.exec(prompt)?.[1]} && git commit -m "greeting: ${TITLE.exec(prompt)?.[1]}"`,
      },
      run(prompt, /`([^`]+ signal implement-finished)`/),
    ],
  },
  {
    opening: 'You are the implementer of one task of a plan, and your work needs a fix.',
    steps: (prompt) => [
      { do: 'read', path: fileOf(prompt), from: 1, to: 100 },
      { do: 'write', path: fileOf(prompt), text: wantedIn(prompt) },
      run(prompt, VERIFY),
      { do: 'run', command: 'git commit --all -m "greeting: as the test wants it"' },
      run(prompt, /`([^`]+ signal fix-finished)`/),
    ],
  },
  {
    opening: 'You are the planner. You work out a plan in rounds,',
    steps: (prompt, { planner }) => [
      { do: 'write', path: documentFile(prompt), text: JSON.stringify(planner?.(prompt) ?? {}, null, 2) },
      run(prompt, /hand it in with `(.+?)`/),
    ],
  },
  { opening: 'You are the spec reviewer of one task of a plan:', steps: review },
  { opening: 'You are the quality reviewer of one task of a plan:', steps: review },
  { opening: 'You are the reviewer of a whole plan:', steps: review },
];

function review(prompt: string): readonly Step[] {
  return [run(prompt, /- Show its changes with: `(.+?)`/), run(prompt, /`([^`]+ signal review-approved)`/)];
}

const NAME = /- Create: `(.+?)`/;
const TITLE = /## Task \d+: (.+)/;
const VERIFY = /- Verify command: `(.+?)`/;

function fileOf(prompt: string): string {
  const [, worktree] = /- Worktree: `(.+?)`/.exec(prompt) ?? [];
  return `${worktree}/${NAME.exec(prompt)?.[1]}`;
}

/** The prompt names it below the worktree that the planner is in. */
function documentFile(prompt: string): string {
  const [, worktree] = /You are in a worktree of it, `(.+?)`/.exec(prompt) ?? [];
  const [, file] = /Write the document to `(.+?)`/.exec(prompt) ?? [];
  return `${worktree}/${file}`;
}

function wantedIn(prompt: string): string {
  const [, text] = /```js\n([\s\S]*?)```/.exec(prompt) ?? [];
  return text ?? '';
}

function run(prompt: string, command: RegExp): Step {
  const [, found] = command.exec(prompt) ?? [];
  return found === undefined
    ? { do: 'say', text: `The prompt does not say ${command.source}.` }
    : { do: 'run', command: found };
}
