// Runs a script, one command after the other, and prints what it does.
import { appendFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PLAN_STATE_FILE } from '../core/files/plan-state.ts';
import { explained, Failure } from '../core/model/failure.ts';
import type { Watcher } from '../core/ports/watcher.ts';
import { showName, showText } from '../text/show.ts';
import { DOCUMENT_FILE } from '../workshop/document-file.ts';
import { GARBAGE } from './garbage.ts';
import type { ScriptCommand } from './script.ts';

/** Everything outside of the agent that it uses. */
export interface AgentPorts {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The start of every argument list that calls `cadre`. */
  readonly cadre: readonly string[];
  /** Resolves when there is room for more output. */
  write(bytes: string | Uint8Array): Promise<void>;
  /** Undefined at the end of the input. */
  nextLine(): Promise<string | undefined>;
  /** Starts a program that shares the agent's output and may outlive it. */
  start(argv: readonly string[], input?: string): Started;
  /** Starts a program in a new session, whose parent has ended. */
  startDaemon(argv: readonly string[]): Promise<void>;
  watch(changed: () => void): Watcher;
  ignoreTermination(): void;
}

export interface Started {
  readonly pid: number | undefined;
  readonly ended: Promise<number>;
}

/** Returns the exit status. A failure, of the script or of the system, ends the script. */
export async function performScript(commands: readonly ScriptCommand[], ports: AgentPorts): Promise<number> {
  const agent = new ScriptedAgent(ports);
  for (const command of commands) {
    const status = await agent.do(command);
    if (status !== undefined) return status;
  }
  return 0;
}

/** In seconds, about 30 years. Not every sleep(1) understands "infinity". */
const FOREVER = '999999999';

class ScriptedAgent {
  readonly #ports: AgentPorts;
  /** Files to exclude from commits. */
  readonly #dirty = new Set<string>();
  /** The line that cadre reads at the bottom of the screen. */
  #status: string | undefined;

  constructor(ports: AgentPorts) {
    this.#ports = ports;
  }

  /** The exit status if the script ends, undefined if it continues. */
  async do({ name, words }: ScriptCommand): Promise<number | undefined> {
    const [first = '', second = ''] = words;
    switch (name) {
      case 'edit':
      case 'append':
        await this.#print(`${name} ${first}`);
        return this.#write(first, `${second}\n`, name);
      case 'write':
      case 'add':
        await this.#print(`${name} ${first}`);
        return this.#write(first, second, name === 'write' ? 'edit' : 'append');
      case 'delete':
        await this.#print(`delete ${first}`);
        explained('delete', first, () => rmSync(this.#path(first)));
        return;
      case 'dirty':
        await this.#print(`dirty ${first}: changed, will not be committed`);
        this.#dirty.add(this.#path(first));
        return this.#write(first, 'This is not committed.\n', 'append');
      case 'commit':
        await this.#print(`commit ${first}`);
        return this.#commit(first);
      case 'signal':
        return this.#signal(first, words[1]);
      case 'ask':
        return this.#signal('question', first);
      case 'round':
        this.#write(DOCUMENT_FILE, first, 'edit');
        await this.#print('round');
        return this.#run([...this.#ports.cadre, 'signal', 'round-finished', '--body-file', DOCUMENT_FILE]);
      case 'sentinel':
        return this.#sentinel(first, words[1]);
      case 'report':
        await this.#print(`report ${first}`);
        return this.#run([...this.#ports.cadre, 'hook', this.#ports.env.CADRE_SESSION ?? '', first]);
      case 'finish-lying':
        return this.#signal('implement-finished', undefined);
      case 'say':
        await this.#ports.write(`${first}\n`);
        return this.#printStatus();
      case 'busy':
      case 'idle':
        return this.#showStatus(`[${name}]`);
      case 'asks':
        return this.#showStatus(`[asks] ${showText(first)}`);
      case 'read-line': {
        await this.#print('read-line');
        const line = await this.#ports.nextLine();
        return this.#print(line === undefined ? 'received the end of the input' : `received: ${line}`);
      }
      case 'sleep':
        await this.#print(`sleep ${first}`);
        return pause(Number(first));
      case 'wait-for':
        await this.#print(`wait-for ${first}`);
        return this.#waitFor(this.#path(first));
      case 'hang':
        await this.#print('hang');
        return forever();
      case 'ignore-sigterm':
        this.#ports.ignoreTermination();
        return this.#print('ignore-sigterm');
      case 'fork': {
        const seconds = first === 'forever' ? FOREVER : String(Number(first) / 1000);
        return this.#print(`fork ${first}: process ${this.#ports.start(['sleep', seconds]).pid}`);
      }
      case 'daemon':
        await this.#ports.startDaemon(['sleep', FOREVER]);
        return this.#print('daemon');
      case 'garbage':
        await this.#ports.write(GARBAGE);
        return this.#print('garbage');
      case 'flood':
        await this.#flood(Number(first));
        return this.#print(`flood ${first}`);
      case 'run':
        await this.#print(`run ${words.join(' ')}`);
        return this.#run(first === 'cadre' ? [...this.#ports.cadre, ...words.slice(1)] : words);
      case 'expect-env':
        await this.#print(`expect-env ${first} ${second}`);
        return this.#expect(first, second);
      case 'exit':
        await this.#print(`exit ${first}`);
        return Number(first);
      case 'crash':
        await this.#ports.write('crash\n');
        setImmediate(() => {
          throw new Error('The script says to crash.');
        });
        return forever();
    }
  }

  async #print(line: string): Promise<undefined> {
    await this.#ports.write(`${showText(line)}\n`);
    return this.#printStatus();
  }

  async #showStatus(line: string): Promise<undefined> {
    this.#status = line;
    return this.#printStatus();
  }

  /** Prints it again below everything else, because it must be the last line of the screen. */
  async #printStatus(): Promise<undefined> {
    if (this.#status !== undefined) await this.#ports.write(`${this.#status}\n`);
  }

  #path(path: string): string {
    return resolve(this.#ports.cwd, path);
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
    const { cwd } = this.#ports;
    // cadre writes plan-state.json, so agents must not commit it.
    const left = [...this.#dirty, this.#path(PLAN_STATE_FILE)];
    const inside = left.map((path) => relative(cwd, path)).filter((path) => !path.startsWith('..'));
    const excluded = inside.filter((path) => !isAbsolute(path)).map((path) => `:(exclude,literal)${path}`);
    await this.#git('add', '--all', '--', '.', ...excluded);
    // An agent that was killed and started again may have committed this before.
    if ((await this.#ports.start(['git', 'diff', '--cached', '--quiet']).ended) === 0)
      return this.#print('nothing to commit');
    await this.#git(...COMMITTER, 'commit', '--quiet', '-m', message);
    return this.#printStatus();
  }

  async #git(...argv: readonly string[]): Promise<void> {
    const status = await this.#ports.start(['git', ...argv]).ended;
    if (status !== 0)
      throw new Failure(
        'failed',
        'git',
        `git ${argv.find((word) => /^(?:add|commit)$/.test(word))} failed (${status}).`,
      );
  }

  /** A refusal does not end the agent: the script continues. */
  async #signal(name: string, body: string | undefined): Promise<undefined> {
    await this.#print(`signal ${name}`);
    const argv = [...this.#ports.cadre, 'signal', name];
    return body === undefined ? this.#run(argv) : this.#run([...argv, '--body-file', '-'], body);
  }

  async #run(argv: readonly string[], input?: string): Promise<undefined> {
    const status = await this.#ports.start(argv, input).ended;
    return status === 0 ? this.#printStatus() : this.#print(`exit status ${status}`);
  }

  async #sentinel(name: string, body: string | undefined): Promise<undefined> {
    const { CADRE_PLAN: plan, CADRE_PROOF: key = '' } = this.#ports.env;
    // A name that includes a plan is used as it is, so that a script can drop one for another plan.
    if (!name.endsWith('.md') && !plan)
      throw new Failure('usage', 'no-plan', `"${showName(name)}" needs a plan, but CADRE_PLAN is not set.`);
    const path = join('docs', 'plans', '.signals', name.endsWith('.md') ? name : `${name}-${plan}`);
    await this.#print(`sentinel ${path}`);
    return this.#write(path, body ?? key, 'edit');
  }

  #waitFor(path: string): Promise<undefined> {
    const { watch } = this.#ports;
    return new Promise((exists) => {
      const look = (): void => {
        if (!existsSync(path)) return void watcher.follow([folderAbove(path)]);
        watcher.close();
        clearInterval(timer);
        exists(undefined);
      };
      const watcher = watch(look);
      // The watcher is fast, the timer makes sure that nothing is missed.
      const timer = setInterval(look, LOOK_EVERY);
      look();
    });
  }

  async #flood(kilobytes: number): Promise<void> {
    const line = `${'0123456789abcdef'.repeat(4).slice(1)}\n`;
    for (let written = 0; written < kilobytes; written++) await this.#ports.write(line.repeat(1024 / line.length));
  }

  #expect(name: string, value: string): undefined {
    const found = this.#ports.env[name];
    if (found === (value === 'unset' ? undefined : value)) return;
    const [is, wanted] = [found, value === 'unset' ? undefined : value].map((one) =>
      one === undefined ? 'not set' : `"${showName(one)}"`,
    );
    throw new Failure(
      'failed',
      'expectation',
      `${showName(name)} is ${is}, but the script expects it to be ${wanted}.`,
    );
  }
}

/** The user may not have configured an identity in git, and nobody can enter a passphrase. */
const COMMITTER = [
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

function forever(): Promise<never> {
  return new Promise(() => setInterval(() => undefined, 2 ** 30));
}
