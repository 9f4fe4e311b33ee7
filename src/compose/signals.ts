// The inbox of the session that this process runs in.
import { join } from 'node:path';
import { initRepo } from '../adapters/repo/init-repo.ts';
import { reports } from '../adapters/sessions/reports.ts';
import { dropMessage } from '../adapters/signals/dropbox.ts';
import { sessionKeys } from '../adapters/signals/session-keys.ts';
import { clock } from '../adapters/system/clock.ts';
import type { Signals, Speaker } from '../app/ports.ts';
import { forbiddenCommandMessage, type Message, OUTSIDE_SESSION } from '../signals/message.ts';
import type { Base } from './base.ts';

export function speakerIn({ session }: Base): Speaker {
  return {
    name: session?.session ?? OUTSIDE_SESSION,
    role: session?.role ?? 'outside',
    ...(session?.plan === undefined ? {} : { plan: session.plan }),
    ...(session?.task === undefined ? {} : { task: session.task }),
    ...(session?.key === undefined ? {} : { key: session.key }),
  };
}

export function openSignals({ repo, disk, inbox, session, command }: Base): Signals {
  const keys = sessionKeys(disk, repo.sessions);
  const drop = (message: Message): void => {
    initRepo(disk, repo);
    const box = join(repo.inbox, message.session);
    dropMessage(disk, { message, box, now: clock.now(), claimedBox: session?.inbox });
  };
  return {
    waiting: () => inbox.waiting(),
    ownerOfKey: (key) => keys.ownerOf(key),
    drop,
    reportForbiddenCommand(name) {
      if (session !== undefined) drop(forbiddenCommandMessage(session, name, command));
    },
    report: (of, report) => reports(repo.reports).write(of, report, clock.now().getTime()),
  };
}
