// Everything a surface can do and see. The command line and the terminal interface are clients of it.
import { findAgent } from '../agents/registry.ts';
import type { By } from '../core/model/event.ts';
import { Failure } from '../core/model/failure.ts';
import type { JournalRecord } from '../core/model/record.ts';
import { unknownFailure, unknownSession } from '../core/model/refusals.ts';
import type { SessionEntry } from '../core/model/session.ts';
import { type ActionName, suggest } from '../core/model/suggestion.ts';
import { isPlanning, type PlanningEntry } from '../core/model/workshop/status.ts';
import type { World } from '../core/model/world.ts';
import type { LockHolder } from '../core/ports/locks.ts';
import type { EngineSurface } from '../core/ports/notify.ts';

import type { Asking } from '../core/views/asking.ts';
import { type FindingView, findingsIn } from '../core/views/findings.ts';
import { type Concerns, concernsPlace, concernsPlan, concernsTask } from '../core/views/history.ts';
import { type OpenQuestion, openQuestions } from '../core/views/questions.ts';
import type { Quarantined } from '../core/views/refused-signal.ts';
import { sessionsInUse } from '../core/views/sessions-in-use.ts';
import type { PlanFile } from '../plan/name.ts';
import { showLines, showName } from '../text/show.ts';
import {
  type GarbageRequest,
  type ImportInput,
  type Performed,
  type PlanImport,
  type Refused,
  refuse,
} from './actions/action.ts';
import { planToRun } from './actions/plans.ts';
import { ACTIONS } from './actions/table.ts';
import { type FeedItem, type FeedPosition, type FeedRequest, type Followed, feedStart, followBuild } from './feed.ts';
import { type Init, initIn } from './init.ts';
import { type Call, perform } from './perform.ts';
import type { AppPorts, Check, Speaker } from './ports.ts';
import { type CodeDiff, readCodeDiff, readSessionDiff } from './reads/code-diff.ts';
import { type Detail, readDetail } from './reads/detail.ts';
import { type DiskUsage, type GarbageReport, readDiskUsage, readGarbage } from './reads/garbage.ts';
import { type IncidentShown, readIncidents } from './reads/incidents.ts';
import { type KeptView, readKept, readKeptDiff } from './reads/kept.ts';
import { type BuildOrder, readOrder, readRemarks } from './reads/order.ts';
import { type CommandOutput, type OutputKind, readOutput } from './reads/output.ts';
import { diffSinceLaunch, type PlanDiff } from './reads/plan-diff.ts';
import { readDoneTasks } from './reads/plan-export.ts';
import { readImport } from './reads/plan-import.ts';
import { draftOf, type PlanText, readPlanText } from './reads/plan-text.ts';
import { type PromptRequest, readPrompt, type ShownPrompt } from './reads/prompt.ts';
import { type References, readReferences } from './reads/references.ts';
import { findRepairs, type Repair, readCheckUp } from './reads/repairs.ts';
import {
  type FullStatus,
  readFullStatus,
  readOverview,
  readStatus,
  type Status,
  type StatusOverview,
  type StatusRequest,
} from './reads/status.ts';
import { readTranscript, type Transcript } from './reads/transcript.ts';
import { readWhy, type Why } from './reads/why.ts';
import { known } from './reads/world.ts';
import { asksNow, type SessionShown, viewSessions } from './sessions.ts';
import { type SignalRequest, type SignalSent, sendSignal } from './signal.ts';
import { planAmong, planNamed, sessionNamed, subjectNamed } from './targets.ts';

export interface App {
  /** The main checkout. */
  readonly root: string;
  readonly by: By;
  /** What the agent of this session works on, as a person names it; undefined where there is no such session. */
  readonly assignment: string | undefined;
  /** Makes the repository ready for cadre. */
  readonly init: Init;
  /** The commit that the main checkout has checked out; a Failure where there is none. */
  headCommit(): string;
  /** The question to ask before the action; null where nothing is merged, stopped or lost. */
  confirmation(action: ActionName): string | null;
  perform<Name extends ActionName>(call: Call<Name>): Promise<Performed>;
  /** Records that the agent of this session typed a command that is not for agents. */
  reportAttempt(command: string): void;
  signal(request: SignalRequest): Promise<SignalSent>;
  /** Takes what the program of a session reports about itself, in the program's own format. */
  report(session: string, text: () => Promise<string>): Promise<void>;

  /** The journal, folded, without what changed in plan files since the engine last read them. */
  world(): Promise<World>;
  status(request?: StatusRequest): Promise<Status>;
  fullStatus(request?: StatusRequest): Promise<FullStatus>;
  /** The status and more, with one plan in full: the one that is named, or else the active one. */
  overview(plan: PlanFile | null): Promise<StatusOverview>;
  why(subject: string | undefined): Promise<Why>;
  questions(): Promise<{ readonly questions: readonly OpenQuestion[]; readonly asks: readonly Asking[] }>;
  /** What reviews found and people demanded: in all plans, in one, or in one task. */
  findings(subject?: string): Promise<readonly FindingView[]>;
  /** The names that a person may type, for completion and for what is left out. */
  references(): Promise<References>;
  /** Branches that somebody else moved. */
  incidents(plan?: string): Promise<readonly IncidentShown[]>;
  /** All records, or those of a plan or task; all of them, or the last ones. */
  records(subject?: string, last?: number): Promise<readonly JournalRecord[]>;
  /** Records as they are written. */
  follow(seq: number, stop: AbortSignal): AsyncIterable<JournalRecord>;
  /** Whether a record is about the plan. */
  concerns(subject: string | undefined): Promise<Concerns>;
  planText(reference: string | undefined): Promise<PlanText>;
  /** The plan of a workshop as it would be published; undefined where there is none yet. */
  planDraft(reference: string): Promise<string | undefined>;
  /** What changed in a plan file since its tasks were launched. */
  planDiff(after: PlanText): Promise<PlanDiff>;
  /** The plan, if its workshop is under way; a Failure where there is neither such a plan nor such a file. */
  planning(reference: string): Promise<PlanningEntry | undefined>;
  /** For a reference to a plan in a workshop, or to one of its questions: which; undefined for anything else. */
  planningQuestion(
    reference: string,
  ): Promise<{ readonly entry: PlanningEntry; readonly question: string | undefined } | undefined>;
  transcript(reference: string): Promise<Transcript>;
  /** What a file of another tool would become, and where. */
  importPreview(path: string, input: ImportInput): Promise<PlanImport | Refused>;
  /** The addresses of the done tasks of the plan at this path; none where cadre does not know the plan. */
  doneTasks(path: string): Promise<ReadonlySet<string>>;
  /** What the last verification of a task printed, or its setup command. */
  output(subject: string | undefined, kind: OutputKind): Promise<CommandOutput | Refused>;
  /** What an agent would be told now. */
  prompt(subject: string | undefined, request: PromptRequest): Promise<ShownPrompt | Refused>;
  codeDiff(subject: string | undefined): Promise<CodeDiff | Refused>;
  /** What the agent of a session has changed. */
  sessionDiff(session: string): Promise<CodeDiff | Refused>;
  /** What the file of a plan says about a task or about the plan, and what became of it. */
  detail(subject: string): Promise<Detail>;
  /** What was kept before something removed it, newest first. */
  kept(): Promise<readonly KeptView[]>;
  /** What is no longer needed. */
  garbage(request: GarbageRequest): Promise<GarbageReport>;
  /** What everything that cadre keeps for this repository takes on disk. */
  diskUsage(): Promise<readonly DiskUsage[]>;
  /** What is in it. */
  keptDiff(reference: string): Promise<CodeDiff | Refused>;
  /** The plan that would be built; a Failure where there is none. */
  planToRun(reference: string | undefined): Promise<PlanFile>;
  order(plan: string | undefined): Promise<BuildOrder>;
  /** What a plan leaves open or contradicts itself in, before it is built. */
  remarks(plan: PlanFile): Promise<readonly string[]>;
  checkUp(): Promise<readonly Check[]>;
  /** What `repair` would do. */
  repairs(): Promise<readonly Repair[]>;
  /** Whether plans can be built with the settings as they are. */
  readiness(): Promise<readonly Check[]>;

  /** Every session, or only those in use; and how many that leaves out. */
  sessions(which: 'all' | 'in-use'): Promise<{ readonly sessions: readonly SessionShown[]; readonly hidden: number }>;
  screen(session: string): Promise<{ readonly session: string; readonly screen: string }>;
  /** The same with colours, as SGR sequences, and with what has scrolled off. Only for a surface that takes SGR apart. */
  colouredScreen(session: string): Promise<string>;
  sessionRecords(session: string): Promise<readonly JournalRecord[]>;
  /** The command that shows the session's terminal in this one. */
  attach(session: string): Promise<{ readonly session: string; readonly argv: readonly string[] } | Refused>;
  /** The first bytes of a refused signal, as far as it is a file. */
  original(refused: Quarantined): Buffer | undefined;

  readonly engine: {
    holder(): LockHolder | undefined;
    /** Whether no engine is running because the last one was killed, and not because it was stopped. */
    wasKilled(): boolean;
    readonly log: string;
    /** Is the engine until stopped. */
    run(surface: EngineSurface, stop: AbortSignal, ready: () => void): Promise<void>;
    stop(): Promise<LockHolder | undefined>;
  };
  feedStart(): Promise<FeedPosition>;
  followBuild(request: FeedRequest, show: (item: FeedItem) => Promise<void> | void): Promise<Followed>;
  /** Stops every session that the host knows of. */
  stopAllSessions(): Promise<void>;
  /** Comes last: the connection to the host of the sessions would keep this process alive. */
  close(): Promise<void>;
}

export function createApp(ports: AppPorts): App {
  const { root, by, engine, journal } = ports;
  const named = async (session: string) => sessionNamed(await ports.gateway.look(), session);
  return {
    root,
    by,
    assignment: assignmentOf(ports.speaker),
    init: initIn(ports.init),
    headCommit: () => ports.repository.headCommit(),
    confirmation: (action) => ACTIONS[action].confirm,
    perform: (call) => perform(ports, call),
    reportAttempt: (command) => ports.signals.reportForbiddenCommand(command),
    signal: (request) => sendSignal(ports, request),
    report: (session, text) => report(ports, session, text),
    world: async () => ports.gateway.look(),
    status: (request) => readStatus(ports, request),
    fullStatus: (request) => readFullStatus(ports, request),
    overview: (plan) => readOverview(ports, plan),
    why: (subject) => readWhy(ports, subject),
    async findings(subject) {
      if (subject === undefined) return findingsIn(await ports.gateway.look());
      const { world, entry, task } = subjectNamed(await known(ports, subject), subject);
      return findingsIn(world, { plan: entry.plan, ...(task === undefined ? {} : { task: task.id }) });
    },
    async questions() {
      return { questions: openQuestions(await ports.gateway.look()), asks: (await asksNow(ports)).asking };
    },
    references: () => readReferences(ports),
    incidents: (plan) => readIncidents(ports, plan),
    async records(reference, last) {
      const { plan, isWanted } = await wanted(ports, reference);
      if (last === undefined) return (await journal.records()).filter(isWanted);
      return journal.lastRecords({ ...(plan === undefined ? {} : { plan }), isWanted, count: last });
    },
    follow: (seq, stop) => journal.follow(seq, stop),
    concerns: async (subject) => (await wanted(ports, subject)).isWanted,
    planText: (reference) => readPlanText(ports, reference),
    planDraft: async (reference) => draftOf(planNamed(await ports.gateway.look(), reference)),
    planDiff: (after) => diffSinceLaunch(ports, after),
    planning: async (reference) => planningIn(await ports.gateway.look(), reference),
    async planningQuestion(reference) {
      const [plan = '', question] = reference.split('#', 2);
      const entry = plan === '' ? undefined : planningIn(await ports.gateway.look(), plan);
      return entry === undefined ? undefined : { entry, question };
    },
    transcript: async (reference) => readTranscript(planNamed(await ports.gateway.look(), reference)),
    importPreview: (path, input) => readImport(ports, path, input),
    doneTasks: (path) => readDoneTasks(ports, path),
    output: (subject, kind) => readOutput(ports, subject, kind),
    prompt: (subject, request) => readPrompt(ports, subject, request),
    codeDiff: (subject) => readCodeDiff(ports, subject),
    sessionDiff: async (session) => readSessionDiff(ports, await named(session)),
    detail: (subject) => readDetail(ports, subject),
    kept: async () => (await readKept(ports)).map(({ view }) => view),
    keptDiff: (reference) => readKeptDiff(ports, reference),
    garbage: (request) => readGarbage(ports, request),
    diskUsage: () => readDiskUsage(ports),
    planToRun: (reference) => planToRun(ports, reference),
    order: (plan) => readOrder(ports, plan),
    remarks: (plan) => readRemarks(ports, plan),
    checkUp: () => readCheckUp(ports),
    repairs: () => findRepairs(ports),
    readiness: () => ports.readiness(),
    async sessions(which) {
      const world = await ports.gateway.look();
      const shown = which === 'all' ? [...world.sessions.values()] : sessionsInUse(world, ports.clock.now());
      return { sessions: await viewSessions(ports, shown), hidden: world.sessions.size - shown.length };
    },
    async screen(session) {
      const { id } = await named(session);
      const text = await (await ports.sessions()).screen(id);
      return { session: id, screen: showLines(text).replace(/\n+$/, '') };
    },
    colouredScreen: async (session) => (await ports.sessions()).colouredScreen((await named(session)).id),
    async sessionRecords(session) {
      const world = await ports.gateway.look();
      return (await journal.records()).filter(concernsPlace(world, sessionNamed(world, session).place));
    },
    attach: async (session) => attach(ports, await named(session)),
    original: (refused) => ports.quarantine.show(refused),
    engine,
    feedStart: () => feedStart(ports),
    followBuild: (request, show) => followBuild(ports, request, show),
    async stopAllSessions() {
      const sessions = await ports.sessions();
      for (const { session } of await sessions.list()) await sessions.stop(session);
    },
    close: () => ports.close(),
  };
}

function assignmentOf({ plan, task }: Speaker): string | undefined {
  return plan === undefined || task === undefined ? plan : `${plan}#${task}`;
}

function planningIn({ plans }: World, reference: string): PlanningEntry | undefined {
  const plan = planAmong(plans.keys(), reference);
  const entry = plan === undefined ? undefined : plans.get(plan);
  return entry !== undefined && isPlanning(entry) ? entry : undefined;
}

/** The records about a plan or a task; all of them where none is named. */
async function wanted(
  ports: AppPorts,
  subject: string | undefined,
): Promise<{ readonly plan?: PlanFile; readonly isWanted: Concerns }> {
  if (subject === undefined) return { isWanted: () => true };
  const { entry, task } = subjectNamed(await known(ports, subject), subject);
  const { plan } = entry;
  return { plan, isWanted: task === undefined ? concernsPlan(plan) : concernsTask(plan, task.id) };
}

async function attach(ports: AppPorts, entry: SessionEntry): ReturnType<App['attach']> {
  const [view] = await viewSessions(ports, [entry]);
  if (view?.state !== 'running' && view?.state !== 'ended')
    return refuse('no-terminal', `${entry.id} is ${view?.state}, so it has no terminal. ${view?.sentence}`, {
      try: view?.suggestions ?? [],
    });
  const argv = (await ports.sessions()).attach(entry.id);
  return argv === undefined
    ? refuse('no-terminal', `${entry.id} has no terminal.`, { try: [suggest('session-screen', entry.id)] })
    : { session: entry.id, argv };
}

async function report(ports: AppPorts, session: string, text: () => Promise<string>): Promise<void> {
  const { sessions } = await ports.gateway.look();
  const entry = [...sessions.values()].find((one) => one.id === session);
  if (entry === undefined) throw unknownFailure('unknown-session', unknownSession(session));
  if (ports.speaker.name !== entry.id)
    throw new Failure('usage', 'not-yours', `Only the program of ${showName(session)} may report for it.`);
  const reported = findAgent(entry.program).readReport(await text());
  if (reported.kind !== 'nothing') ports.signals.report(entry.id, reported);
}
