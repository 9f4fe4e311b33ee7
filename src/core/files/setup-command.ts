// The command that prepares a new worktree: the configured one, or one that the project's files suggest.
import type { SetupCommand, SetupSetting } from '../ports/verifier.ts';
import { wordsOf } from './configured-words.ts';
import { ECOSYSTEMS } from './ecosystems.ts';
import type { ProjectFiles } from './project-files.ts';

export function setupCommand(
  setting: SetupSetting | undefined,
  files: ProjectFiles,
): SetupCommand | { readonly kind: 'problem'; readonly why: string } {
  if (setting === undefined) return detected(files);
  if (setting === 'none') return configured([]);
  if (typeof setting !== 'string') return configured(setting);
  const words = wordsOf('setup', setting);
  return words.kind === 'problem' ? words : configured(words.words);
}

function configured(words: readonly string[]): SetupCommand {
  return { kind: 'setup', words, why: 'It is set in cadre.json.' };
}

/** What the tests need comes first; tests that need nothing may be called by make for a project that does. */
function detected(files: ProjectFiles): SetupCommand {
  const fitting = ECOSYSTEMS.filter(({ fits }) => fits(files));
  const tested = fitting.find(({ verify }) => verify(files) !== undefined);
  const others = tested === undefined || tested.name === 'make' ? fitting : [];
  const [command] = [...(tested === undefined ? [] : [tested]), ...others].flatMap(({ setup }) => setup(files) ?? []);
  return command === undefined
    ? { kind: 'setup', words: [], why: 'The project needs none.' }
    : { kind: 'setup', ...command };
}
