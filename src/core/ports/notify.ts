// Messages to a person, as ports: to one who is watching, and to one who is not.
import type { PlanFile } from '../../plan/name.ts';
import type { Suggestion } from '../model/suggestion.ts';
import type { NotificationKind, NotifyChoice } from '../settings/notify.ts';

/** Shows sentences to a person. */
export interface Notify {
  /** Something waits for them, or is finished. */
  tell(text: string): void;
  /** Something prevents progress. */
  warn(text: string): void;
}

/** Something that a person should know now. Its texts are safe to print. */
export interface Notification {
  /** Stays the same for as long as what it is about holds, also in the next engine. */
  readonly id: string;
  readonly kind: NotificationKind | 'test';
  readonly plan: PlanFile | null;
  /** The task's address. */
  readonly task: string | null;
  readonly session: string | null;
  /** One line: what it is about, and what is the matter. */
  readonly title: string;
  readonly text: string;
  readonly actions: readonly Suggestion[];
}

/** The surface of an engine in the foreground. */
export interface EngineSurface extends Notify {
  announce(notification: Notification): void;
}

/** Notifies a person once of each thing. */
export interface Notifications {
  /** The ids of what was announced and still held then; undefined where that is not known. */
  announced(): readonly string[] | undefined;
  /** Contract: what is remembered is known to the next engine. A Failure if it cannot be kept. */
  remember(ids: readonly string[]): void;
  /** As the settings say, with this command. Contract: everything has started when it returns; it never fails. */
  send(notification: Notification, command: readonly string[]): Promise<readonly Delivery[]>;
}

/** How a notification went through one channel. `off`: the settings do not want it; `missing`: not possible here. */
export interface Delivery {
  readonly channel: 'bell' | 'osc9' | 'desktop' | 'command';
  readonly result: 'sent' | 'off' | 'missing' | 'failed';
  readonly sentence: string;
}

/** Sends notifications with other programs. The contract is that of `Notifications.send`. */
export interface Notifier {
  send(notification: Notification, channels: Channels): Promise<readonly Delivery[]>;
}

export interface Channels {
  readonly desktop: NotifyChoice;
  /** The words of a command; empty for none. */
  readonly command: readonly string[];
}
