// A git that stays for a while and says what names stand for. Looking up a ref this way costs a line through a pipe; a git
// that is started for it costs as much as a hundred of them.
import { type Talking, talkTo } from '../system/exec.ts';

export interface GitNames {
  /** The objects that these names stand for: refs, commits, `<commit>^{tree}`. Nothing for a name that stands for none. */
  resolve(names: readonly string[]): Promise<readonly (string | undefined)[]>;
}

export interface Asker {
  /** How the git that answers is started. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Asked where that git could not answer. */
  otherwise(names: readonly string[]): Promise<readonly (string | undefined)[]>;
}

/** It goes when nobody has asked it anything for so long, in milliseconds, or when it has not answered for so long. */
const STAYS = 5_000;
const PATIENCE = 10_000;

interface Question {
  readonly names: readonly string[];
  answered(objects: readonly (string | undefined)[] | 'unanswered'): void;
}

export function gitNames({ argv, env, otherwise }: Asker): GitNames {
  let git: Talking | undefined;
  let leaves: NodeJS.Timeout | undefined;
  let asked: Question[] = [];
  /** What it has said to the first question so far. */
  let lines: string[] = [];
  let rest = '';

  /** Who waits for an answer keeps this process from ending; a git that only stays does not. */
  const wait = (): void => {
    clearTimeout(leaves);
    leaves = setTimeout(goes, asked.length > 0 ? PATIENCE : STAYS);
    if (asked.length === 0) leaves.unref();
  };

  const goes = (): void => {
    clearTimeout(leaves);
    git?.end();
    git = undefined;
    const unanswered = asked;
    [asked, lines, rest] = [[], [], ''];
    for (const { answered } of unanswered) answered('unanswered');
  };

  const hears = (text: string): void => {
    const said = (rest + text).split('\n');
    rest = said.pop() ?? '';
    for (const line of said) {
      lines.push(line);
      if (lines.length < (asked[0]?.names.length ?? 0)) continue;
      asked.shift()?.answered(lines.map(objectIn));
      lines = [];
    }
    wait();
  };

  const start = (): Talking => {
    const started: Talking = talkTo(
      argv,
      { env },
      {
        output: (text) => {
          if (git === started) hears(text);
        },
        closed: () => {
          if (git === started) goes();
        },
      },
    );
    return started;
  };

  return {
    async resolve(names) {
      if (names.length === 0) return [];
      // It is asked in lines.
      if (names.some((name) => name.includes('\n'))) return otherwise(names);
      const objects = await new Promise<Parameters<Question['answered']>[0]>((answered) => {
        git ??= start();
        asked.push({ names, answered });
        wait();
        git.write(`${names.join('\n')}\n`);
      });
      return objects === 'unanswered' ? otherwise(names) : objects;
    },
  };
}

/** The whole line is an object's name; for anything else git adds a word to what it was asked. */
function objectIn(line: string): string | undefined {
  return /^[0-9a-f]{40,64}$/.test(line) ? line : undefined;
}
