// Settings that changed while a plan was being built and wait for a person's word, as a sentence.
import { quoteForShell } from '../../text/shell.ts';
import { showText } from '../../text/show.ts';
import type { World } from '../model/world.ts';
import type { Guarded, Proposed } from '../settings/guarded.ts';
import type { Policy, Program, VerifyPolicy } from '../settings/policy.ts';

/** Undefined where nothing waits. */
export function proposedSentence({ proposed, policy }: Pick<World, 'proposed' | 'policy'>): string | undefined {
  if (proposed === undefined) return undefined;
  const changes = changeWords(policy, proposed);
  return `the settings changed while it is being built: ${changes}. The change does not apply until you accept it.`;
}

/** "verify is "none" instead of npm test; land is local instead of manual". */
export function changeWords(before: Policy, after: Proposed): string {
  const names = (Object.keys(after) as Guarded[]).filter(
    (name) =>
      (name !== 'verification' || after.verify === undefined) && (name !== 'profiles' || after.programs === undefined),
  );
  return names
    .map((name) => `${KEYS[name]} is ${valueWords(name, after)} instead of ${valueWords(name, before)}`)
    .join('; ');
}

const KEYS: Readonly<Record<Guarded, string>> = {
  setup: 'setup',
  verify: 'verify',
  verification: 'who verifies',
  land: 'land',
  taskMerge: 'task_merge',
  programs: 'the programs of the roles',
  profiles: 'the profiles',
  architect: 'architect',
  autoVerify: 'auto_verify',
  notifyCommand: 'notify.command',
};

function valueWords(name: Guarded, policy: Proposed): string {
  switch (name) {
    case 'setup':
      return commandWords(policy.setup ?? []);
    case 'notifyCommand':
      return commandWords(policy.notifyCommand ?? []);
    case 'verify':
      return verifyWords(policy.verify ?? null);
    case 'programs':
      return programWords(policy.programs ?? {});
    case 'profiles':
      return programWords(policy.profiles ?? {});
    case 'architect':
      return JSON.stringify(policy.architect);
    default:
      return `${policy[name]}`;
  }
}

export function verifyWords(verify: VerifyPolicy | null): string {
  if (verify === null) return 'missing';
  if (verify === 'none') return '"none"';
  return 'prompt' in verify ? `a prompt for the agent` : commandWords(verify);
}

function commandWords(words: readonly string[]): string {
  return words.length === 0 ? 'nothing' : showText(quoteForShell(words));
}

function programWords(programs: Readonly<Record<string, Program>>): string {
  const all = Object.entries(programs).map(([role, one]) => `${role}: ${wordsOf(one)}`);
  const different = new Set(Object.values(programs).map(wordsOf));
  return different.size === 1 ? ([...different][0] ?? '') : all.join(', ');
}

function wordsOf({ program, flags, grants, sandbox }: Program): string {
  const { permissions, allow = [] } = grants ?? {};
  const more = [
    ...(permissions === undefined ? [] : [`permissions: ${permissions}`]),
    ...(sandbox === undefined ? [] : [`sandbox: ${sandbox}`]),
    ...(allow.length === 0 ? [] : [`allowed: ${allow.map(showText).join(', ')}`]),
  ];
  return `${commandWords([program, ...flags])}${more.length === 0 ? '' : ` (${more.join('; ')})`}`;
}
