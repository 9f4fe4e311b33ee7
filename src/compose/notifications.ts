// Puts the ways of notifying a person together, as the settings want them.
import { existsSync } from 'node:fs';
import { announcedFile } from '../adapters/notify/announced-file.ts';
import { notifier } from '../adapters/notify/notifier.ts';
import type { Repo } from '../adapters/repo/repo.ts';
import type { Disk } from '../core/ports/disk.ts';
import type { Notification, Notifications, Notifier } from '../core/ports/notify.ts';
import type { NotifySettings } from '../core/settings/notify.ts';
import { notificationInput } from '../surfaces/cli/text/notification-json.ts';

/** `home`: the folder of the person's settings. `root`: the main checkout; null outside of a repository. */
export function openNotifier(env: NodeJS.ProcessEnv, home: string, root: string | null): Notifier {
  const json = (notification: Notification): string => notificationInput(notification, root);
  return notifier({ env, json, cwd: existsSync(home) ? home : '/' });
}

export interface NotificationsOpening {
  readonly repo: Repo;
  readonly env: NodeJS.ProcessEnv;
  readonly disk: Disk;
  /** As they are now: a person may change them while the engine is running. */
  settings(): NotifySettings;
  /** Shows it where the engine runs in the foreground. */
  announce(notification: Notification): void;
}

export function openNotifications({ repo, env, disk, settings, announce }: NotificationsOpening): Notifications {
  const { send } = openNotifier(env, repo.home, repo.root);
  return {
    ...announcedFile(disk, repo.announced),
    async send(notification, command) {
      const { for: wanted, desktop } = settings();
      if (!wanted.includes(notification.kind)) return [];
      announce(notification);
      return send(notification, { desktop, command });
    },
  };
}
