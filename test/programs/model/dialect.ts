// The ways in which programs speak to models: what a request says, and how an answer is written.
import type { Step, Turn } from './script.ts';

/** What is left of a step once the server has held what was to be held. */
export type Spoken = Exclude<Step, { readonly do: 'hold' }>;

export interface Asked {
  readonly turns: readonly Turn[];
  /** Whether the model may use tools: it may not where the program wants a title or a summary. */
  readonly hasTools: boolean;
  readonly streams: boolean;
}

export interface Answer {
  readonly contentType: string;
  readonly text: string;
}

export interface Dialect {
  /** Matched against the path of the request. */
  readonly path: RegExp;
  read(body: Fields, path: string): Asked;
  write(step: Spoken, asked: Asked): Answer;
}

export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

/** A text, or the texts of a list of parts, one below the other. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return listOf(value)
    .map((part) => part.text)
    .filter((text) => typeof text === 'string')
    .join('\n');
}

/** Events as they are streamed, each named by its own type where it has one. */
export function events(list: readonly Fields[], end = ''): Answer {
  const lines = list.map((event) => {
    const name = typeof event.type === 'string' ? `event: ${event.type}\n` : '';
    return `${name}data: ${JSON.stringify(event)}\n\n`;
  });
  return { contentType: 'text/event-stream', text: lines.join('') + end };
}

export function json(value: unknown): Answer {
  return { contentType: 'application/json', text: JSON.stringify(value) };
}
