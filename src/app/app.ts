// Everything a surface can do and see. The command line is one client of it; others follow.
import { findAgent } from '../agents/registry.ts';
import type { By } from '../core/model/event.ts';
import { Failure } from '../core/model/failure.ts';
import type { JournalRecord } from '../core/model/record.ts';
import { unknownFailure, unknownSession } from '../core/model/refusals.ts';
import type { SessionEntry } from '../core/model/session.ts';
import { type ActionName, suggest } from '../core/model/suggestion.ts';
import type { World } from '../core/model/world.ts';
import type { LockHolder } from '../core/ports/locks.ts';
import type { Notify } from '../core/ports/notify.ts';

import { type Concerns, concernsPlace, concernsPlan } from '../core/views/history.ts';
import type { Outcome } from '../core/views/outcome.ts';
import { type OpenQuestion, openQuestions } from '../core/views/questions.ts';
import type { Quarantined } from '../core/views/refused-signal.ts';
import type { PlanFile } from '../plan/name.ts';
import { showLines, showName } from '../text/show.ts';
import { type Performed, type Refused, refuse } from './actions/action.ts';
import { planToRun } from './actions/plans.ts';
import { type FeedItem, type FeedRequest, feedStart, followBuild } from './feed.ts';
import { type Call, perform } from './perform.ts';
import type { AppPorts, Check, Preflight, RunOptions } from './ports.ts';
import { type CodeDiff, readCodeDiff } from './reads/code-diff.ts';
import { type BuildOrder, readOrder } from './reads/order.ts';
import { diffSinceLaunch, type PlanDiff } from './reads/plan-diff.ts';
import { type PlanText, readPlanText } from './reads/plan-text.ts';
import { readStatus, type Status } from './reads/status.ts';
import { readWhy, type Why } from './reads/why.ts';
import { type Asking, asksNow, type SessionShown, viewSessions } from './sessions.ts';
import { type SignalRequest, type SignalSent, sendSignal } from './signal.ts';
import { planNamed, sessionNamed } from './targets.ts';

export interface App {
  /** The main checkout. */
  readonly root: string;
  readonly by: By;
  perform<Name extends ActionName>(call: Call<Name>): Promise<Performed>;
  /** Records that the agent of this session typed a command that is not for agents. */
  reportAttempt(command: string): void;
  signal(request: SignalRequest): Promise<SignalSent>;
  /** Takes what the program of a session reports about itself, in the program's own format. */
  report(session: string, text: () => Promise<string>): Promise<void>;

  /** The journal, folded, without what changed in plan files since the engine last read them. */
  world(): Promise<World>;
  status(plan?: string): Promise<Status>;
  why(subject: string | undefined): Promise<Why>;
  questions(): Promise<{ readonly questions: readonly OpenQuestion[]; readonly asks: readonly Asking[] }>;
  /** All records, or those of a plan. */
  records(plan?: string): Promise<readonly JournalRecord[]>;
  /** Records as they are written. */
  follow(seq: number, stop: AbortSignal): AsyncIterable<JournalRecord>;
  /** Whether a record is about the plan. */
  concerns(plan: string | undefined): Promise<Concerns>;
  planText(reference: string | undefined): Promise<PlanText>;
  /** What changed in a plan file since its tasks were launched. */
  planDiff(after: PlanText): Promise<PlanDiff>;
  codeDiff(subject: string | undefined): Promise<CodeDiff | Refused>;
  /** The plan that would be built; a Failure where there is none. */
  planToRun(reference: string | undefined): Promise<PlanFile>;
  order(plan: string | undefined): Promise<BuildOrder>;
  preflight(options: RunOptions): Promise<Preflight>;
  checkUp(): Promise<readonly Check[]>;

  /** Every session, or only the newest of each place. */
  sessions(which: 'all' | 'newest'): Promise<readonly SessionShown[]>;
  screen(session: string): Promise<{ readonly session: string; readonly screen: string }>;
  sessionRecords(session: string): Promise<readonly JournalRecord[]>;
  /** The command that shows the session's terminal in this one. */
  attach(session: string): Promise<{ readonly session: string; readonly argv: readonly string[] } | Refused>;
  /** The first bytes of a refused signal, as far as it is a file. */
  original(refused: Quarantined): Buffer | undefined;

  readonly engine: {
    holder(): LockHolder | undefined;
    readonly log: string;
    /** Is the engine until stopped. */
    run(notify: Notify, stop: AbortSignal, ready: () => void): Promise<void>;
    stop(): Promise<LockHolder | undefined>;
  };
  feedStart(): Promise<FeedRequest['after']>;
  followBuild(request: FeedRequest, show: (item: FeedItem) => Promise<void> | void): Promise<Outcome | undefined>;
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
    perform: (call) => perform(ports, call),
    reportAttempt: (command) => ports.signals.reportForbiddenCommand(command),
    signal: (request) => sendSignal(ports, request),
    report: (session, text) => report(ports, session, text),
    world: async () => ports.gateway.look(),
    status: (plan) => readStatus(ports, plan),
    why: (subject) => readWhy(ports, subject),
    async questions() {
      return { questions: openQuestions(await ports.gateway.look()), asks: await asksNow(ports) };
    },
    async records(plan) {
      const all = await journal.records();
      return plan === undefined ? all : all.filter(await concerns(ports, plan));
    },
    follow: (seq, stop) => journal.follow(seq, stop),
    concerns: (plan) => concerns(ports, plan),
    planText: (reference) => readPlanText(ports, reference),
    planDiff: (after) => diffSinceLaunch(ports, after),
    codeDiff: (subject) => readCodeDiff(ports, subject),
    planToRun: (reference) => planToRun(ports, reference),
    order: (plan) => readOrder(ports, plan),
    preflight: (options) => ports.preflight(options),
    checkUp: () => ports.checkUp(),
    async sessions(which) {
      const all = [...(await ports.gateway.look()).sessions.values()];
      return viewSessions(ports, which === 'all' ? all : all.filter((entry) => entry.followedBy === undefined));
    },
    async screen(session) {
      const { id } = await named(session);
      const text = await (await ports.sessions()).screen(id);
      return { session: id, screen: showLines(text).replace(/\n+$/, '') };
    },
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

async function concerns({ gateway }: AppPorts, plan: string | undefined): Promise<Concerns> {
  return plan === undefined ? () => true : concernsPlan(planNamed(await gateway.look(), plan).plan);
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
    throw new Failure('usage', 'not-yours', `Only the program of ${showName(session)} reports for it.`);
  const reported = findAgent(entry.program).readReport(await text());
  if (reported.kind !== 'nothing') ports.signals.report(entry.id, reported);
}
