// The command that verifies a project: the configured one, or one that its files suggest.
import type { VerifyCommand, VerifySetting } from '../ports/verifier.ts';
import { wordsOf } from './configured-words.ts';
import { ECOSYSTEMS } from './ecosystems.ts';
import type { ProjectFiles } from './project-files.ts';

export type Chosen = VerifyCommand | { readonly kind: 'problem'; readonly why: string };

export function verifyCommand(setting: VerifySetting | undefined, files: ProjectFiles): Chosen {
  if (setting === undefined) return detected(files);
  if (setting === 'none') return { kind: 'none' };
  if (typeof setting !== 'string') return 'prompt' in setting ? { kind: 'prompt', ...setting } : configured(setting);
  const words = wordsOf('verify', setting);
  return words.kind === 'problem' ? words : configured(words.words);
}

function configured(words: readonly string[]): Chosen {
  return { kind: 'command', words, why: 'It is set in cadre.json.' };
}

function problem(why: string): Chosen {
  return { kind: 'problem', why };
}

function detected(files: ProjectFiles): Chosen {
  for (const { fits, verify } of ECOSYSTEMS) {
    const command = fits(files) ? verify(files) : undefined;
    if (command !== undefined) return { kind: 'command', ...command };
  }
  return problem(
    'No verify command is configured, and the project has no files that suggest one. Set "verify" in cadre.json to a command, or to "none" if there is nothing to run.',
  );
}
