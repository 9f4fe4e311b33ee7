// The running interface: keys and news become messages, the model follows, and the screen shows it.
import type { App } from '../../app/app.ts';
import { Failure } from '../../core/model/failure.ts';
import type { JournalRecord } from '../../core/model/record.ts';
import type { MachineFacts } from '../../core/views/known-repository.ts';
import type { CommandSurroundings } from './command.ts';
import { runLine } from './command.ts';
import { type EngineHere, engineHere } from './engine-here.ts';
import { burst } from './keys/burst.ts';
import { type TuiMessage, update } from './keys/update.ts';
import type { Command } from './model/commands.ts';
import { type Model, startModel } from './model/model.ts';
import { waitingIn } from './model/needs.ts';
import { rowsOf } from './model/rows.ts';
import { type WindowKey, windowKey, windowOf } from './model/selection.ts';
import { NOTHING_READ, type Snapshot } from './model/snapshot.ts';
import { isEngineStop, mayNeedEngine, needsEngine, performCall } from './performing.ts';
import { happenedIn, isSamePlan, isSameScreen, moreLines, newProblems, newTroubles, readWindow } from './reading.ts';
import { repeatedly } from './repeatedly.ts';
import { type Screen, screenOn } from './screen.ts';
import { decode, decodeRest, type Input } from './terminal/input.ts';
import type { Terminal } from './terminal/person-terminal.ts';
import { view } from './view/frame.ts';
import { titleOf } from './view/top-line.ts';

export interface InterfacePorts extends CommandSurroundings {
  readonly app: App;
  readonly terminal: Terminal;
  readonly machine: MachineFacts;
  /** What new sessions run instead of the default program. */
  readonly program?: string;
  /** An app of the same repository with its own connections, for an engine in this process. */
  anotherApp(): App;
  /** Runs cadre in another repository, in this terminal, until the person quits there. */
  visit(root: string): Promise<number>;
  /** Aborted when the system asks the process to end; its reason is the name of the signal. */
  readonly stop: AbortSignal;
  /** Runs a program in the terminal; returns its exit code. */
  runHere(argv: readonly string[]): Promise<number>;
  edit(text: string): Promise<string | undefined>;
}

/** Until the person quits. */
export function runInterface(ports: InterfacePorts): Promise<void> {
  return new Interface(ports).run();
}

/** In milliseconds: between two frames that no key asked for, and between two looks at what no record says. */
const [FRAME_EVERY, LOOK_EVERY, SCREEN_EVERY] = [16, 1_000, 300];

/** In milliseconds, until something is read: after news, of which more may follow, and after a key. */
const [AFTER_NEWS, AFTER_KEY] = [80, 25];

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
  readonly #screen: Screen;
  readonly #engine: EngineHere;
  #wantedKey = '';
  #rest = '';
  #drawing: NodeJS.Timeout | undefined;
  #drawnAt = 0;
  #reply: ((yes: boolean) => void) | undefined;
  #failure: unknown;
  #isLent = false;

  constructor(ports: InterfacePorts) {
    this.#ports = ports;
    this.#model = { ...startModel(ports.terminal.size()), program: ports.program ?? null };
    this.#screen = screenOn(ports.terminal);
    this.#engine = engineHere({
      app: ports.app,
      another: () => ports.anotherApp(),
      warn: (text) => this.#send({ kind: 'warned', text, tone: 'error' }),
      failed: (error) => this.#fail(error),
    });
  }

  async run(): Promise<void> {
    const { terminal, stop } = this.#ports;
    stop.addEventListener('abort', () => this.#ended.abort());
    terminal.open({
      typed: (text) => this.#typed(text),
      paused: () => this.#pausedTyping(),
      resized: () => this.#send({ kind: 'resized', size: terminal.size() }),
      disturbed: () => this.#redraw(),
      stopped: () => void this.#guarded(() => this.#suspend()),
    });
    const look = setInterval(() => this.#look(), LOOK_EVERY);
    const screen = setInterval(() => this.#lookAtScreen(), SCREEN_EVERY);
    try {
      this.#send({ kind: 'read' });
      // Reading takes longer than drawing, and the person should see at once that cadre started.
      this.#drawNow();
      this.#facts.now();
      void this.#guarded(() => this.#follow());
      await new Promise<void>((ended) => this.#ended.signal.addEventListener('abort', () => ended(), { once: true }));
    } finally {
      clearInterval(look);
      clearInterval(screen);
      clearTimeout(this.#drawing);
      terminal.close();
    }
    const problem = await this.#leaveEngine();
    if (this.#failure !== undefined) throw this.#failure;
    this.#sayGoodbye(problem);
  }

  /** A signal to end the process, as "cadre engine stop" sends it, ends the engine too. */
  #leaveEngine(): Promise<string | undefined> {
    const isEnded = this.#ports.stop.reason === 'SIGTERM';
    return this.#engine.handOver(!isEnded && isActive(this.#snapshot));
  }

  #typed(text: string): void {
    const { inputs, rest } = decode(this.#rest + text);
    this.#rest = rest;
    this.#press(burst(inputs, this.#model));
  }

  #pausedTyping(): void {
    const inputs = decodeRest(this.#rest);
    // The end of a paste may take its time.
    if (inputs.some(({ kind }) => kind === 'paste')) return;
    this.#rest = '';
    this.#press(inputs);
  }

  /** A person sees what their keys did before anything is started that may take its time. */
  #press(inputs: readonly Input[]): void {
    if (inputs.length === 0) return;
    const commands: Command[] = [];
    for (const input of inputs) {
      commands.push(...this.#take(input));
      if (commands.some((command) => command.do === 'quit')) break;
    }
    this.#drawAtOnce();
    this.#start(commands);
  }

  #send(message: TuiMessage): void {
    this.#start(this.#take(message));
    this.#draw();
  }

  #start(commands: readonly Command[]): void {
    for (const command of commands) void this.#guarded(() => this.#do(command));
  }

  /** What the message makes of the model, and what is to be done about it. */
  #take(message: TuiMessage): readonly Command[] {
    if (this.#ended.signal.aborted) return [];
    this.#snapshot = { ...this.#snapshot, now: Date.now() };
    const { model, commands } = update(this.#model, message, this.#snapshot);
    const isOtherPlan = model.plan !== this.#model.plan;
    this.#model = model;
    if (isOtherPlan) this.#facts.now();
    const wanted = this.#wanted();
    const key = wanted === undefined ? '' : windowKey(wanted);
    if (key !== this.#wantedKey) this.#window.soon(AFTER_KEY);
    this.#wantedKey = key;
    return commands;
  }

  #wanted(): WindowKey | undefined {
    return windowOf(this.#model, this.#snapshot, rowsOf(this.#model, this.#snapshot));
  }

  /** A bug ends the interface, with the terminal as it was; everything else is said on the screen. */
  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof Failure) return this.#send({ kind: 'warned', text: error.message, tone: 'error' });
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    this.#ended.abort();
  }

  async #do(command: Command): Promise<void> {
    const { app, terminal } = this.#ports;
    switch (command.do) {
      case 'perform': {
        if (needsEngine(command.call)) await this.#engine.ensure();
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
      case 'visit':
        await this.#lend(() => this.#ports.visit(command.root));
        return;
      case 'suspend':
        return this.#suspend();
      case 'redraw':
        return this.#redraw();
      case 'quit':
        return this.#ended.abort();
    }
  }

  /** A stopped process takes no signals, so another one has to be the engine. */
  async #suspend(): Promise<void> {
    await this.#engine.handOver(isActive(this.#snapshot));
    this.#ports.terminal.suspend();
  }

  async #line(text: string): Promise<void> {
    if (isEngineStop(text) && this.#engine.isHere()) return this.#stopEngine();
    if (mayNeedEngine(text)) await this.#engine.ensure();
    const result = await runLine(this.#ports, text, this.#model.messages, (question) => this.#ask(question));
    switch (result.kind) {
      case 'printed':
        this.#send(result);
        return this.#facts.now();
      case 'command':
        return this.#do(result.command);
    }
  }

  /** The command would end this process, which is the engine. */
  async #stopEngine(): Promise<void> {
    await this.#engine.stop();
    this.#send({ kind: 'warned', text: 'The engine stopped. ":engine start" starts one.', tone: 'done' });
    this.#facts.now();
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
      this.#facts.soon(AFTER_NEWS);
      this.#window.soon(AFTER_NEWS);
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
      const { app, machine, terminal } = this.#ports;
      const before = waitingIn(this.#snapshot).length;
      const known = this.#snapshot.status;
      const isFirst = known === null;
      if (isFirst) await this.#startEngine();
      const { world, ...facts } = await app.overview(this.#model.plan);
      const latest = happenedIn(world, this.#records).slice(0, 8);
      const repositories = machine.repositories().filter(({ root }) => root !== app.root);
      const last = this.#snapshot;
      this.#snapshot = { ...last, ...facts, latest, repositories, isEngineHere: this.#engine.isHere() };
      for (const text of [...newProblems(known, facts.status), ...newTroubles(known, facts.status)])
        this.#send({ kind: 'warned', text, tone: 'error' });
      await this.#watchEngine();
      const after = waitingIn(this.#snapshot).length;
      if (after > before && !isFirst && !this.#isLent) terminal.write('\x07');
      this.#send({ kind: 'read' });
      if (this.#isWindowOld(last)) this.#window.now();
    });
  }

  /** A screen is read more often than the facts; of a branch no record says that it moved. */
  #isWindowOld(last: Snapshot): boolean {
    const { window } = this.#snapshot;
    if (window === null || window.kind === 'screen') return false;
    return window.kind === 'diff' || window.kind === 'git' || !isSamePlan(last, this.#snapshot);
  }

  /** In a repository that cadre knows. Merely looking at another one leaves nothing behind in it. */
  async #startEngine(): Promise<void> {
    if ((await this.#ports.app.world()).seq > 0) await this.#engine.ensure();
  }

  /** An engine that was killed is replaced by this process; one that a person stopped is not. */
  async #watchEngine(): Promise<void> {
    const { status } = this.#snapshot;
    if (status?.engine !== null || this.#engine.isHere() || !this.#ports.app.engine.wasKilled()) return;
    await this.#engine.ensure();
    if (!this.#engine.isHere()) return;
    this.#send({ kind: 'warned', text: 'The engine was killed. This window is the engine now.', tone: 'done' });
    this.#facts.soon(AFTER_NEWS);
  }

  async #readWindow(): Promise<void> {
    await this.#guarded(async () => {
      const wanted = this.#wanted();
      if (wanted === undefined || this.#isLent) return;
      const window = await readWindow(this.#ports.app, wanted);
      const before = this.#snapshot.window;
      if (isSameScreen(before, window)) return;
      const by = moreLines(before, window);
      if (by > 0) this.#model = update(this.#model, { kind: 'grown', key: window.key, by }, this.#snapshot).model;
      this.#snapshot = { ...this.#snapshot, window };
      this.#draw();
    });
  }

  #look(): void {
    if (!this.#isLent) this.#facts.now();
  }

  /** Only the screen that is in view is read. */
  #lookAtScreen(): void {
    if (this.#snapshot.window?.kind === 'screen' && !this.#isLent) this.#window.now();
  }

  #redraw(): void {
    this.#screen.forget();
    this.#send({ kind: 'resized', size: this.#ports.terminal.size() });
  }

  /** At once after a pause, and otherwise when the next frame is due. */
  #draw(): void {
    const wait = Math.max(0, this.#drawnAt + FRAME_EVERY - performance.now());
    this.#drawing ??= setTimeout(() => this.#drawAtOnce(), wait);
  }

  #drawAtOnce(): void {
    clearTimeout(this.#drawing);
    this.#drawing = undefined;
    this.#drawnAt = performance.now();
    if (!this.#ended.signal.aborted && !this.#isLent) this.#drawNow();
  }

  #drawNow(): void {
    const frame = view(this.#model, this.#snapshot);
    this.#model = { ...this.#model, scrollEnd: frame.scrollEnd };
    this.#screen.show(frame, titleOf(this.#snapshot));
  }

  #sayGoodbye(problem: string | undefined): void {
    const running = (this.#snapshot.status?.sessions ?? []).filter(({ state }) => state === 'running').length;
    const engine = this.#ports.app.engine.holder();
    if (running === 0 && engine === undefined && problem === undefined) return;
    const agents = running === 1 ? '1 agent continues' : `${running} agents continue`;
    const how = engine === undefined ? 'no engine is running' : 'the engine runs in the background';
    this.#ports.terminal.write(
      `${running === 0 ? 'No agent is running' : agents}; ${problem ?? how}. "cadre" shows everything again.\n`,
    );
  }
}

const ACTIVE: ReadonlySet<string> = new Set(['planning', 'implementing', 'reviewing']);

/** Whether an engine has something to do, now or when an agent or a person has answered. */
function isActive({ status }: Snapshot): boolean {
  if (status === null) return false;
  return status.sessions.length > 0 || status.plans.some(({ status: state, paused }) => ACTIVE.has(state) && !paused);
}
