// What can be seen of the activity of sessions: their reports, their screens, and when they last wrote something.
import type { ScreenReading } from '../../agents/agent.ts';
import { findAgent } from '../../agents/registry.ts';
import { needsScreen, type Sight } from '../../core/model/activity.ts';
import { Failure } from '../../core/model/failure.ts';
import type { SessionId } from '../../core/model/ids.ts';
import { lastDelivery, type SessionEntry } from '../../core/model/session.ts';
import type { Host, HostedSession } from '../../core/ports/host.ts';
import type { Reports } from './reports.ts';

export interface Sights {
  /** All sessions of the host, with the sight of those of these that run. */
  of(entries: readonly SessionEntry[]): Promise<readonly (HostedSession & { readonly sight?: Sight })[]>;
}

/** What a screen showed. It still does, as long as the program has written nothing more. */
interface LastScreen {
  readonly lastOutput: number;
  readonly reading: ScreenReading;
}

/** Hosts know the time of the last output to the second, so a screen may change within that second. In milliseconds. */
const SETTLED_AFTER = 2_000;

/** Reading a screen costs more than reading a file, so it is done only if no report says enough, and after new output. */
export function openSights(host: Host, reports: Pick<Reports, 'latest'>): Sights {
  const screens = new Map<SessionId, LastScreen>();

  const screenOf = async (entry: SessionEntry, lastOutput: number | undefined): Promise<ScreenReading | undefined> => {
    const last = screens.get(entry.id);
    if (last !== undefined && last.lastOutput === lastOutput) return last.reading;
    const hasSettled = lastOutput !== undefined && Date.now() - lastOutput > SETTLED_AFTER;
    const reading = await readScreenOf(host, entry);
    if (hasSettled && reading !== undefined) screens.set(entry.id, { lastOutput, reading });
    else screens.delete(entry.id);
    return reading;
  };

  const sightOf = async (entry: SessionEntry, lastOutput: number | undefined): Promise<Sight> => {
    const delivered = lastDelivery(entry);
    const lastSent = delivered === undefined ? undefined : Date.parse(delivered);
    const known = { reported: reports.latest(entry.id), lastOutput, lastSent };
    return { ...known, screen: needsScreen(known, Date.now()) ? await screenOf(entry, lastOutput) : undefined };
  };

  return {
    async of(entries) {
      const asked = new Map(entries.map((entry) => [entry.id, entry]));
      for (const session of screens.keys()) if (!asked.has(session)) screens.delete(session);
      const hosted = await host.list();
      return Promise.all(
        hosted.map(async (one) => {
          const entry = asked.get(one.session);
          if (entry === undefined || one.life.kind !== 'running') return one;
          return { ...one, sight: await sightOf(entry, one.lastOutput) };
        }),
      );
    },
  };
}

async function readScreenOf(host: Host, { id, program }: SessionEntry): Promise<ScreenReading | undefined> {
  try {
    return findAgent(program).readScreen(await host.screen(id));
  } catch (error) {
    // It may have ended since it was listed.
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
