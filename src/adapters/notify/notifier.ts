// Sends notifications with other programs: on the desktop, and to the command that the settings name.
import type { Channels, Delivery, Notification, Notifier } from '../../core/ports/notify.ts';
import type { NotifyChoice } from '../../core/settings/notify.ts';
import { oneLine } from '../../text/one-line.ts';
import { quoteForShell } from '../../text/shell.ts';
import { showText } from '../../text/show.ts';
import { cleanEnvironment } from '../system/clean-environment.ts';
import { type Finished, isInstalled, runBriefly } from '../system/exec.ts';
import { DESKTOP_PROGRAMS, type DesktopProgram } from './desktop.ts';

export interface NotifierOptions {
  /** cadre's environment, of which the programs see only the safe part. */
  readonly env: NodeJS.ProcessEnv;
  /** The folder of the settings: a path in the command is relative to it. */
  readonly cwd: string;
  /** The notification as JSON, for the command. */
  json(notification: Notification): string;
  /** In milliseconds. */
  readonly patience?: number;
}

/** In milliseconds. Short, because an engine that stops waits for it. */
const PATIENCE = 10_000;

/** What programs may need besides the usual variables, to reach the desktop or to call cadre. */
const PASSED_ON = [
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'XDG_RUNTIME_DIR',
  'DBUS_SESSION_BUS_ADDRESS',
  'CADRE_HOME',
];

export function notifier(options: NotifierOptions): Notifier {
  return {
    send: (notification, channels) =>
      Promise.all([
        onDesktop(options, notification, channels.desktop),
        toCommand(options, notification, channels.command),
      ]),
  };
}

async function onDesktop(
  options: NotifierOptions,
  { title, text }: Notification,
  wanted: NotifyChoice,
): Promise<Delivery> {
  const delivery = deliveryOf('desktop');
  if (wanted === 'off') return delivery('off', 'The desktop is off in the settings.');
  const found = desktopProgram(options.env);
  if (found === undefined)
    return delivery(wanted === 'on' ? 'failed' : 'missing', `Nothing was shown on the desktop: ${NO_DESKTOP}`);
  const problem = await problemOf(options, found.argv(`cadre: ${title}`, oneLine(text)));
  return problem === undefined
    ? delivery('sent', `Shown on the desktop by ${found.program}.`)
    : delivery('failed', `Nothing was shown on the desktop: ${found.program} ${problem}`);
}

const NO_DESKTOP = 'neither terminal-notifier, osascript nor notify-send is installed here, or there is no desktop.';

function desktopProgram(env: NodeJS.ProcessEnv): DesktopProgram | undefined {
  return DESKTOP_PROGRAMS.find((one) => isInstalled(one.program, env) && one.hasDesktop(env));
}

async function toCommand(
  options: NotifierOptions,
  notification: Notification,
  command: Channels['command'],
): Promise<Delivery> {
  const delivery = deliveryOf('command');
  if (command.length === 0) return delivery('off', 'The settings name no command.');
  const shown = showText(quoteForShell(command));
  const problem = await problemOf(options, command, `${options.json(notification)}\n`);
  return problem === undefined
    ? delivery('sent', `Given to the command: ${shown}`)
    : delivery('failed', `The command for notifications (${shown}) ${problem}`);
}

/** Completes a sentence about the program; undefined if it did its work. */
async function problemOf(
  { env, cwd, patience = PATIENCE }: NotifierOptions,
  argv: readonly string[],
  input = '',
): Promise<string | undefined> {
  const around = { cwd, env: cleanEnvironment(env, PASSED_ON), input, timeLimit: patience };
  return endWords(await runBriefly(argv, around), patience);
}

function endWords({ exitCode, signal, stderr }: Finished, patience: number): string | undefined {
  if (exitCode === 0) return undefined;
  if (exitCode === 126 || exitCode === 127) return `could not be started: ${oneLine(stderr)}.`;
  if (exitCode === 124) return `took longer than ${patience / 1000} s and was stopped.`;
  const how = signal === undefined ? `exited with ${exitCode}` : `was killed by ${signal}`;
  return stderr.trim() === '' ? `${how}.` : `${how}: ${oneLine(stderr)}`;
}

function deliveryOf(channel: Delivery['channel']): (result: Delivery['result'], sentence: string) => Delivery {
  return (result, sentence) => ({ channel, result, sentence });
}
