// The tools of an agent that cadre started, by its role. Each sends one of its signals, or shows what it works on.
import * as z from 'zod';
import type { Role, SignalName } from '../../signals/registry.ts';
import { command, type Tool, type ToolCall, tool } from './tool.ts';

const nothing = z.strictObject({});

const task = tool({
  name: 'task',
  description:
    'Shows what you work on: its state, what was asked for, the last feedback, and the results of verifications.',
  takes: nothing,
  isRead: true,
  call: (_nothing, own) => command(['why', '--json'], own),
});

const diff = tool({
  name: 'diff',
  description: 'Shows the changes that are committed for what you work on, as a patch.',
  takes: nothing,
  isRead: true,
  call: (_nothing, own) => command(['diff'], own),
});

const output = tool({
  name: 'output',
  description: 'Shows what the last verification of your task printed.',
  takes: nothing,
  isRead: true,
  call: (_nothing, own) => command(['output'], own),
});

const finished = tool({
  name: 'finished',
  description:
    'Says that your work is complete and committed. cadre then runs the tests itself. Saying so in chat does not count.',
  takes: nothing,
  isRead: false,
  call: () => signal('implement-finished'),
});

const ask = tool({
  name: 'ask',
  description:
    'Asks a question and pauses your task until it is answered. Use it when there are several valid designs, when the task contradicts the code, or when you do not get closer.',
  takes: z.strictObject({ question: z.string().min(1) }),
  isRead: false,
  call: ({ question }) => signal('question', question),
});

const proposeTask = tool({
  name: 'propose',
  description: 'Hands in how you want to do the task, where a review of that is asked for before you write code.',
  takes: z.strictObject({ proposal: z.string().min(1) }),
  isRead: false,
  call: ({ proposal }) => signal('plan-submitted', proposal),
});

/** The document of docs/reviews.md. */
const reviewDocument = z.strictObject({
  summary: z.string().exactOptional(),
  findings: z
    .array(
      z.strictObject({
        severity: z.enum(['critical', 'important', 'minor']),
        place: z.string().describe('path, or path:line').exactOptional(),
        problem: z.string().min(1),
        why: z.string().exactOptional(),
        fix: z.string().exactOptional(),
        contradicts_plan: z.string().describe("the plan's text that this contradicts").exactOptional(),
      }),
    )
    .exactOptional(),
  verdicts: z
    .array(
      z.strictObject({
        finding: z.string().min(1),
        verdict: z.enum(['addressed', 'not-addressed']),
        evidence: z.string().exactOptional(),
      }),
    )
    .exactOptional(),
  cannot_verify: z.array(z.string()).exactOptional(),
});

const review = tool({
  name: 'review',
  description:
    'Gives your verdict on what you were asked to review, with its findings. Minor findings do not need another round: approve, and list them.',
  takes: reviewDocument.extend({ verdict: z.enum(['approved', 'changes']) }),
  isRead: false,
  call: ({ verdict, ...document }) =>
    signal(verdict === 'approved' ? 'review-approved' : 'review-changes', JSON.stringify(document, null, 2)),
});

const answer = tool({
  name: 'answer',
  description:
    'Answers the question that you were asked. At a check-in the first line is CONTINUE, PIVOT, ESCALATE or ABANDON.',
  takes: z.strictObject({ text: z.string().min(1) }),
  isRead: false,
  call: ({ text }) => signal('answer', text),
});

const proposePlan = tool({
  name: 'propose_plan',
  description: 'Ends a round of planning with its document, which the prompt describes.',
  takes: z.strictObject({ document: z.record(z.string(), z.unknown()) }),
  isRead: false,
  call: ({ document }) => signal('round-finished', JSON.stringify(document)),
});

const planWritten = tool({
  name: 'finished',
  description: 'Says that the plan file is written. Only for a planner that was asked to write the file itself.',
  takes: nothing,
  isRead: false,
  call: () => signal('planner-finished'),
});

const REVIEWER = [task, review, diff, output];

export const SESSION_TOOLS: { readonly [role in Role]: readonly Tool[] } = {
  planner: [task, proposePlan, planWritten],
  architect: [task, review, answer, diff, output],
  implementer: [task, finished, ask, proposeTask, diff, output],
  'spec-reviewer': REVIEWER,
  'quality-reviewer': REVIEWER,
  reviewer: REVIEWER,
  outside: [],
  unknown: [],
};

function signal(name: SignalName, body?: string): ToolCall {
  return command(['signal', '--json', ...(body === undefined ? [] : ['--body-file', '-'])], [name], body);
}
