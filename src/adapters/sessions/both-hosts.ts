// The host that is wanted, and the other one for sessions that began there before the setting was changed: they live on,
// and are seen and stopped where they are.

import type { SessionId } from '../../core/model/ids.ts';
import type { Host } from '../../core/ports/host.ts';
import { sessionFolders } from './session-folders.ts';

/** `folder`: where both keep the folders of their sessions. */
export function bothHosts(wanted: Host, other: Host, folder: string): Host {
  const others = sessionFolders(folder, other.kind);
  const hostOf = (session: SessionId): Host => (others.hostOf(session) === other.kind ? other : wanted);
  const isUsed = (): boolean => others.begun().size > 0;
  return {
    kind: wanted.kind,
    async start(launch) {
      // One that lives in the place elsewhere makes room first, as it would here.
      for (const [session, place] of others.begun()) if (place === launch.place) await other.stop(session);
      await wanted.start(launch);
    },
    stop: (session) => hostOf(session).stop(session),
    send: (session, text) => hostOf(session).send(session, text),
    screen: (session) => hostOf(session).screen(session),
    async list() {
      return [...(await wanted.list()), ...(isUsed() ? await other.list() : [])];
    },
    attach: (session) => hostOf(session).attach(session),
    watch(news) {
      const watching = [wanted, ...(isUsed() ? [other] : [])].map((host) => host.watch(news));
      return {
        close() {
          for (const one of watching) one.close();
        },
      };
    },
    close() {
      wanted.close();
      other.close();
    },
  };
}
