// The prompts of the architect: answer the implementer's question, review its proposal, decide how a long run continues.
import type { Assignment, Quote } from './assignment.ts';
import { briefSections } from './brief.ts';
import { neverTouchSection, openingOf, ownText, worktreeSection } from './parts.ts';
import { bullets, fixedSection, type Part, type Prompt, promptOf, section, steps } from './prompt.ts';
import { quoteBlock } from './quoting.ts';
import { signalSection, type TurnSignals } from './signalling.ts';

export const TASK_PLAN_REVIEW_SIGNALS: TurnSignals = {
  role: 'architect',
  signals: ['review-approved', 'review-changes', 'answer'],
};
export const ANSWER_SIGNALS: TurnSignals = { role: 'architect', signals: ['answer'] };

export function answerQuestionPrompt(assignment: Assignment, question: Quote): Prompt {
  return architectPrompt(assignment, {
    role: 'You are the architect of a plan. The implementer of one of its tasks has stopped and asks a question. Your answer becomes part of the task: later attempts and the reviewers read it too.',
    about: quoted('The question', question),
    job: [
      section(
        'Your job',
        steps([
          'Read the question, the brief, and the code that the question is about.',
          'Decide. Take the choice that fits the goal, the constraints and the code as it is; where several do, take the simplest one.',
          'Answer so that the implementer can continue without asking again: say what to do, name files, names and values exactly, and give the reason in a sentence.',
          'If the answer changes what other tasks rely on, say so in the answer. If the task cannot be done at all, start your answer with ABANDON and the reason; a person then decides.',
        ]),
      ),
    ],
    signals: ANSWER_SIGNALS,
  });
}

/** `proposal` is how the implementer wants to do the task. */
export function reviewTaskPlan(assignment: Assignment, proposal: Quote): Prompt {
  return architectPrompt(assignment, {
    role: 'You are the architect of a plan. The implementer of one of its tasks proposes how to do it, and builds nothing before you have decided.',
    about: quoted('The proposal', proposal),
    job: [
      section(
        'Your job',
        steps([
          'Read the brief, then the proposal, then the code that it wants to change.',
          'Go through "What to check".',
          'Approve it if it can be built as it is. Request changes only where it would go wrong, and say for each what is wrong and what would be right. Details that the implementer can decide alone are not yours to decide.',
        ]),
      ),
      section(
        'What to check',
        bullets([
          'Does it cover every requirement of the brief, and nothing else?',
          'Does it fit the existing code, and reuse what is there?',
          'Are names and signatures those that other tasks expect?',
          'Does it say which tests show that the result works?',
        ]),
      ),
    ],
    signals: TASK_PLAN_REVIEW_SIGNALS,
  });
}

export function checkIn(assignment: Assignment, report: Quote): Prompt {
  return architectPrompt(assignment, {
    role: 'You are the architect of a plan. The implementer of one of its tasks has used up its turns without finishing, and you decide how the work continues.',
    about: quoted('What has happened so far', report),
    job: [
      section(
        'Your job',
        steps([
          'Read the brief, then what is in the worktree, committed or not, and find out why the work is not finished.',
          'Decide. Put one of the words below on the first line of your answer, and your reason below it. Another round of the same is only worth it if something is different this time: say what.',
        ]),
      ),
      fixedSection(
        'What to decide',
        bullets([
          'CONTINUE: work continues as before',
          'PIVOT: work continues, but differently; say exactly how, because this changes the task',
          'ESCALATE: the current work is reviewed, although it is not verified',
          'ABANDON: the run ends, and a person decides what happens to the task',
        ]),
      ),
    ],
    signals: ANSWER_SIGNALS,
  });
}

/** `findings`: what is open after the last round, with its ids. */
export function ruleOnFindings(assignment: Assignment, findings: Quote): Prompt {
  return architectPrompt(assignment, {
    role: 'You are the architect of a plan. The reviews of one of its tasks have used up their rounds, and findings are still open. You decide which of them may stay as they are.',
    about: quoted('The open findings', findings),
    job: [
      section(
        'Your job',
        steps([
          'Read each finding, then the code at its place. Find out whether the finding is right, and what happens if nothing changes.',
          'Park a finding if it is contestable or harmless: answer with a line "PARK f1" and the reason after it, one line for each. The review of the whole plan sees what you parked, and why.',
          'Do not park a finding that other work builds on, or that makes the result wrong. Leave it out of your answer and say below the lines why it matters; a person then decides about it.',
        ]),
      ),
    ],
    signals: ANSWER_SIGNALS,
  });
}

function quoted(title: string, quote: Quote): Part {
  return (room) => fixedSection(title, quoteBlock(quote, room));
}

interface ArchitectTurn {
  readonly role: string;
  readonly about: Part;
  readonly job: readonly Part[];
  readonly signals: TurnSignals;
}

function architectPrompt(assignment: Assignment, { role, about, job, signals }: ArchitectTurn): Prompt {
  return promptOf(
    openingOf(role, assignment),
    [
      about,
      ...briefSections(assignment.brief),
      worktreeSection(assignment),
      ...job,
      signalSection(signals, assignment.plan, assignment.cadre),
      neverTouchSection(assignment, 'none'),
    ],
    ownText(assignment),
  );
}
