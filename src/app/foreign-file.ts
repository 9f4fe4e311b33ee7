// Files that are not plans, but lists of tasks of another tool.
import { Failure } from '../core/model/failure.ts';
import { type Suggestion, suggest } from '../core/model/suggestion.ts';
import { dialectOf } from '../plan/foreign/dialects.ts';
import { foreignFile } from '../plan/foreign/entries.ts';
import { parse } from '../plan/parse.ts';
import type { AppPorts } from './ports.ts';

/** What to suggest for a file that is not a plan, but can become one. */
export function importSuggestions(ports: AppPorts, path: string, shown = path): readonly Suggestion[] {
  const text = textIfReadable(ports, path);
  return text !== undefined && isForeign(text) ? [suggest('plan-import', shown)] : [];
}

/** Whether a text is a list of tasks of another tool, and not a plan. */
export function isForeign(text: string): boolean {
  return dialectOf(foreignFile(text)) !== undefined && parse(text).plan.phases.every(({ tasks }) => tasks.length === 0);
}

export function textIfReadable({ repository }: AppPorts, path: string): string | undefined {
  try {
    return repository.isFile(path) ? repository.readText(path) : undefined;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
