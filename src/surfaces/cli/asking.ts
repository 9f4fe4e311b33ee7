// What programs ask on their own screens, such as whether they may run a command: no signal tells of it, so one has to look.
import { activityOf, needsAnswer } from '../../core/model/activity.ts';
import { Failure } from '../../core/model/failure.ts';
import type { SessionId } from '../../core/model/ids.ts';
import type { SessionEntry } from '../../core/model/session.ts';
import type { PlanFile } from '../../plan/name.ts';
import { showLines } from '../../text/show.ts';
import type { App } from './app.ts';

export interface Asking {
  readonly session: SessionId;
  readonly plan: PlanFile | null;
  /** The task's address; nothing where the session is the plan's. */
  readonly task: string | null;
  readonly question: string;
  readonly command: string;
}

/** What the sessions of a plan, or of all, ask at this moment. Who does not ask again lets go of the host. */
export async function askingIn(app: App, then: 'ask again' | 'let go', plan?: PlanFile): Promise<readonly Asking[]> {
  const world = await app.gateway.look();
  const entries = [...world.sessions.values()].filter(
    (entry) => isUp(entry) && (plan === undefined || entry.plan === plan),
  );
  if (entries.length === 0) return [];
  const now = Date.now();
  const sessions = await app.sessions();
  const seen = await sessions.look(entries).finally(() => {
    if (then === 'let go') sessions.close();
  });
  return seen.flatMap(({ session, sight }) => {
    const entry = world.sessions.get(session);
    const activity = sight === undefined ? undefined : activityOf(sight, now);
    if (entry === undefined || activity === undefined || !needsAnswer(activity)) return [];
    const its = entry.plan === undefined ? undefined : world.plans.get(entry.plan);
    return [
      {
        session,
        plan: its?.plan ?? null,
        task: its?.tasks.find(({ id }) => id === entry.task)?.address ?? null,
        question: activity.about ?? '',
        command: `cadre session attach ${session}`,
      },
    ];
  });
}

function isUp({ up, ended, wanted }: SessionEntry): boolean {
  return up !== undefined && ended === undefined && wanted === 'running';
}

export function askingLines({ session, task, question, command }: Asking): readonly string[] {
  const [first = '', ...more] = showLines(question.trimEnd()).split('\n');
  const whose = task === null ? session : `${session} of task ${task}`;
  return [`! ${whose} asks: ${first}`, ...more.map((line) => `    ${line}`), `    "${command}" answers.`];
}

/** How often is looked, in milliseconds. */
export const LOOK_EVERY = 2_000;

/** Tells each question when it appears, until it is closed. A host that does not answer at this moment is asked again. */
export function watchForQuestions(app: App, plan: PlanFile, tell: (asking: Asking) => void): { close(): void } {
  let known: ReadonlySet<string> = new Set();
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    try {
      const all = await askingIn(app, 'ask again', plan);
      for (const asking of all) if (!known.has(nameOf(asking))) tell(asking);
      known = new Set(all.map(nameOf));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    } finally {
      isLooking = false;
    }
  };
  const timer = setInterval(() => void look(), LOOK_EVERY);
  return {
    close() {
      clearInterval(timer);
      void app.sessions().then((sessions) => sessions.close());
    },
  };
}

function nameOf({ session, question }: Asking): string {
  return `${session} ${question}`;
}
