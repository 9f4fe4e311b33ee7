// What the commands can see and press. main.ts hands it in; nothing here knows a file or a process.
import type { Report } from '../../agents/agent.ts';
import type { By, Event, Signal } from '../../core/model/event.ts';
import type { FailureCode } from '../../core/model/failure.ts';
import type { SessionId } from '../../core/model/ids.ts';
import type { JournalRecord } from '../../core/model/record.ts';
import type { LandingFacts, RunEntry, WorktreeFacts } from '../../core/model/run.ts';
import type { Suggestion } from '../../core/model/suggestion.ts';
import type { PlanEntry, World } from '../../core/model/world.ts';
import type { Changes, Span } from '../../core/ports/changes.ts';
import type { Gateway } from '../../core/ports/gateway.ts';
import type { LockHolder } from '../../core/ports/locks.ts';
import type { Notify } from '../../core/ports/notify.ts';
import type { PlanFiles, PlanReading } from '../../core/ports/plan-files.ts';
import type { Quarantine } from '../../core/ports/quarantine.ts';
import type { Sessions } from '../../core/ports/sessions.ts';
import type { Policy } from '../../core/settings/policy.ts';
import type { PlanState } from '../../machines/plan.ts';
import type { PlanFile } from '../../plan/name.ts';
import type { Message } from '../../signals/message.ts';
import type { Role } from '../../signals/registry.ts';

export interface App {
  /** The main checkout. */
  readonly root: string;
  readonly gateway: Gateway;
  readonly quarantine: Quarantine;
  readonly planFiles: PlanFiles;
  /**
   * The world as it is on disk, with the tasks as the files of the plans have them at this moment; where only some plans
   * matter, only their files are read.
   */
  look(only?: (world: World) => Iterable<PlanEntry>): {
    readonly world: World;
    readonly readings: ReadonlyMap<PlanFile, PlanReading>;
  };
  readonly by: By;
  /** The session in which this command runs, or the box of agents that have none. */
  readonly session: Session;
  /** The plan of docs/plans that lies at this path, seen from where the command runs or from the main checkout. */
  planAt(path: string): PlanFile | undefined;
  planFileExists(plan: string): boolean;
  /** The first heading of a plan's file, as far as it has one. */
  titleOf(plan: string): string;
  /** Files in docs/plans that could be registered and are not known. */
  unregistered(known: ReadonlySet<PlanFile>): readonly string[];
  waitingSignals(): number;
  engine(): LockHolder | undefined;
  /** The signal with what can be seen now of the worktree that it speaks of. */
  lookInto(world: World, signal: Signal): Promise<Signal>;
  /** What is in the worktree of a run at this moment; nothing where there is none. */
  worktreeFacts(plan: PlanFile, run: Pick<RunEntry, 'branch'>): Promise<WorktreeFacts | undefined>;
  /** Whether the branch of a plan under review could be merged with where it is to land; nothing where there is none. */
  landingFacts(entry: PlanEntry): Promise<LandingFacts | undefined>;
  changes(): Promise<ShownChanges>;
  /** Puts the message into the session's box; returns when it is durable. */
  drop(message: Message): void;
  /** Leaves word in the session's box that its agent has typed a command which is not for it; nothing where a person did. */
  reportForbiddenCommand(command: string): void;
  /** Keeps what a session's program has reported about itself. */
  report(session: SessionId, report: Report): void;
  records(): Iterable<JournalRecord>;
  /** The last records about a plan; on a long journal much quicker than to look through all. */
  lastRecords(wanted: {
    readonly plan: PlanFile;
    readonly isWanted: (record: JournalRecord) => boolean;
    readonly count: number;
  }): readonly JournalRecord[];
  /** Records as they are written, beginning after `seq`, until stopped. */
  follow(seq: number, stop: AbortSignal): AsyncIterable<JournalRecord>;
  /** Takes signals and performs effects until stopped. */
  runEngine(notify: Notify, stop: AbortSignal, ready: () => void): Promise<void>;
  /** What has to be there before a plan can be built, and what it would be built with. */
  preflight(wishes: RunOptions): Promise<Preflight>;
  /** The engine of this repository, begun in the background where none runs. */
  startEngine(wishes: RunOptions): Promise<LockHolder>;
  /** Asks the engine to stop, and waits until it has; nothing where none runs. */
  stopEngine(): Promise<LockHolder | undefined>;
  /** Where an engine in the background writes what it has to say. */
  readonly engineLog: string;
  /** What it has warned of since `from`, a place in that log, and from where on to ask next; without one, only where it ends. */
  engineWarnings(from?: number): { readonly texts: readonly string[]; readonly next: number };
  /** The world as it would be after these events, without anything being written. */
  preview(events: readonly Event[]): World;
  /** Gets these effects done, by the engine that runs or by being it for a moment. */
  act(effects: readonly string[], notify: Notify): Promise<void>;
  sessions(): Promise<Sessions>;
  /** The commit that the main checkout has checked out. */
  headCommit(): string;
  isInstalled(program: string): boolean;
  /** Runs a program in this terminal; returns its exit code. */
  runHere(argv: readonly string[]): Promise<number>;
  /** What keeps plan-state.json from being used, as a sentence. */
  planStateProblem(): string | undefined;
  /** What plan-state.json says about a plan, as far as it can be read. */
  statusInFile(plan: PlanFile): PlanState | undefined;
  checkUp(): Promise<readonly Check[]>;
}

/** Changes as this repository and this terminal want them. */
export interface ShownChanges extends Omit<Changes, 'ofPlan'> {
  ofPlan(plan: PlanFile): Promise<Span | undefined>;
  readonly colour: 'auto' | 'never';
}

/** What a person wants of this one run. */
export interface RunOptions {
  /** Agents without terminals. */
  readonly headless: boolean;
  readonly maxParallel?: number;
}

export interface Preflight {
  readonly problem?: { readonly code: FailureCode; readonly why: string; readonly try?: readonly Suggestion[] };
  readonly warnings: readonly string[];
  /** The verify command as one types it, or nothing where there is none to run. */
  readonly verify: string | null;
  /** By role. */
  readonly programs: Readonly<Record<string, string>>;
  readonly maxParallel: number;
  /** The settings as decisions will see them. */
  readonly policy: Policy;
}

export interface Session {
  readonly name: string;
  readonly role: Role;
  readonly plan?: string;
  readonly task?: string;
}

export interface Check {
  readonly name: string;
  readonly result: 'ok' | 'note' | 'bad';
  readonly sentence: string;
}
