// The tools of a person's own chat agent. It can look, build and answer; approving stays with the person.
import * as z from 'zod';
import { command, type Tool, tool } from './tool.ts';

const subject = z.string().min(1).describe('a plan ("search") or a task ("search#2")');

export const PERSON_TOOLS: readonly Tool[] = [
  tool({
    name: 'status',
    description: 'Shows every plan: its state, its tasks, what waits for the person, and which agents are running.',
    takes: z.strictObject({ plan: z.string().min(1).exactOptional() }),
    isRead: true,
    call: ({ plan }) => command(['status', '--json'], plan === undefined ? [] : [plan]),
  }),
  tool({
    name: 'why',
    description: 'Shows how a plan or a task got to its present state, whose turn it is, and what the person can do.',
    takes: z.strictObject({ subject }),
    isRead: true,
    call: (given) => command(['why', '--json'], [given.subject]),
  }),
  tool({
    name: 'questions',
    description: 'Lists the open questions of all agents, with the id that "answer" takes.',
    takes: z.strictObject({}),
    isRead: true,
    call: () => command(['questions', '--json'], []),
  }),
  tool({
    name: 'diff',
    description: 'Shows what a task or a whole plan has changed, as a patch.',
    takes: z.strictObject({ subject }),
    isRead: true,
    call: (given) => command(['diff'], [given.subject]),
  }),
  tool({
    name: 'output',
    description: 'Shows what the last verification of a task printed.',
    takes: z.strictObject({ subject }),
    isRead: true,
    call: (given) => command(['output'], [given.subject]),
  }),
  tool({
    name: 'run',
    description: 'Starts building a plan in the background and returns at once; "status" shows its progress.',
    takes: z.strictObject({ plan: z.string().min(1) }),
    isRead: false,
    call: ({ plan }) => command(['run', '--detach', '--json'], [plan]),
  }),
  tool({
    name: 'answer',
    description: "Answers an open question with the person's words. Ask the person first; do not answer for them.",
    takes: z.strictObject({ question: z.string().min(1), text: z.string().min(1) }),
    isRead: false,
    call: ({ question, text }) => command(['answer', '--file', '-', '--json'], [question], text),
  }),
  tool({
    name: 'propose_approval',
    description:
      'Prepares an approval: shows what would be approved and the command that the person must type. It approves nothing: only the person can, in a terminal.',
    takes: z.strictObject({ subject }),
    isRead: true,
    call: (given) => command(['why', '--json'], [given.subject]),
  }),
];
