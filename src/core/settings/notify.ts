// The setting `notify`: what a person is notified of, and how.
import { splitCommand } from '../../text/command-line.ts';

/** What a person can be notified of, and what each means. */
export const NOTIFICATION_KINDS = {
  question: 'an agent needs an answer',
  decision: 'a verdict or the next step is up to you',
  permission: 'an agent asks on its screen whether it may do something',
  halted: 'an agent failed, and the restart limit is reached',
  budget: 'a limit is reached',
  'held-up': 'something outside of cadre prevents the next step',
  incident: 'somebody else moved a branch of the plan',
  land: 'a plan is done, and landing it is up to you',
  done: 'a plan is done, and nothing is left to do',
} as const;

export type NotificationKind = keyof typeof NOTIFICATION_KINDS;

/** `auto`: where it works as far as cadre can tell. */
export type NotifyChoice = 'auto' | 'on' | 'off';

export interface NotifySettings {
  readonly bell: boolean;
  readonly osc9: NotifyChoice;
  readonly desktop: NotifyChoice;
  /** A command line, or its words. */
  readonly command?: string | readonly string[] | undefined;
  readonly for: readonly string[];
}

export const NOTIFY: NotifySettings = {
  bell: true,
  osc9: 'auto',
  desktop: 'auto',
  for: Object.keys(NOTIFICATION_KINDS),
};

/** The words of the configured command; none where there is no command. */
export function notifyWords({ command = [] }: Pick<NotifySettings, 'command'>): readonly string[] {
  if (typeof command !== 'string') return command;
  const { program, flags } = splitCommand(command) ?? { flags: [] };
  return program === undefined ? [] : [program, ...flags];
}
