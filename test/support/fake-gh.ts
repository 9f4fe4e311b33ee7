// A remote for pull requests: a bare repository, and a fake `gh`.
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * How the remote behaves: `lying` merges and reports a failure, `queueing` reports success and does not merge, `blocking`
 * requires a check first, `reviewing` an approval, `closing` closes every new pull request, `hanging` never answers.
 */
export type Mood = 'obliging' | 'lying' | 'queueing' | 'blocking' | 'reviewing' | 'closing' | 'hanging' | 'logged out';

export interface Pull {
  readonly url: string;
  readonly head: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
  readonly state: 'OPEN' | 'MERGED' | 'CLOSED';
}

export interface Hub {
  /** The bare repository. */
  readonly path: string;
  /** The folder of the fake `gh`, for the PATH. */
  readonly bin: string;
  mood(mood: Mood): void;
  pulls(): readonly Pull[];
  /** The first two words of each call, such as "pr create". */
  calls(): readonly string[];
  /** A person changes the newest pull request on the remote. */
  change(change: Partial<Pull>): void;
}

/** Adds the remote to the repository in which `git` runs. */
export function bringHub(folder: string, git: (...argv: readonly string[]) => string): Hub {
  const [path, bin] = [join(folder, 'remote.git'), join(folder, 'gh-bin')];
  const at = (name: string): string => join(folder, name);
  const textOf = (name: string): string => (existsSync(at(name)) ? readFileSync(at(name), 'utf8') : '');
  const pulls = (): readonly Pull[] => JSON.parse(textOf('gh-pulls') || '[]');
  git('init', '--quiet', '--bare', path);
  git('remote', 'add', 'origin', path);
  git('push', '--quiet', 'origin', 'main');
  mkdirSync(bin);
  copyFileSync(resolve('test/support/programs/gh.mjs'), join(bin, 'gh'));
  chmodSync(join(bin, 'gh'), 0o755);
  return {
    path,
    bin,
    mood: (mood) => writeFileSync(at('gh-mood'), mood),
    pulls,
    calls: () =>
      textOf('gh-calls')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line).slice(0, 2).join(' ')),
    change(change) {
      const all = [...pulls()];
      writeFileSync(at('gh-pulls'), JSON.stringify([...all.slice(0, -1), { ...all.at(-1), ...change }]));
    },
  };
}
