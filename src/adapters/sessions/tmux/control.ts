// One connection to a tmux server in control mode: commands go in as lines, answers and news come out as lines.
import { Failure } from '../../../core/model/failure.ts';
import { showText } from '../../../text/show.ts';
import { type Talking, talkTo } from '../../system/exec.ts';

/** The session that the connection is attached to; every window is linked into it. No place can have this name. */
export const HUB = '+hub';

/** What tmux tells while nobody asks it. */
export interface Notices {
  output(pane: string): void;
  /** Something has begun, ended, come or gone. */
  changed(): void;
  /** A connection that was open is not any more. */
  closed(): void;
}

export type Opened =
  | { readonly kind: 'open'; readonly control: TmuxControl }
  /** There is certainly no server. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown'; readonly why: string };

export interface Answers {
  /** The lines of each command's answer, up to the one that was refused. */
  readonly answers: readonly (readonly string[])[];
  readonly refusal: string | undefined;
}

interface Question {
  readonly commands: number;
  readonly answers: (readonly string[])[];
  answer(answers: Answers): void;
  fail(failure: Failure): void;
}

/** Quietly, since an older tmux does not know all of them. */
const OPTIONS: readonly (readonly [string, string])[] = [
  ['remain-on-exit', 'on'],
  ['remain-on-exit-format', ''],
  ['history-limit', '20000'],
  ['default-shell', '/bin/sh'],
  ['default-size', '200x50'],
  ['window-size', 'latest'],
  ['update-environment', ''],
  ['automatic-rename', 'off'],
  ['allow-rename', 'off'],
  ['status', 'off'],
];

/** The name that a tmux server listens under. */
export type ServerName = string;

/** Nothing of a person's configuration or of our environment goes into a server that outlasts us. */
export function tmuxArguments(server: ServerName): readonly string[] {
  return ['tmux', '-u', '-L', server, '-f', '/dev/null'];
}

function tmuxEnvironment(): Record<string, string> {
  const { PATH = '/usr/local/bin:/usr/bin:/bin', HOME = '/' } = process.env;
  return { PATH, HOME, TERM: 'xterm-256color', LANG: 'C.UTF-8', SHELL: '/bin/sh' };
}

export interface Connection {
  readonly server: ServerName;
  /** Whether the server is to be started where there is none. */
  readonly mayStart: boolean;
  /** How long an answer may take, in milliseconds, before the server counts as not answering. */
  readonly patience: number;
  readonly notices: Notices;
}

export class TmuxControl {
  /**
   * As long as the server does not answer, this does not either. Who does not want to wait may turn to something else, but
   * nobody may kill the connection's process: tmux 3.3 falls over the command of one that is gone, and every program with it.
   */
  static open({ server, mayStart, patience, notices }: Connection): Promise<Opened> {
    return new Promise((settle) => {
      const control = new TmuxControl(patience, notices);
      control.#attached = () => {
        control.#wasOpen = true;
        settle({ kind: 'open', control });
      };
      control.#talking = talkTo(
        [...tmuxArguments(server), ...(mayStart ? [] : ['-N']), '-C', ...openingCommands()],
        { cwd: '/', env: tmuxEnvironment() },
        {
          output: (text) => control.#read(text),
          closed: (errors) => {
            settle(whyNotOpen(errors.trim() || control.#lastWord));
            control.#lost();
            control.#sayEnded();
          },
        },
      );
    });
  }

  readonly #patience: number;
  readonly #notices: Notices;
  readonly #questions: Question[] = [];
  #talking: Talking | undefined;
  #attached: () => void = () => undefined;
  #unfinished = '';
  #block: { readonly id: string; readonly lines: string[] } | undefined;
  #isOpen = true;
  #wasOpen = false;
  #lastWord = '';
  #sayEnded: () => void = () => undefined;
  readonly #ended = new Promise<void>((ended) => {
    this.#sayEnded = ended;
  });

  private constructor(patience: number, notices: Notices) {
    this.#patience = patience;
    this.#notices = notices;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Carries the commands out one after another, with nobody else's in between, until one is refused. */
  ask(...commands: readonly (readonly string[])[]): Promise<Answers> {
    return new Promise((answered, failed) => {
      if (!this.#isOpen) return failed(lostFailure());
      // The question stays in its turn, because the answer may still come.
      const tooLong = setTimeout(() => failed(silentFailure()), this.#patience);
      this.#questions.push({
        commands: commands.length,
        answers: [],
        answer: (answers) => {
          clearTimeout(tooLong);
          answered(answers);
        },
        fail: (failure) => {
          clearTimeout(tooLong);
          failed(failure);
        },
      });
      this.#talking?.write(`${commands.map((words) => words.map(tmuxWord).join(' ')).join(' ; ')}\n`);
    });
  }

  /** Lets go of the server, which lives on; resolves when it has seen that, or does not answer. */
  leave(): Promise<void> {
    this.#talking?.end();
    this.#lost();
    return new Promise((left) => {
      const tooLong = setTimeout(left, this.#patience);
      this.#ended.then(() => {
        clearTimeout(tooLong);
        left();
      });
    });
  }

  #lost(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    for (const question of this.#questions.splice(0)) question.fail(lostFailure());
    if (this.#wasOpen) this.#notices.closed();
  }

  #read(text: string): void {
    const lines = (this.#unfinished + text).split('\n');
    this.#unfinished = lines.pop() ?? '';
    for (const line of lines) this.#readLine(line);
  }

  #readLine(line: string): void {
    if (this.#block !== undefined) return this.#readAnswer(this.#block, line);
    const [word = '', rest = ''] = splitOnce(line);
    if (word === '%output') this.#notices.output(splitOnce(rest)[0] ?? '');
    else if (word === '%begin') this.#block = { id: rest, lines: [] };
    else if (word === '%exit') this.#lastWord = rest;
    else if (word === '%session-changed') this.#attached();
    else if (CHANGES.has(word)) this.#notices.changed();
  }

  #readAnswer(block: { readonly id: string; readonly lines: string[] }, line: string): void {
    const isRefused = line === `%error ${block.id}`;
    if (!isRefused && line !== `%end ${block.id}`) return void block.lines.push(line);
    this.#block = undefined;
    // Answers to the commands that opened the connection end in 0.
    const [question] = this.#questions;
    if (question === undefined || !block.id.endsWith(' 1')) return;
    if (!isRefused) question.answers.push(block.lines);
    if (!isRefused && question.answers.length < question.commands) return;
    this.#questions.shift();
    question.answer({ answers: question.answers, refusal: isRefused ? block.lines.join(' ') : undefined });
  }
}

const CHANGES: ReadonlySet<string> = new Set([
  '%subscription-changed',
  '%window-add',
  '%window-close',
  '%unlinked-window-close',
  '%sessions-changed',
]);

function splitOnce(line: string): readonly [string, string] {
  const at = line.indexOf(' ');
  return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)];
}

/** The hub's own program ends at once: a terminal without a process holds the session. */
function openingCommands(): readonly string[] {
  return [
    ...OPTIONS.flatMap(([name, value]) => ['set-option', '-gq', name, value, ';']),
    ...['new-session', '-A', '-s', HUB, '-x', '200', '-y', '50', '-f', 'ignore-size', '/bin/sh', '-c', ':'],
  ];
}

/** Nothing that came from outside stands in a command, so there is nothing to escape. */
function tmuxWord(word: string): string {
  if (/['\n]/.test(word)) throw new Error(`A command to tmux has a quote or a line end in it: ${word}`);
  return `'${word}'`;
}

function whyNotOpen(errors: string): Opened {
  if (/^no server running on |^error connecting to .*\(No such file or directory\)/m.test(errors))
    return { kind: 'absent' };
  return { kind: 'unknown', why: `tmux says: ${showText(errors)}` };
}

function silentFailure(): Failure {
  return new Failure('environment', 'tmux-silent', SILENT);
}

/** What there is to say of a server that is there. */
export const SILENT = 'The tmux server of cadre does not answer. If it stays like this, look at it with "ps".';

function lostFailure(): Failure {
  return new Failure('environment', 'tmux-lost', 'The connection to tmux was lost. Try again.');
}
