// The running interface: keys and news become messages, the model follows, and the screen shows it.
import type { App } from '../../app/app.ts';
import { Failure } from '../../core/model/failure.ts';
import type { JournalRecord } from '../../core/model/record.ts';
import type { Surroundings } from './command.ts';
import { runLine } from './command.ts';
import { type Message, update } from './keys/update.ts';
import type { Command } from './model/commands.ts';
import { type Model, startModel } from './model/model.ts';
import { waitingIn } from './model/needs.ts';
import { rowsOf } from './model/rows.ts';
import { windowKey, windowOf } from './model/selection.ts';
import { NOTHING_READ, type Snapshot } from './model/snapshot.ts';
import { performCall } from './performing.ts';
import { happenedIn, readFacts, readWindow } from './reading.ts';
import { repeatedly } from './repeatedly.ts';
import { decode, decodeRest } from './terminal/input.ts';
import { depthOf, difference, paintLine } from './terminal/paint.ts';
import type { Terminal } from './terminal/person-terminal.ts';
import { inert } from './terminal/styled.ts';
import { type Frame, view } from './view/frame.ts';
import { titleOf } from './view/top-line.ts';

export interface InterfacePorts extends Surroundings {
  readonly app: App;
  readonly terminal: Terminal;
  /** Aborted when the system asks the process to end. */
  readonly stop: AbortSignal;
  /** Runs a program in the terminal; returns its exit code. */
  runHere(argv: readonly string[]): Promise<number>;
  edit(text: string): Promise<string | undefined>;
}

/** Until the person quits. */
export function runInterface(ports: InterfacePorts): Promise<void> {
  return new Interface(ports).run();
}

/** In milliseconds: between two frames, and between two looks at what no record says. */
const [FRAME_EVERY, LOOK_EVERY, SCREEN_EVERY] = [16, 1_000, 300];

/** Enough for the lines of the latest news. */
const KEPT_RECORDS = 40;

class Interface {
  readonly #ports: InterfacePorts;
  readonly #ended = new AbortController();
  readonly #facts = repeatedly(() => this.#readFacts());
  readonly #window = repeatedly(() => this.#readWindow());
  #model: Model;
  #snapshot: Snapshot = NOTHING_READ;
  #records: readonly JournalRecord[] = [];
  #shown: readonly string[] | undefined;
  #title = '';
  #rest = '';
  #drawing: NodeJS.Timeout | undefined;
  #reply: ((yes: boolean) => void) | undefined;
  #failure: unknown;
  #isLent = false;

  constructor(ports: InterfacePorts) {
    this.#ports = ports;
    this.#model = startModel(ports.terminal.size());
  }

  async run(): Promise<void> {
    const { terminal, stop } = this.#ports;
    stop.addEventListener('abort', () => this.#ended.abort());
    terminal.open({
      typed: (text) => this.#typed(text),
      paused: () => this.#pausedTyping(),
      resized: () => this.#send({ kind: 'resized', size: terminal.size() }),
      disturbed: () => this.#redraw(),
    });
    const look = setInterval(() => this.#look(), LOOK_EVERY);
    const screen = setInterval(() => this.#lookAtScreen(), SCREEN_EVERY);
    try {
      this.#send({ kind: 'read' });
      this.#facts.now();
      void this.#guarded(() => this.#follow());
      await new Promise<void>((ended) => this.#ended.signal.addEventListener('abort', () => ended(), { once: true }));
    } finally {
      clearInterval(look);
      clearInterval(screen);
      clearTimeout(this.#drawing);
      terminal.close();
    }
    if (this.#failure !== undefined) throw this.#failure;
    this.#sayGoodbye();
  }

  #typed(text: string): void {
    const { inputs, rest } = decode(this.#rest + text);
    this.#rest = rest;
    for (const input of inputs) this.#send(input);
  }

  #pausedTyping(): void {
    const inputs = decodeRest(this.#rest);
    // The end of a paste may take its time.
    if (inputs.some(({ kind }) => kind === 'paste')) return;
    this.#rest = '';
    for (const input of inputs) this.#send(input);
  }

  #send(message: Message): void {
    if (this.#ended.signal.aborted) return;
    this.#snapshot = { ...this.#snapshot, now: Date.now() };
    const before = this.#wanted();
    const { model, commands } = update(this.#model, message, this.#snapshot);
    const isOtherPlan = model.plan !== this.#model.plan;
    this.#model = model;
    for (const command of commands) void this.#guarded(() => this.#do(command));
    if (isOtherPlan) this.#facts.now();
    if (this.#wanted() !== before) this.#window.now();
    this.#draw();
  }

  #wanted(): string {
    const window = windowOf(this.#model, this.#snapshot, rowsOf(this.#model, this.#snapshot));
    return window === undefined ? '' : windowKey(window);
  }

  /** A bug ends the interface, with the terminal as it was; everything else is said on the screen. */
  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof Failure) return this.#send({ kind: 'warned', text: error.message, tone: 'error' });
      this.#failure ??= error;
      this.#ended.abort();
    }
  }

  async #do(command: Command): Promise<void> {
    const { app, terminal } = this.#ports;
    switch (command.do) {
      case 'perform': {
        const outcome = await performCall(app, command.call);
        this.#send({ kind: 'performed', ...outcome });
        return this.#facts.now();
      }
      case 'line':
        return this.#line(command.text);
      case 'attach':
        return this.#attach(command.session);
      case 'edit':
        return this.#edit(command.text);
      case 'reply':
        return this.#reply?.(command.yes);
      case 'copy':
        terminal.write(`\x1b]52;c;${Buffer.from(command.text).toString('base64')}\x07`);
        return this.#send({ kind: 'warned', text: `Copied: ${command.text}`, tone: 'done' });
      case 'suspend':
        return terminal.suspend();
      case 'redraw':
        return this.#redraw();
      case 'quit':
        return this.#ended.abort();
    }
  }

  async #line(text: string): Promise<void> {
    const result = await runLine(this.#ports, text, this.#model.messages, (question) => this.#ask(question));
    switch (result.kind) {
      case 'printed':
        this.#send(result);
        return this.#facts.now();
      case 'command':
        return this.#do(result.command);
    }
  }

  /** One question at a time: a second one means that the first is no longer answered. */
  #ask(question: string): Promise<boolean> {
    this.#reply?.(false);
    this.#send({ kind: 'asked', question });
    return new Promise((answer) => {
      this.#reply = answer;
    });
  }

  async #attach(session: string): Promise<void> {
    const { app, runHere } = this.#ports;
    const attached = await app.attach(session);
    if ('kind' in attached) return this.#send({ kind: 'warned', text: attached.message, tone: 'error' });
    const code = await this.#lend(() => runHere(attached.argv));
    if (code !== 0)
      this.#send({ kind: 'warned', text: `The terminal of ${session} could not be shown.`, tone: 'error' });
    this.#facts.now();
  }

  async #edit(text: string): Promise<void> {
    const edited = await this.#lend(() => this.#ports.edit(text));
    this.#send({ kind: 'edited', text: edited ?? null });
  }

  async #lend<Result>(use: () => Promise<Result>): Promise<Result> {
    this.#isLent = true;
    try {
      return await this.#ports.terminal.lend(use);
    } finally {
      this.#isLent = false;
      this.#redraw();
    }
  }

  async #follow(): Promise<void> {
    const { app } = this.#ports;
    this.#records = await app.records(undefined, KEPT_RECORDS);
    for await (const record of app.follow(this.#records.at(-1)?.seq ?? 0, this.#ended.signal)) {
      this.#records = [...this.#records, record].slice(-KEPT_RECORDS);
      this.#tell(record);
      this.#facts.soon();
      this.#window.soon();
    }
  }

  /** What a person should know although it is not selected. */
  #tell(record: JournalRecord): void {
    if (record.event === 'signal_refused')
      this.#send({ kind: 'warned', text: `Refused "${record.refused.name}": ${record.refused.why}`, tone: 'error' });
    if (record.event === 'session_news' && record.news.kind === 'failed')
      this.#send({ kind: 'warned', text: `${record.about} failed to start: ${record.news.why}`, tone: 'error' });
  }

  async #readFacts(): Promise<void> {
    await this.#guarded(async () => {
      const before = waitingIn(this.#snapshot).length;
      const isFirst = this.#snapshot.status === null;
      const facts = await readFacts(this.#ports.app, this.#model.plan);
      const latest = happenedIn(await this.#ports.app.world(), this.#records).slice(0, 8);
      this.#snapshot = { ...this.#snapshot, ...facts, latest };
      if (isFirst) await this.#startEngine();
      const after = waitingIn(this.#snapshot).length;
      if (after > before && !isFirst && !this.#isLent) this.#ports.terminal.write('\x07');
      this.#send({ kind: 'read' });
      this.#window.now();
    });
  }

  /** A plan that is being built needs an engine, no matter which process starts it. */
  async #startEngine(): Promise<void> {
    const { status } = this.#snapshot;
    const isActive = status?.plans.some(({ status: state, paused }) => ACTIVE.has(state) && !paused) === true;
    if (status === null || status.engine !== null || !isActive) return;
    const { text, ok } = await performCall(this.#ports.app, { do: 'engine-start', input: {} });
    this.#send({
      kind: 'warned',
      text: ok ? 'The engine was started in the background.' : text,
      tone: ok ? 'done' : 'error',
    });
  }

  async #readWindow(): Promise<void> {
    await this.#guarded(async () => {
      const wanted = windowOf(this.#model, this.#snapshot, rowsOf(this.#model, this.#snapshot));
      if (wanted === undefined || this.#isLent) return;
      const window = await readWindow(this.#ports.app, wanted);
      this.#snapshot = { ...this.#snapshot, window };
      this.#draw();
    });
  }

  #look(): void {
    if (this.#isLent) return;
    this.#facts.soon();
    this.#send({ kind: 'read' });
  }

  /** Only the screen that is in view is read. */
  #lookAtScreen(): void {
    if (this.#snapshot.window?.kind === 'screen' && !this.#isLent) this.#window.soon();
  }

  #redraw(): void {
    this.#shown = undefined;
    this.#send({ kind: 'resized', size: this.#ports.terminal.size() });
  }

  #draw(): void {
    this.#drawing ??= setTimeout(() => {
      this.#drawing = undefined;
      if (!this.#ended.signal.aborted && !this.#isLent) this.#drawNow();
    }, FRAME_EVERY);
  }

  #drawNow(): void {
    const { terminal } = this.#ports;
    const frame = view(this.#model, this.#snapshot);
    this.#model = { ...this.#model, scrollEnd: frame.scrollEnd };
    const depth = depthOf(terminal.env);
    const lines = frame.lines.map((one) => paintLine(one, depth));
    const bytes = difference(this.#shown, lines) + this.#titleBytes() + cursorBytes(frame);
    this.#shown = lines;
    if (bytes !== '') terminal.write(bytes);
  }

  #titleBytes(): string {
    const title = inert(titleOf(this.#snapshot));
    if (title === this.#title) return '';
    this.#title = title;
    return `\x1b]0;${title}\x07`;
  }

  #sayGoodbye(): void {
    const running = (this.#snapshot.status?.sessions ?? []).filter(({ state }) => state === 'running').length;
    const engine = this.#ports.app.engine.holder();
    if (running === 0 && engine === undefined) return;
    const agents = running === 1 ? '1 agent continues' : `${running} agents continue`;
    const how = engine === undefined ? 'no engine is running' : 'the engine runs in the background';
    this.#ports.terminal.write(
      `${running === 0 ? 'Nothing is running' : agents}; ${how}. "cadre" shows everything again.\n`,
    );
  }
}

const ACTIVE: ReadonlySet<string> = new Set(['planning', 'implementing', 'reviewing']);

function cursorBytes({ cursor }: Frame): string {
  return cursor === undefined ? '\x1b[?25l' : `\x1b[${cursor.row + 1};${cursor.column + 1}H\x1b[?25h`;
}
