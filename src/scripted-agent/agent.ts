// Performs a script, one command after another, and says what it does.
import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { explained, Failure } from '../core/model/failure.ts';
import type { Watcher } from '../core/ports/watcher.ts';
import { showName, showText } from '../text/show.ts';
import { GARBAGE } from './garbage.ts';
import type { Command } from './script.ts';

/** What the agent is given of the world around it. */
export interface Around {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How `cadre` is called here. */
  readonly cadre: readonly string[];
  /** Comes back when there is room for more. */
  write(bytes: string | Uint8Array): Promise<void>;
  /** Nothing at the end of the input. */
  nextLine(): Promise<string | undefined>;
  /** A program that writes where the agent writes, and outlives it. */
  start(argv: readonly string[], input?: string): Started;
  /** A program in a session of its own, whose parent has ended. */
  startDaemon(argv: readonly string[]): Promise<void>;
  watch(changed: () => void): Watcher;
  ignoreTermination(): void;
}

export interface Started {
  readonly pid: number | undefined;
  readonly ended: Promise<number>;
}

/** Answers with the exit status. A failure is of the script's making or of the machine's, and ends it. */
export async function perform(commands: readonly Command[], around: Around): Promise<number> {
  const agent = new ScriptedAgent(around);
  for (const command of commands) {
    const status = await agent.do(command);
    if (status !== undefined) return status;
  }
  return 0;
}

/** Some years; "infinity" is not understood by every sleep(1). */
const FOR_EVER = '999999999';

class ScriptedAgent {
  readonly #around: Around;
  /** Files that no commit may take. */
  readonly #dirty = new Set<string>();
  /** What cadre reads at the bottom of the screen. */
  #look: string | undefined;

  constructor(around: Around) {
    this.#around = around;
  }

  /** Nothing while the script goes on, else the status with which it ends. */
  async do({ name, words }: Command): Promise<number | undefined> {
    const [first = '', second = ''] = words;
    switch (name) {
      case 'edit':
      case 'append':
        await this.#tell(`${name} ${first}`);
        return this.#write(first, `${second}\n`, name);
      case 'write':
      case 'add':
        await this.#tell(`${name} ${first}`);
        return this.#write(first, second, name === 'write' ? 'edit' : 'append');
      case 'delete':
        await this.#tell(`delete ${first}`);
        explained('delete', first, () => rmSync(this.#path(first)));
        return;
      case 'dirty':
        await this.#tell(`dirty ${first}: changed, and not to be committed`);
        this.#dirty.add(this.#path(first));
        return this.#write(first, 'This is not committed.\n', 'append');
      case 'commit':
        await this.#tell(`commit ${first}`);
        return this.#commit(first);
      case 'signal':
        return this.#signal(first, words[1]);
      case 'ask':
        return this.#signal('question', first);
      case 'sentinel':
        return this.#sentinel(first, second);
      case 'report':
        await this.#tell(`report ${first}`);
        return this.#run([...this.#around.cadre, 'hook', this.#around.env.CADRE_SESSION ?? '', first]);
      case 'finish-lying':
        return this.#signal('implement-finished', undefined);
      case 'say':
        await this.#around.write(`${first}\n`);
        return this.#lookAgain();
      case 'busy':
      case 'idle':
        return this.#lookLike(`[${name}]`);
      case 'asks':
        return this.#lookLike(`[asks] ${showText(first)}`);
      case 'read-line': {
        await this.#tell('read-line');
        const line = await this.#around.nextLine();
        return this.#tell(line === undefined ? 'heard the end of the input' : `heard: ${line}`);
      }
      case 'sleep':
        await this.#tell(`sleep ${first}`);
        return pause(Number(first));
      case 'wait-for':
        await this.#tell(`wait-for ${first}`);
        return this.#waitFor(this.#path(first));
      case 'hang':
        await this.#tell('hang');
        return forEver();
      case 'ignore-sigterm':
        this.#around.ignoreTermination();
        return this.#tell('ignore-sigterm');
      case 'fork': {
        const seconds = first === 'forever' ? FOR_EVER : String(Number(first) / 1000);
        return this.#tell(`fork ${first}: process ${this.#around.start(['sleep', seconds]).pid}`);
      }
      case 'daemon':
        await this.#around.startDaemon(['sleep', FOR_EVER]);
        return this.#tell('daemon');
      case 'garbage':
        await this.#around.write(GARBAGE);
        return this.#tell('garbage');
      case 'flood':
        await this.#flood(Number(first));
        return this.#tell(`flood ${first}`);
      case 'run':
        await this.#tell(`run ${words.join(' ')}`);
        return this.#run(first === 'cadre' ? [...this.#around.cadre, ...words.slice(1)] : words);
      case 'expect-env':
        await this.#tell(`expect-env ${first} ${second}`);
        return this.#expect(first, second);
      case 'exit':
        await this.#tell(`exit ${first}`);
        return Number(first);
      case 'crash':
        await this.#around.write('crash\n');
        setImmediate(() => {
          throw new Error('The script says to crash.');
        });
        return forEver();
    }
  }

  async #tell(line: string): Promise<undefined> {
    await this.#around.write(`${showText(line)}\n`);
    return this.#lookAgain();
  }

  async #lookLike(line: string): Promise<undefined> {
    this.#look = line;
    return this.#lookAgain();
  }

  /** It has to stand at the very bottom, below whatever was printed since. */
  async #lookAgain(): Promise<undefined> {
    if (this.#look !== undefined) await this.#around.write(`${this.#look}\n`);
  }

  #path(path: string): string {
    return resolve(this.#around.cwd, path);
  }

  #write(path: string, text: string, how: 'edit' | 'append'): undefined {
    const whole = this.#path(path);
    explained('write', path, () => {
      mkdirSync(dirname(whole), { recursive: true });
      if (how === 'append') appendFileSync(whole, text);
      else writeFileSync(whole, text);
    });
  }

  async #commit(message: string): Promise<undefined> {
    const { cwd } = this.#around;
    const left = [...this.#dirty, this.#path(PLAN_STATE)];
    const inside = left.map((path) => relative(cwd, path)).filter((path) => !path.startsWith('..'));
    const excluded = inside.filter((path) => !isAbsolute(path)).map((path) => `:(exclude,literal)${path}`);
    await this.#git('add', '--all', '--', '.', ...excluded);
    await this.#git(...AS_ITSELF, 'commit', '--quiet', '-m', message);
    return this.#lookAgain();
  }

  async #git(...argv: readonly string[]): Promise<void> {
    const status = await this.#around.start(['git', ...argv]).ended;
    if (status !== 0)
      throw new Failure(
        'failed',
        'git',
        `git ${argv.find((word) => /^(?:add|commit)$/.test(word))} failed (${status}).`,
      );
  }

  /** Being refused ends no agent: the script goes on with whatever comes next. */
  async #signal(name: string, body: string | undefined): Promise<undefined> {
    await this.#tell(`signal ${name}`);
    const argv = [...this.#around.cadre, 'signal', name];
    return body === undefined ? this.#run(argv) : this.#run([...argv, '--body-file', '-'], body);
  }

  async #run(argv: readonly string[], input?: string): Promise<undefined> {
    const status = await this.#around.start(argv, input).ended;
    return status === 0 ? this.#lookAgain() : this.#tell(`exit status ${status}`);
  }

  async #sentinel(name: string, body: string): Promise<undefined> {
    const plan = this.#around.env.CADRE_PLAN;
    // A name with the plan in it is taken as it is; so one for another plan can be dropped.
    if (!name.endsWith('.md') && !plan)
      throw new Failure('usage', 'no-plan', `Which plan is "${showName(name)}" about? CADRE_PLAN is not set.`);
    const path = join('docs', 'plans', '.signals', name.endsWith('.md') ? name : `${name}-${plan}`);
    await this.#tell(`sentinel ${path}`);
    return this.#write(path, body, 'edit');
  }

  #waitFor(path: string): Promise<undefined> {
    const { watch } = this.#around;
    return new Promise((there) => {
      const look = (): void => {
        if (!existsSync(path)) return void watcher.follow([folderAbove(path)]);
        watcher.close();
        clearInterval(timer);
        there(undefined);
      };
      const watcher = watch(look);
      // The watcher makes it quick; that nothing is missed is the timer's business.
      const timer = setInterval(look, LOOK_EVERY);
      look();
    });
  }

  async #flood(kilobytes: number): Promise<void> {
    const line = `${'0123456789abcdef'.repeat(4).slice(1)}\n`;
    for (let written = 0; written < kilobytes; written++) await this.#around.write(line.repeat(1024 / line.length));
  }

  #expect(name: string, value: string): undefined {
    const found = this.#around.env[name];
    if (found === (value === 'unset' ? undefined : value)) return;
    const [is, wanted] = [found, value === 'unset' ? undefined : value].map((one) =>
      one === undefined ? 'not set' : `"${showName(one)}"`,
    );
    throw new Failure(
      'failed',
      'expectation',
      `${showName(name)} is ${is}, and the script expects it to be ${wanted}.`,
    );
  }
}

/** cadre's own, and in no agent's commit. */
const PLAN_STATE = 'docs/plans/plan-state.json';

/** Whoever runs it need not have told git who they are, and a passphrase cannot be asked for. */
const AS_ITSELF = [
  ...['-c', 'user.name=cadre-scripted-agent'],
  ...['-c', 'user.email=scripted-agent@localhost'],
  ...['-c', 'commit.gpgsign=false'],
];

/** In milliseconds. */
const LOOK_EVERY = 500;

function folderAbove(path: string): string {
  const folder = dirname(path);
  return existsSync(folder) || folder === path ? folder : folderAbove(folder);
}

function forEver(): Promise<never> {
  return new Promise(() => setInterval(() => undefined, 2 ** 30));
}
