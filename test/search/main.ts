// Runs models and tells what came of each: `node scripts/search.mjs [--model <words>]`.
import { MODELS } from './models.ts';
import { search } from './search.ts';

export function runModels(words: string, enough: number, most: number): readonly ReturnType<typeof search>[] {
  return MODELS.filter((model) => model.name.includes(words)).map((model) =>
    search(model, { violations: enough, states: most }),
  );
}
