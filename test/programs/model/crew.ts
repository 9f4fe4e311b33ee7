// A scripted crew: each role does what its prompt says, using only the text of that prompt. A prompt that does not arrive,
// or only in part, leads nowhere.
import type { Playbook, Step } from './script.ts';

export interface Habits {
  /** What the implementer writes at first; by default what the task asks for. */
  readonly firstTry?: string;
  /** What the spec reviewer finds at first. Of the fix it says that everything is addressed. */
  readonly findings?: readonly object[];
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
    opening: 'You are the implementer of one task of a plan. You build it alone,',
    steps: (prompt, { firstTry }) => [
      { do: 'write', path: fileOf(prompt), text: firstTry ?? wantedIn(prompt) },
      run(prompt, VERIFY),
      {
        do: 'run',
        command: `git add ${NAME.exec(prompt)?.[1]} && git commit -m "greeting: ${TITLE.exec(prompt)?.[1]}"`,
      },
      ...handIn(prompt, /`([^`]+ signal implement-finished --body-file -)`/, REPORT),
    ],
  },
  {
    opening: 'You are the implementer of one task of a plan, and the work on it needs a fix.',
    steps: (prompt) => [
      { do: 'read', path: fileOf(prompt), from: 1, to: 100 },
      { do: 'write', path: fileOf(prompt), text: wantedIn(prompt) },
      run(prompt, VERIFY),
      { do: 'run', command: 'git commit --all -m "greeting: as the test wants it"' },
      ...handIn(prompt, /`([^`]+ signal fix-finished --body-file -)`/, REPORT),
    ],
  },
  {
    opening: 'You are the planner. You work out a plan in rounds,',
    steps: (prompt, { planner }) => [
      { do: 'write', path: documentFile(prompt), text: JSON.stringify(planner?.(prompt) ?? {}, null, 2) },
      run(prompt, /hand it in with `(.+?)`/),
    ],
  },
  {
    opening: 'You are the spec reviewer of one task of a plan.',
    steps: (prompt, { findings = [] }) => {
      const open = [...prompt.matchAll(/^- (f[0-9]+) \[/gm)].map(([, id]) => id);
      if (findings.length > 0 && open.length === 0) return review(prompt, { word: 'changes', document: { findings } });
      const verdicts = open.map((finding) => ({ finding, verdict: 'addressed', evidence: 'the line is gone' }));
      return review(prompt, { word: 'approved', document: { ...REVIEW, verdicts } });
    },
  },
  { opening: 'You are the quality reviewer of one task of a plan.', steps: (prompt) => review(prompt) },
  { opening: 'You are the reviewer of a whole plan.', steps: (prompt) => review(prompt) },
];

interface Verdict {
  readonly word: 'approved' | 'changes';
  readonly document: object;
}

function review(prompt: string, { word, document }: Verdict = APPROVAL): readonly Step[] {
  const [, changes = ''] =
    /- Changes since the last review: `(.+?)`/.exec(prompt) ?? /- Review package: `(.+?)`/.exec(prompt) ?? [];
  return [
    run(prompt, /- Show its changes with: `(.+?)`/),
    { do: 'read', path: changes, from: 1, to: 40 },
    ...handIn(prompt, new RegExp(`\`([^\`]+ signal review-${word} --body-file -)\``), document),
  ];
}

const REPORT = { status: 'done', summary: 'It says good morning.', commands: [{ run: 'the test', result: 'passes' }] };
const REVIEW = { summary: 'It is as the task wants it.' };
const APPROVAL: Verdict = { word: 'approved', document: REVIEW };

const NAME = /- Create: `(.+?)`/;
const TITLE = /### Task \d+: (.+)/;
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

/** The document in the file that the prompt names for it. */
function handIn(prompt: string, command: RegExp, document: object): readonly Step[] {
  const [, file = ''] = /write the text to `(.+?)`/.exec(prompt) ?? [];
  const [, worktree] = /- Worktree: `(.+?)`/.exec(prompt) ?? [];
  const step = run(prompt, command);
  if (step.do !== 'run') return [step];
  return [
    { do: 'write', path: `${worktree}/${file}`, text: JSON.stringify(document) },
    { do: 'run', command: step.command.replace(/-$/, file) },
  ];
}
