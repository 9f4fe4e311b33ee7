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

/** A program that opens whole folders only is given one with nothing else in it. */
export function handOver(request: StartRequest, folder: string = request.folder): HandOver {
  const { prompt } = request;
  if (isBlank(prompt)) return { argument: undefined, prompt: 'argv', files: [] };
  if (isSafeArgument(prompt)) return { argument: prompt, prompt: 'argv', files: [] };
  const path = `${folder}/prompt.md`;
  return { argument: `Read ${path} and do what it says.`, prompt: 'file', files: [{ path, text: prompt }] };
}

export function isBlank(prompt: string): boolean {
  return prompt.trim() === '';
}

/**
 * It begins with a letter or a digit and has more than one word: no program takes it for an option ("-x"), a command of
 * its own ("/clear", "!ls", "update") or the name of a file ("@x").
 */
function isSafeArgument(prompt: string): boolean {
  return (
    /^[\p{L}\p{N}]\S*\s+\S/u.test(prompt) &&
    !prompt.includes('\0') &&
    new TextEncoder().encode(prompt).length <= LONGEST_ARGUMENT
  );
}
