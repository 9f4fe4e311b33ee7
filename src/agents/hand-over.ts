// How a prompt reaches a program: as an argument where that is safe, else in a file that the program is told to read.
import type { FileToWrite, Start, StartRequest } from './agent.ts';

export interface HandOver {
  /** Nothing where there is nothing to say, or where the program is given the file itself. */
  readonly argument: string | undefined;
  readonly prompt: Start['prompt'];
  readonly files: readonly FileToWrite[];
}

/** In bytes. Longer arguments fill the process list, and some systems refuse them. */
const LONGEST_ARGUMENT = 8_000;

export function handOver(request: StartRequest): HandOver {
  const { prompt } = request;
  if (isBlank(prompt)) return { argument: undefined, prompt: 'argv', files: [] };
  return isSafeArgument(prompt) ? { argument: prompt, prompt: 'argv', files: [] } : handOverInFile(request);
}

/** For programs that change an argument before they hand it on. */
export function handOverInFile(request: StartRequest): HandOver {
  const { prompt } = request;
  const path = `${request.messages}/prompt.md`;
  return { argument: askToRead(path, prompt), prompt: 'file', files: [{ path, text: prompt }] };
}

/** Tools cut off what is long, in the middle or at the end, and a model may take what is left for all of it. */
export function askToRead(path: string, text: string): string {
  const how = isLong(text) ? ' in full, in parts if it gets cut off,' : '';
  return `Read ${path}${how} and do what it says.`;
}

function isLong(text: string): boolean {
  return new TextEncoder().encode(text).length > LONGEST_ARGUMENT;
}

/** For programs that do one prompt and end, and read their input to its end before they begin. */
export function headlessStart(request: StartRequest, how: () => Start): Start | undefined {
  return isBlank(request.prompt) ? undefined : { ...how(), input: 'none' };
}

export function isBlank(prompt: string): boolean {
  return prompt.trim() === '';
}

/**
 * It begins with a letter or a digit and has more than one word: no program takes it for an option ("-x"), a command of
 * its own ("/clear", "!ls", "update") or the name of a file ("@x").
 */
function isSafeArgument(prompt: string): boolean {
  return /^[\p{L}\p{N}]\S*\s+\S/u.test(prompt) && !prompt.includes('\0') && !isLong(prompt);
}
