// How a prompt reaches a program: as an argument if that is safe, else in a file that the program is asked to read.
import type { FileToWrite, Start, StartRequest } from './agent.ts';

export interface HandOver {
  /** Undefined if the prompt is blank, or if the program is given the file itself. */
  readonly argument: string | undefined;
  readonly prompt: Start['prompt'];
  readonly files: readonly FileToWrite[];
}

/** In bytes. Longer arguments clutter the process list, and some systems refuse them. */
const LONGEST_ARGUMENT = 8_000;

export function handOver(request: StartRequest): HandOver {
  const { prompt } = request;
  if (isBlank(prompt)) return { argument: undefined, prompt: 'argv', files: [] };
  return isSafeArgument(prompt) ? { argument: prompt, prompt: 'argv', files: [] } : handOverInFile(request);
}

/** For programs that alter arguments before they use them. */
export function handOverInFile(request: StartRequest): HandOver {
  const { prompt } = request;
  const path = `${request.messages}/prompt.md`;
  return { argument: askToRead(path, prompt), prompt: 'file', files: [{ path, text: prompt }] };
}

/** Tools truncate long files, and a model may mistake the rest for the whole. */
export function askToRead(path: string, text: string): string {
  const how = isLong(text) ? ' in full, in parts if it gets cut off,' : '';
  return `Read ${path}${how} and do what it says.`;
}

function isLong(text: string): boolean {
  return new TextEncoder().encode(text).length > LONGEST_ARGUMENT;
}

/** For programs that process one prompt and exit, and read all of their input before they start. */
export function headlessStart(request: StartRequest, how: () => Start): Start | undefined {
  return isBlank(request.prompt) ? undefined : { ...how(), input: 'none' };
}

export function isBlank(prompt: string): boolean {
  return prompt.trim() === '';
}

/**
 * It starts with a letter or a digit and has more than one word, so no program mistakes it for an option ("-x"), one of its
 * own commands ("/clear", "!ls", "update") or a file name ("@x").
 */
function isSafeArgument(prompt: string): boolean {
  return /^[\p{L}\p{N}]\S*\s+\S/u.test(prompt) && !prompt.includes('\0') && !isLong(prompt);
}
