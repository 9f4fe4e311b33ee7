// A tool that a model can call: its name, what it takes, and the command of cadre that answers it.
import type * as z from 'zod';

/** What a tool runs. With `--json` the answer is the document that docs/json.md describes. */
export interface ToolCall {
  readonly argv: readonly string[];
  /** The standard input of the command. */
  readonly input?: string;
}

export interface Tool {
  readonly name: string;
  /** For the model: what it does, and when to call it. */
  readonly description: string;
  readonly takes: z.ZodObject;
  /** Whether it only shows something. */
  readonly isRead: boolean;
  /** `own`: the plan or task of the session, as a command names it; nothing where the caller is a person's own agent. */
  call(given: unknown, own: readonly string[]): ToolCall;
}

interface Row<Shape extends z.ZodObject> extends Omit<Tool, 'takes' | 'call'> {
  readonly takes: Shape;
  call(given: z.infer<Shape>, own: readonly string[]): ToolCall;
}

/** Holds `call` to what `takes` lets through. */
export function tool<Shape extends z.ZodObject>(row: Row<Shape>): Tool {
  return { ...row, call: (given, own) => row.call(row.takes.parse(given), own) };
}

/** A command with values that a model made up: none of them is read as an option. */
export function command(words: readonly string[], values: readonly string[], input?: string): ToolCall {
  return { argv: [...words, '--', ...values], ...(input === undefined ? {} : { input }) };
}
