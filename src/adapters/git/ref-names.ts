// Resolves refs through one long-lived `git cat-file --batch-check`: a lookup costs a line through a pipe, while starting
// git costs as much as a hundred of them.
import { type Talking, talkTo } from '../system/exec.ts';

type Objects = readonly (string | undefined)[];

export interface RefResolverOptions {
  /** Starts the git that answers. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Resolves what that git cannot. */
  fallback(names: readonly string[]): Promise<Objects>;
}

interface Question {
  readonly names: readonly string[];
  answer(objects: Objects | 'unanswered'): void;
}

/** In milliseconds. */
const IDLE_LIMIT = 5_000;
const ANSWER_LIMIT = 10_000;

export class RefResolver {
  readonly #options: RefResolverOptions;
  #git: Talking | undefined;
  #timer: NodeJS.Timeout | undefined;
  #questions: Question[] = [];
  /** The lines of the answer to the first question so far, and the start of the next line. */
  #lines: string[] = [];
  #rest = '';

  constructor(options: RefResolverOptions) {
    this.#options = options;
  }

  /** The objects that refs, commits and `<commit>^{tree}` name, or undefined for those that do not exist. */
  async resolve(names: readonly string[]): Promise<Objects> {
    if (names.length === 0) return [];
    // The protocol is one name a line.
    if (names.some((name) => name.includes('\n'))) return this.#options.fallback(names);
    const objects = await new Promise<Objects | 'unanswered'>((answer) => {
      this.#git ??= this.#start();
      this.#questions.push({ names, answer });
      this.#restartTimer();
      this.#git.write(`${names.join('\n')}\n`);
    });
    return objects === 'unanswered' ? this.#options.fallback(names) : objects;
  }

  #start(): Talking {
    const { argv, env } = this.#options;
    const started: Talking = talkTo(
      argv,
      { env },
      {
        output: (text) => {
          if (this.#git === started) this.#read(text);
        },
        closed: () => {
          if (this.#git === started) this.#stop();
        },
      },
    );
    return started;
  }

  /** A pending answer keeps this process alive; an idle git does not. */
  #restartTimer(): void {
    clearTimeout(this.#timer);
    const isIdle = this.#questions.length === 0;
    this.#timer = setTimeout(() => this.#stop(), isIdle ? IDLE_LIMIT : ANSWER_LIMIT);
    if (isIdle) this.#timer.unref();
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      this.#lines.push(line);
      if (this.#lines.length < (this.#questions[0]?.names.length ?? 0)) continue;
      this.#questions.shift()?.answer(this.#lines.map(objectIn));
      this.#lines = [];
    }
    this.#restartTimer();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#git?.end();
    this.#git = undefined;
    const unanswered = this.#questions;
    [this.#questions, this.#lines, this.#rest] = [[], [], ''];
    for (const { answer } of unanswered) answer('unanswered');
  }
}

/** For a name that does not exist, git repeats the name and adds a word. */
function objectIn(line: string): string | undefined {
  return /^[0-9a-f]{40,64}$/.test(line) ? line : undefined;
}
