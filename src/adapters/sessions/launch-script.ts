// The file that a host runs: it claims the session, goes to the folder and becomes the program. Nothing in it is expanded.
import { Failure } from '../../core/model/failure.ts';
import type { Launch } from '../../core/ports/host.ts';
import { showName } from '../../text/show.ts';

/**
 * `claim` is a file that the script makes: only one who can make it goes on, so a session starts once however often the
 * script is run. Then it removes itself, because it holds the environment, and that may hold secrets.
 */
export function launchScript(launch: Launch, claim: string): string {
  refuseWhatCannotStart(launch);
  const environment = Object.entries(launch.env).map(([name, value]) => quoted(`${name}=${value}`));
  return [
    'set -C',
    `command : >${quoted(claim)} || exit 125`,
    'rm -f -- "$0"',
    `cd -- ${quoted(launch.cwd)} || exit 126`,
    `exec /usr/bin/env -i ${[...environment, ...launch.argv.map(quoted)].join(' ')}${launch.input === 'none' ? ' </dev/null' : ''}`,
    '',
  ].join('\n');
}

/** Between single quotes sh takes every character as it is, except the quote. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function refuseWhatCannotStart({ session, argv, cwd, env }: Launch): void {
  const refuse = (why: string): never => {
    throw new Failure('usage', 'bad-launch', `Session "${session}" cannot be started: ${why}`);
  };
  const [program = ''] = argv;
  if (program === '') refuse('no program is named.');
  // env(1) would take it for a variable or an option.
  if (program.includes('=') || program.startsWith('-'))
    refuse(`"${showName(program)}" cannot be the name of a program here: it begins with "-" or has "=" in it.`);
  if (!cwd.startsWith('/')) refuse(`"${showName(cwd)}" is not a whole path, from "/" on.`);
  for (const name of Object.keys(env))
    if (!/^[^=-][^=]*$/.test(name)) refuse(`"${showName(name)}" cannot be the name of an environment variable.`);
  if ([cwd, ...argv, ...Object.entries(env).flat()].some((text) => text.includes('\0')))
    refuse('an argument, a folder or a variable has a NUL character in it, which no system takes.');
}
