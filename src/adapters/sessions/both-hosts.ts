// The configured host, and the other one for sessions that were started before the setting changed: these keep running, and
// are listed and stopped where they are.

import type { SessionId } from '../../core/model/ids.ts';
import type { Host } from '../../core/ports/host.ts';
import { sessionFolders } from './session-folders.ts';

/** `folder`: where both keep the folders of their sessions. */
export function bothHosts(configured: Host, other: Host, folder: string): Host {
  const others = sessionFolders(folder, other.kind);
  const hostOf = (session: SessionId): Host => (others.hostOf(session) === other.kind ? other : configured);
  const hasOthers = (): boolean => others.started().size > 0;
  return {
    kind: configured.kind,
    async start(launch) {
      // A session of the other host in this place has to make room, as one of this host would.
      for (const [session, place] of others.started()) if (place === launch.place) await other.stop(session);
      await configured.start(launch);
    },
    stop: (session) => hostOf(session).stop(session),
    send: (session, text) => hostOf(session).send(session, text),
    screen: (session) => hostOf(session).screen(session),
    colouredScreen: (session) => hostOf(session).colouredScreen(session),
    async list() {
      return [...(await configured.list()), ...(hasOthers() ? await other.list() : [])];
    },
    attach: (session) => hostOf(session).attach(session),
    watch(listener) {
      const watching = [configured, ...(hasOthers() ? [other] : [])].map((host) => host.watch(listener));
      return {
        close() {
          for (const one of watching) one.close();
        },
      };
    },
    close() {
      configured.close();
      other.close();
    },
  };
}
