// One connection to a tmux server in control mode: commands go in as lines, answers and notifications come out as lines.
import { Failure } from '../../../core/model/failure.ts';
import { showText } from '../../../text/show.ts';
import { type Talking, talkTo } from '../../system/exec.ts';

/** The tmux session that the connection is attached to. Every window is linked into it. No place can have this name. */
export const HUB = '+hub';

/** What tmux reports without being asked. */
interface Notifications {
  output(pane: string): void;
  /** A program or a window has started, ended, appeared or gone. */
  changed(): void;
  /** The connection, which was open, is lost. */
  closed(): void;
}

export type ConnectResult =
  | { readonly kind: 'open'; readonly control: TmuxControl }
  /** There is definitely no server. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown'; readonly why: string };

export interface Answers {
  /** The lines of each command's answer, up to the command that was refused. */
  readonly answers: readonly (readonly string[])[];
  readonly refusal: string | undefined;
}

interface Question {
  readonly commands: number;
  readonly answers: (readonly string[])[];
  answer(answers: Answers): void;
  fail(failure: Failure): void;
}

/** Set with -q, because an older tmux does not know all of them. */
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
  // How long a message stays, in milliseconds.
  ['display-time', '4000'],
];

/** The name that a tmux server listens under. */
export type ServerName = string;

/** The server outlasts cadre, so it gets nothing from a person's configuration or from our environment. */
export function tmuxArguments(server: ServerName): readonly string[] {
  return ['tmux', '-u', '-L', server, '-f', '/dev/null'];
}

export function tmuxEnvironment(): Record<string, string> {
  const { PATH = '/usr/local/bin:/usr/bin:/bin', HOME = '/' } = process.env;
  return { PATH, HOME, TERM: 'xterm-256color', LANG: 'C.UTF-8', SHELL: '/bin/sh' };
}

export interface Connection {
  readonly server: ServerName;
  /** Whether to start the server if there is none. */
  readonly mayStart: boolean;
  /** How long an answer may take, in milliseconds. */
  readonly timeout: number;
  readonly notifications: Notifications;
}

export class TmuxControl {
  /**
   * Stays pending for as long as the server does not answer. A caller may stop waiting, but must not kill the connection's
   * process: tmux 3.3 crashes on a command from a client that is gone, and takes every program with it.
   */
  static open({ server, mayStart, timeout, notifications }: Connection): Promise<ConnectResult> {
    return new Promise((settle) => {
      const control = new TmuxControl(timeout, notifications);
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
            settle(whyNotOpen(errors.trim() || control.#exitReason));
            control.#lost();
            control.#markEnded();
          },
        },
      );
    });
  }

  readonly #timeout: number;
  readonly #notifications: Notifications;
  readonly #questions: Question[] = [];
  #talking: Talking | undefined;
  #attached: () => void = () => undefined;
  #unfinished = '';
  #block: { readonly id: string; readonly lines: string[] } | undefined;
  #isOpen = true;
  #wasOpen = false;
  #exitReason = '';
  #markEnded: () => void = () => undefined;
  readonly #ended = new Promise<void>((ended) => {
    this.#markEnded = ended;
  });

  private constructor(timeout: number, notifications: Notifications) {
    this.#timeout = timeout;
    this.#notifications = notifications;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Runs the commands one after another, without commands of others in between, until one is refused. */
  ask(...commands: readonly (readonly string[])[]): Promise<Answers> {
    return new Promise((answered, failed) => {
      if (!this.#isOpen) return failed(lostFailure());
      // The question stays in the queue, because its answer may still come.
      const tooLong = setTimeout(() => failed(silentFailure()), this.#timeout);
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

  /** Disconnects from the server, which keeps running. Resolves once the server has noticed, or does not answer. */
  leave(): Promise<void> {
    this.#talking?.end();
    this.#lost();
    return new Promise((left) => {
      const tooLong = setTimeout(left, this.#timeout);
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
    if (this.#wasOpen) this.#notifications.closed();
  }

  #read(text: string): void {
    const lines = (this.#unfinished + text).split('\n');
    this.#unfinished = lines.pop() ?? '';
    for (const line of lines) this.#readLine(line);
  }

  #readLine(line: string): void {
    if (this.#block !== undefined) return this.#readAnswer(this.#block, line);
    const [word = '', rest = ''] = splitOnce(line);
    if (word === '%output') this.#notifications.output(splitOnce(rest)[0] ?? '');
    else if (word === '%begin') this.#block = { id: rest, lines: [] };
    else if (word === '%exit') this.#exitReason = rest;
    else if (word === '%session-changed') this.#attached();
    else if (CHANGES.has(word)) this.#notifications.changed();
  }

  #readAnswer(block: { readonly id: string; readonly lines: string[] }, line: string): void {
    const isRefused = line === `%error ${block.id}`;
    if (!isRefused && line !== `%end ${block.id}`) return void block.lines.push(line);
    this.#block = undefined;
    // The ids of answers to the commands that opened the connection end in 0.
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

/** The hub's own program ends at once: a terminal without a process is enough to keep the tmux session. */
function openingCommands(): readonly string[] {
  return [
    ...OPTIONS.flatMap(([name, value]) => ['set-option', '-gq', name, value, ';']),
    // The way back for a person who is attached.
    ...['bind-key', '-n', 'C-q', 'detach-client', ';'],
    ...['new-session', '-A', '-s', HUB, '-x', '200', '-y', '50', '-f', 'ignore-size', '/bin/sh', '-c', ':'],
  ];
}

/** Commands contain nothing that came from outside, so there is nothing to escape. */
function tmuxWord(word: string): string {
  if (/['\n]/.test(word)) throw new Error(`A command to tmux contains a quote or a line end: ${word}`);
  return `'${word}'`;
}

function whyNotOpen(errors: string): ConnectResult {
  if (/^no server running on |^error connecting to .*\(No such file or directory\)/m.test(errors))
    return { kind: 'absent' };
  return { kind: 'unknown', why: `tmux says: ${showText(errors)}` };
}

function silentFailure(): Failure {
  return new Failure('environment', 'tmux-silent', NOT_ANSWERING);
}

/** For a server that exists. */
export const NOT_ANSWERING = "cadre's tmux server is not answering. If that continues, look at it with ps.";

function lostFailure(): Failure {
  return new Failure('environment', 'tmux-lost', 'The connection to tmux was lost. Try again.');
}
