// The script that a host runs: it claims the session, changes to the folder and becomes the program. The shell expands
// nothing in it.
import { Failure } from '../../core/model/failure.ts';
import type { Launch } from '../../core/ports/host.ts';
import { showName } from '../../text/show.ts';

/**
 * `claim` is a file that the script creates, and continues only if it did not exist: however often the script runs, the
 * session starts once. Then the script deletes itself, because the environment in it may contain secrets.
 */
export function launchScript(launch: Launch, claim: string): string {
  requireLaunchable(launch);
  const environment = Object.entries(launch.env).map(([name, value]) => shellQuoted(`${name}=${value}`));
  return [
    'set -C',
    `command : >${shellQuoted(claim)} || exit 125`,
    'rm -f -- "$0"',
    `cd -- ${shellQuoted(launch.cwd)} || exit 126`,
    `exec /usr/bin/env -i ${[...environment, ...launch.argv.map(shellQuoted)].join(' ')}${launch.input === 'none' ? ' </dev/null' : ''}`,
    '',
  ].join('\n');
}

/** Between single quotes sh takes every character literally, except the quote. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function requireLaunchable({ session, argv, cwd, env }: Launch): void {
  const refuse = (why: string): never => {
    throw new Failure('usage', 'bad-launch', `Session "${session}" cannot be started: ${why}`);
  };
  const [program = ''] = argv;
  if (program === '') refuse('no program is named.');
  // env(1) would take it for a variable or an option.
  if (program.includes('=') || program.startsWith('-'))
    refuse(`the name of the program, "${showName(program)}", must not start with "-" or contain "=".`);
  if (!cwd.startsWith('/')) refuse(`"${showName(cwd)}" is not an absolute path.`);
  for (const name of Object.keys(env))
    if (!/^[^=-][^=]*$/.test(name)) refuse(`"${showName(name)}" is not a valid name for an environment variable.`);
  if ([cwd, ...argv, ...Object.entries(env).flat()].some((text) => text.includes('\0')))
    refuse('an argument, the folder or a variable contains a NUL character.');
}
