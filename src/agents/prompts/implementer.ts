// The prompts of the implementer: propose how to do a task, build it, verify it, and fix it.
import { oneLine } from '../../text/one-line.ts';
import type { Assignment, Quote } from './assignment.ts';
import { briefSections } from './brief.ts';
import { type Heard, heardSections, upperFirst } from './heard.ts';
import { diffCommand, neverTouchSection, openingOf, ownText, worktreeSection } from './parts.ts';
import { bullets, fixedSection, type Part, type Prompt, promptOf, section, steps } from './prompt.ts';
import { fenced, instructionBlock, quoteBlock } from './quoting.ts';
import { signalSection, type TurnSignals } from './signalling.ts';

export const PLAN_TASK_SIGNALS: TurnSignals = { role: 'implementer', signals: ['plan-submitted', 'question'] };
export const IMPLEMENT_SIGNALS: TurnSignals = {
  role: 'implementer',
  signals: ['implement-finished', 'question'],
  document: 'report',
};
export const VERIFY_SIGNALS: TurnSignals = { role: 'implementer', signals: ['verify-passed', 'verify-issues'] };
export const FIX_SIGNALS: TurnSignals = {
  role: 'implementer',
  signals: ['fix-finished', 'question'],
  document: 'report',
};

export function planTask(assignment: Assignment, heard: Heard): Prompt {
  return implementerPrompt(assignment, {
    role: 'You are the implementer of one task of a plan. In this turn you only propose how you will do it. The proposal is reviewed; you build it in a later turn.',
    first: heardSections(heard),
    job: [
      section('Your job', PROPOSING),
      section('When to ask', asking('instead of proposing something that you would have to guess')),
    ],
    signals: PLAN_TASK_SIGNALS,
    access: 'none',
  });
}

const PROPOSING = steps([
  'Read the brief, then the code that the task changes and the code that calls it. Do not change any file yet.',
  'Write the proposal: which files you create or change and how, the names and signatures that others will see, how each requirement is met, which tests show it, and what you leave out.',
  'Check it against the brief: does it cover every requirement, and nothing that no requirement asks for?',
  'Submit it with the command below. Half a page is usually enough.',
]);

export function implement(assignment: Assignment, heard: Heard): Prompt {
  return implementerPrompt(assignment, {
    role: `You are the implementer of one task of a plan. You build it alone, in a worktree of your own. ${AFTERWARDS}`,
    first: heardSections(heard),
    job: [
      section('Your job', building(assignment)),
      section('When to ask', asking('before your first edit, if you can')),
      fixedSection('Your report', reportOn('the task')),
    ],
    signals: IMPLEMENT_SIGNALS,
    access: 'code',
  });
}

const AFTERWARDS =
  'When you report that you are finished, cadre, the program that started you, verifies your commit; two reviewers read it; then cadre merges it. Nobody reads your chat: only what you commit and what you report counts.';

const building = (assignment: Assignment): string =>
  steps([
    'Read the brief, then the code that the task changes, before you edit anything. If the worktree already contains work on the task, continue from there.',
    'Build everything that the requirements ask for, and nothing else: no extra options, no unrelated refactoring. Write code that reads like the code around it.',
    'Write the tests that show it. Where the plan says "Test first", run the test before you write the code and see it fail for the right reason; keep both outputs for your report.',
    'Run single tests while you work. Run the verify command, if one is named above, once before the last commit.',
    'Commit everything with `git add` and `git commit`, also new files. Nobody else sees what is not committed.',
    `Review your own work before you report: \`${diffCommand(assignment)}\` shows it as reviewers will see it. Is every requirement met? Is anything there that nobody asked for? Do names say what things do? Would each test fail without the change? Is the output clean, without warnings and leftovers? Correct what you find, and commit again.`,
    'Report, and end your turn.',
  ]);

/** For projects whose `verify` setting is a prompt. */
export function verifyByAgent(assignment: Assignment, commit: string, how: string): Prompt {
  return implementerPrompt(assignment, {
    role: 'You are the implementer of one task of a plan. Your work is committed. In this turn you verify it, and change nothing.',
    first: [],
    worktree: [`Commit to verify: \`${oneLine(commit)}\``],
    job: [section('Your job', VERIFYING), fixedSection('How the project verifies work', fenced(how))],
    signals: VERIFY_SIGNALS,
    access: 'none',
  });
}

const VERIFYING = steps([
  'Do exactly what "How the project verifies work" says, on the commit that is checked out.',
  'Report that it passed only if you saw every part of it pass. Otherwise report the problems: the command, its output, and what you expected. Do not fix anything in this turn.',
]);

/** Why the work needs a fix and what to do about it, given the branch it is to be merged into and who asks for the fix. */
const REASONS = {
  test_failure: () => 'Verification failed. Find the cause and fix it. Do not weaken or remove tests to make it pass.',
  verify_infrastructure: () =>
    'Verification could not be completed. If the cause is in the worktree, fix it; otherwise ask.',
  code_review_changes: (_base: string, who: string) =>
    `${upperFirst(who)} requested changes. Make them. If you think that one of them is wrong, or contradicts the plan, ask.`,
  sent_back: (_base: string, who: string) =>
    `${upperFirst(who)} sent the work back. This is a person's demand: it takes precedence over the plan. Do all of it; if something in it is unclear, ask.`,
  branch_moved: () => 'Your branch changed while it was being reviewed.',
  merge_conflict: (base: string) =>
    `Your branch conflicts with \`${base}\`, which has new commits. If the worktree does not show the conflicts yet, merge \`${base}\` into your branch. Resolve the conflicts in the files listed below so that both sides still do what they were meant to do.`,
  merge_failure: (base: string) =>
    `Your branch could not be merged into \`${base}\`, or the merged result failed verification. If \`${base}\` has new commits, merge it into your branch, and fix what does not fit together.`,
} as const satisfies Readonly<Record<string, (base: string, who: string) => string>>;

export interface FixRequest {
  /** `sent_back`: by a person. `branch_moved`: nobody asks for a change, but the reviewed commit is no longer the last. */
  readonly reason: keyof typeof REASONS;
  /** Who asks for the fix, as in a sentence: "the spec reviewer". */
  readonly who: string;
  readonly wrong: Quote;
  /** Other agents have tried before, and the rounds of review did not lead to the end. */
  readonly tried?: Tried;
}

export interface Tried {
  /** How often reviews have sent the work back. */
  readonly rounds: number;
  /** The last report. */
  readonly report: Quote | null;
}

export function fix(assignment: Assignment, request: FixRequest, heard: Heard): Prompt {
  return implementerPrompt(assignment, {
    role: `You are the implementer of one task of a plan, and the work on it needs a fix. ${AFTERWARDS}`,
    first: [wrongSection(assignment, request), ...triedSection(request), ...heardSections(heard)],
    job: [
      section('Your job', fixing(assignment)),
      section('When to ask', asking('instead of making a change that you believe to be wrong')),
      fixedSection('Your report', reportOn('the fix')),
    ],
    signals: FIX_SIGNALS,
    access: 'code',
  });
}

function wrongSection({ into }: Assignment, { reason, who, wrong }: FixRequest): Part {
  const what = REASONS[reason](oneLine(into), who);
  return (room) =>
    fixedSection(
      'What is wrong',
      reason === 'sent_back' ? instructionBlock(what, wrong, room) : `${what}\n\n${quoteBlock(wrong, room)}`,
    );
}

function triedSection({ tried }: FixRequest): readonly Part[] {
  if (tried === undefined) return [];
  const { rounds, report } = tried;
  const how = `Reviews have sent this work back ${rounds} ${rounds === 1 ? 'time' : 'times'}, and you get it because another agent did not close what they found. Do not repeat what was tried: look for the cause somewhere else, and ask if a finding cannot be met.`;
  const last = report === null ? '' : `\n\nThe last report:\n\n`;
  return [
    (room) =>
      fixedSection(
        'What was tried',
        report === null ? how : `${how}${last}${quoteBlock(report, Math.min(room, TRIED_ROOM))}`,
      ),
  ];
}

/** In characters. */
const TRIED_ROOM = 1_500;

const fixing = (assignment: Assignment): string =>
  steps([
    'Read "What is wrong" and the brief, then the code. You may not have written that code yourself; if so, read it as somebody who is new to it.',
    'For each point find the cause first, and fix the cause. Do not only hide the symptom, and change nothing that no point asks for.',
    'Add or correct a test for each point that a test can show. See it fail before the fix and pass after it.',
    'Run the verify command, if one is named above, once before the last commit.',
    'Commit everything with `git add` and `git commit`. A fix without a new commit is refused.',
    `Review your own work before you report: \`${diffCommand(assignment)}\` shows it. Which point does each change answer? Did it break anything else? Correct what you find, and commit again.`,
    'Report point by point what you did, and end your turn.',
  ]);

function asking(when: string): string {
  return [
    `Ask with \`question\` ${when}. Your turn then ends, and the answer comes with your next prompt. Ask when:`,
    '',
    bullets([
      'several designs fit the brief and differ in what others will see',
      'the brief contradicts the code, itself, or a decision',
      'something that the task relies on does not exist',
      'you read file after file without getting closer, or tried the same thing twice without success',
    ]),
    '',
    'Put everything into one text: what you found, the choices, and which one you would take. A question costs less than a wrong commit; do not guess. What the code or the brief answers is not a question.',
  ].join('\n');
}

function reportOn(what: string): string {
  return [
    `Write your report as one JSON object; reviewers read it beside the diff, as claims to be checked. Only "status" and "summary" are required:`,
    '',
    fenced(
      [
        '{ "status": "done",',
        `  "summary": "what you did about ${what}, and why this way",`,
        '  "commands": [{ "run": "npm test -- tokens", "result": "failed before: no tokenizer; passes now, 4 tests" }],',
        '  "files": ["src/tokens.ts", "test/tokens.test.ts"],',
        '  "left_out": ["what was asked for and is not done, and why"],',
        '  "concerns": ["what you are not sure about"] }',
      ].join('\n'),
    ),
    '',
    '"status" is "done", or "done-with-concerns" if everything is built but you doubt something. If you need to know something or cannot continue ("needs-context", "blocked"), do not report: ask.',
  ].join('\n');
}

interface ImplementerTurn {
  readonly role: string;
  /** What is new in this turn; it comes before the brief. */
  readonly first: readonly Part[];
  readonly worktree?: readonly string[];
  readonly job: readonly Part[];
  readonly signals: TurnSignals;
  readonly access: 'code' | 'none';
}

function implementerPrompt(assignment: Assignment, turn: ImplementerTurn): Prompt {
  return promptOf(
    openingOf(turn.role, assignment),
    [
      ...turn.first,
      ...briefSections(assignment.brief),
      worktreeSection(assignment, turn.worktree),
      ...turn.job,
      signalSection(turn.signals, assignment.plan, assignment.cadre),
      neverTouchSection(assignment, turn.access),
    ],
    ownText(assignment),
  );
}
