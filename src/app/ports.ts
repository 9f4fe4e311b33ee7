// What the app needs from outside. `compose` puts the real things in; nothing in `app` knows a file or a process.
import type { Report } from '../agents/agent.ts';
import type { AdditionFile } from '../agents/prompts/additions.ts';
import type { Prompt } from '../agents/prompts/prompt.ts';
import type { Commit } from '../core/model/commit.ts';
import type { By, Event, Signal } from '../core/model/event.ts';
import type { FailureCode } from '../core/model/failure.ts';
import type { SessionId } from '../core/model/ids.ts';
import type { JournalRecord } from '../core/model/record.ts';
import type { LandingFacts, RunEntry, TurnWork, WorktreeFacts } from '../core/model/run.ts';
import type { Tree } from '../core/model/run-name.ts';
import type { Suggestion } from '../core/model/suggestion.ts';
import type { PlanEntry, TaskEntry, World } from '../core/model/world.ts';
import type { Changes, CommitRange } from '../core/ports/changes.ts';
import type { Cleanup, Repairs } from '../core/ports/cleanup.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { ConfigFiles } from '../core/ports/config-files.ts';
import type { CommandGateway } from '../core/ports/gateway.ts';
import type { KeptWork } from '../core/ports/kept.ts';
import type { LockHolder } from '../core/ports/locks.ts';
import type { EngineSurface, Notify } from '../core/ports/notify.ts';
import type { PlanFiles } from '../core/ports/plan-files.ts';
import type { Quarantine } from '../core/ports/quarantine.ts';
import type { Sessions } from '../core/ports/sessions.ts';
import type { Policy } from '../core/settings/policy.ts';
import type { PlanState } from '../machines/plan.ts';
import type { PlanFile } from '../plan/name.ts';
import type { Message } from '../signals/message.ts';
import type { Role } from '../signals/registry.ts';
import type { InitFiles } from './init-files.ts';

export interface AppPorts {
  /** The main checkout. */
  readonly root: string;
  readonly by: By;
  /** The start of every argument list that calls this cadre, for agents. */
  readonly cadre: readonly string[];
  /** The session that this process runs in, or the one of agents that have none. */
  readonly speaker: Speaker;
  readonly clock: Clock;
  readonly gateway: CommandGateway;
  readonly journal: JournalReads;
  readonly planFiles: PlanFiles;
  readonly repository: Repository;
  readonly facts: Facts;
  readonly signals: Signals;
  readonly quarantine: Quarantine;
  readonly engine: EngineControl;
  readonly planState: PlanStateReads;
  /** What is wrong with the disk that cadre's own files are on, as a sentence. */
  diskProblem(): string | undefined;
  readonly config: ConfigFiles;
  readonly init: InitFiles;
  readonly runPaths: RunPaths;
  /** The files with which a person or the project changes the prompts of a role. */
  promptAdditions(role: Role): readonly AdditionFile[];
  /** What the agent of this turn would be told in this world, without additions. Writes nothing. */
  promptOf(world: World, plan: PlanEntry, turn: TurnToShow): Promise<Prompt>;
  /** Opened on first use, and the same every time. */
  sessions(): Promise<Sessions>;
  changes(): Promise<ShownChanges>;
  kept(): Promise<KeptWork>;
  cleanup(): Promise<Cleanup>;
  preflight(options: RunOptions): Promise<Preflight>;
  checkUp(): Promise<readonly Check[]>;
  repairs(): Promise<Repairs>;
  /** The part of the check-up that says whether plans can be built with the settings as they are. */
  readiness(): Promise<readonly Check[]>;
  /** Disconnects from the host of the sessions, which would keep this process alive. Sessions cannot be used after it. */
  close(): Promise<void>;
}

export interface TurnToShow {
  readonly turn: TurnWork;
  readonly tree: Tree;
  readonly entry: { readonly branch: string; readonly from: string; readonly task?: string };
}

/** Where the files of runs are. */
export interface RunPaths {
  /** Undefined where there is no worktree. */
  worktreeOf(tree: Tree): string | undefined;
  /** The file that a command of this worktree wrote last; undefined where there is none. */
  lastOutput(tree: Tree, kind: 'verification' | 'setup'): { readonly path: string; readonly at: string } | undefined;
}

export interface Speaker {
  readonly name: string;
  readonly role: Role;
  readonly plan?: string;
  readonly task?: string;
  /** What the program of the session was handed, to show that a signal is from it. */
  readonly key?: string;
}

export interface JournalReads {
  records(): Promise<readonly JournalRecord[]>;
  /** The last records that are wanted, read from the end of the journal. */
  lastRecords(wanted: LastRecords): Promise<readonly JournalRecord[]>;
  /** Records as they are written, starting after `seq`, until stopped. */
  follow(seq: number, stop: AbortSignal): AsyncIterable<JournalRecord>;
}

export interface LastRecords {
  /** Where every record that is wanted is about this plan. */
  readonly plan?: PlanFile;
  readonly isWanted: (record: JournalRecord) => boolean;
  readonly count: number;
}

export interface Repository {
  /** The plan in docs/plans at this path, seen from the current folder or from the main checkout. */
  planAt(path: string): PlanFile | undefined;
  planFileExists(plan: string): boolean;
  /** The first heading of a plan file; empty where it has none. */
  titleOf(plan: string): string;
  /** The commit that the main checkout has checked out. */
  headCommit(): string;
  isInstalled(program: string): boolean;
  /** The text of any file; a Failure where it cannot be read. */
  readText(path: string): string;
  /** Whether something that can be read without waiting is at this path: a file, and not a pipe or a device. */
  isFile(path: string): boolean;
  /** The path as seen from the main checkout, where it is inside it. */
  pathInside(path: string): string;
  /** Creates the plan file, durable when it returns; false, and nothing is changed, where there is one already. */
  createPlan(plan: PlanFile, text: string): boolean;
}

/** What rules need to know about the world outside the journal, seen right before they decide. */
export interface Facts {
  /** The signal, with the facts about the worktree it speaks of. */
  forSignal(world: World, signal: Signal): Promise<Signal>;
  /** The worktree of a run, and what git says about the findings of its task; undefined where there is none. */
  ofWorktree(plan: PlanFile, run: Pick<RunEntry, 'branch'>, task?: TaskEntry): Promise<WorktreeFacts | undefined>;
  /** Where the plan branch and its base branch are, if that differs from what the journal has. */
  ofBranches(entry: PlanEntry): Promise<readonly Event[]>;
  /** Whose worktree is linked differently from what the journal has. */
  ofLinks(entry: PlanEntry): Promise<readonly Event[]>;
  /** The ids of done tasks whose work is not on this commit. */
  lostWork(entry: PlanEntry, commit: Commit): Promise<readonly string[]>;
  /** Whether the plan branch could be merged into its base; undefined where there is no branch. */
  ofLanding(entry: PlanEntry): Promise<LandingFacts | undefined>;
}

export interface Signals {
  waiting(): number;
  /** The session that this key was issued for, if it was. */
  ownerOfKey(key: string): string | undefined;
  /** Puts the message into the session's inbox; durable when it returns. */
  drop(message: Message): void;
  /** Records that the agent of this session typed a command that is not for agents; does nothing for a person. */
  reportForbiddenCommand(command: string): void;
  /** Keeps what the program of a session reports about itself. */
  report(session: SessionId, report: Report): void;
}

export interface EngineControl {
  holder(): LockHolder | undefined;
  /** What keeps an engine that runs from its work, as a sentence. */
  problem(): string | undefined;
  /** Whether no engine is running because the last one was killed, and not because it was stopped. */
  wasKilled(): boolean;
  /** Throws a Failure if the engine that is running was not started with these options. */
  check(options: RunOptions): void;
  /** Starts the engine in the background unless one is running. */
  start(options: RunOptions): Promise<LockHolder>;
  /** Stops the engine and waits until it has; undefined where none was running. */
  stop(): Promise<LockHolder | undefined>;
  /** Is the engine until stopped. */
  run(surface: EngineSurface, stop: AbortSignal, ready: () => void): Promise<void>;
  /** Gets these effects done, by the running engine or by being it for a moment. */
  perform(effects: readonly string[], notify: Notify): Promise<void>;
  /** Where a background engine logs. */
  readonly log: string;
  /** Its warnings since `from`, a place in that log, and where to continue; without `from`, only where the log ends. */
  warnings(from?: number): { readonly texts: readonly string[]; readonly next: number };
}

export interface PlanStateReads {
  /** What prevents plan-state.json from being used, as a sentence. */
  problem(): string | undefined;
  /** The status that plan-state.json gives a plan, as far as the file can be read. */
  statusOf(plan: PlanFile): PlanState | undefined;
}

/** Changes as this repository and this terminal want them. */
export interface ShownChanges extends Omit<Changes, 'ofPlan'> {
  /** `base`: the recorded base branch, unless the settings name another. */
  ofPlan(plan: PlanFile, base: string | undefined): Promise<CommitRange | undefined>;
  readonly colour: 'auto' | 'always' | 'never';
}

export interface RunOptions {
  /** Agents run without terminals. */
  readonly headless: boolean;
  readonly maxParallel?: number;
}

/** What must be in place before a plan can be built, and what it would be built with. */
export interface Preflight {
  readonly problem?: { readonly code: FailureCode; readonly why: string; readonly try?: readonly Suggestion[] };
  readonly warnings: readonly string[];
  /** The verify command as one types it; null where there is none. */
  readonly verify: string | null;
  /** The command that prepares worktrees, in the same way. */
  readonly setup: string | null;
  /** The program of each role. */
  readonly programs: Readonly<Record<string, string>>;
  readonly maxParallel: number;
  /** The settings as rules will see them. */
  readonly policy: Policy;
}

export interface Check {
  readonly name: string;
  readonly result: 'ok' | 'note' | 'bad';
  readonly sentence: string;
  readonly try?: readonly Suggestion[];
}
