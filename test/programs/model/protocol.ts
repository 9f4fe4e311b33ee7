// The protocols between programs and models: how to read a request, and how to write a response.
import type { Step, Turn } from './script.ts';

/** A step that results in a response; the server itself performs "hold". */
export type Spoken = Exclude<Step, { readonly do: 'hold' }>;

export interface Asked {
  readonly turns: readonly Turn[];
  /** Whether the model may use tools. It may not if the program wants a title or a summary. */
  readonly hasTools: boolean;
  readonly streams: boolean;
}

export interface Answer {
  readonly contentType: string;
  readonly text: string;
}

export interface Protocol {
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

/** A text, or the texts of a list of parts, joined by line breaks. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return listOf(value)
    .map((part) => part.text)
    .filter((text) => typeof text === 'string')
    .join('\n');
}

/** Server-sent events, each named by its type if it has one. */
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
