// Makes a repository ready for cadre: what is found in it, what would be written, and writing it.
import { everyWish, type ProjectSettings, wishesFor } from '../core/files/init/init-files.ts';
import { changeFor, removalOf } from '../core/files/init/wishes.ts';
import type { InitFiles, InitLook, ProposedFile } from './init-files.ts';

export interface InitChoice {
  /** A test command that the person has typed; "none" if there is nothing to run. */
  readonly verify?: string;
}

export interface InitProposal {
  readonly look: InitLook;
  readonly changes: readonly ProposedFile[];
}

export interface Init {
  look(): Promise<InitLook>;
  propose(choice: InitChoice): Promise<InitProposal>;
  proposeRemoval(): Promise<InitProposal>;
  write(changes: readonly ProposedFile[]): void;
}

export function initIn(init: InitFiles): Init {
  return {
    look: () => init.look(),
    async propose(choice) {
      const look = await init.look();
      const wishes = wishesFor({
        settings: settingsFrom(look, choice),
        programs: look.agents.map(({ program }) => program),
        hasPlans: look.hasPlans,
        ignored: look.unignored,
      });
      return { look, changes: wishes.map((wish) => changeFor(wish, init.textOf)) };
    },
    async proposeRemoval() {
      const look = await init.look();
      const wishes = everyWish(settingsFrom(look, {}), look.unignored);
      return { look, changes: wishes.flatMap((wish) => removalOf(wish, init.textOf) ?? []) };
    },
    write: (changes) => init.write(changes),
  };
}

function settingsFrom({ branch, setup, verify }: InitLook, choice: InitChoice): ProjectSettings {
  return {
    ...(branch === undefined ? {} : { base_branch: branch }),
    ...(setup === undefined ? {} : { setup: asTyped(setup.words) }),
    ...(choice.verify !== undefined
      ? { verify: choice.verify }
      : verify === undefined
        ? {}
        : { verify: asTyped(verify.words) }),
  };
}

/** As one line where no word needs quotes. */
function asTyped(words: readonly string[]): readonly string[] | string {
  return words.every((word) => /^[\w./:=@+-]+$/.test(word)) ? words.join(' ') : words;
}
