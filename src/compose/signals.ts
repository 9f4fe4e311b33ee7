// The inbox of the session that this process runs in.
import { join } from 'node:path';
import { initRepo } from '../adapters/repo/init-repo.ts';
import { reports } from '../adapters/sessions/reports.ts';
import { dropMessage } from '../adapters/signals/dropbox.ts';
import { clock } from '../adapters/system/clock.ts';
import type { Signals, Speaker } from '../app/ports.ts';
import { type Message, OUTSIDE_SESSION, tryOf } from '../signals/message.ts';
import type { Base } from './base.ts';

export function speakerIn({ session }: Base): Speaker {
  return {
    name: session?.session ?? OUTSIDE_SESSION,
    role: session?.role ?? 'outside',
    ...(session?.plan === undefined ? {} : { plan: session.plan }),
    ...(session?.task === undefined ? {} : { task: session.task }),
  };
}

export function signalsOf({ repo, disk, inbox, session, command }: Base): Signals {
  const drop = (message: Message): void => {
    initRepo(disk, repo);
    const box = join(repo.inbox, message.session);
    dropMessage(disk, { message, box, now: clock.now(), claimedBox: session?.inbox });
  };
  return {
    waiting: () => inbox.waiting(),
    drop,
    reportForbiddenCommand(name) {
      if (session !== undefined) drop(tryOf(session, name, command));
    },
    report: (of, report) => reports(repo.reports).write(of, report, clock.now().getTime()),
  };
}
