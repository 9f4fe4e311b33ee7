// What a person says about the work, in words on the command line, from a file, or from standard input.
import { type Context, type Given, textOption } from './context.ts';

export async function feedbackFrom(context: Context, given: Given): Promise<string | undefined> {
  const file = textOption(given, 'feedbackFile');
  if (file === undefined) return textOption(given, 'feedback');
  return file === '-' ? await context.readInput() : context.readFile(file);
}
