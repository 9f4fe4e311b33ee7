// Whether somebody seems to have signed in to an agent program, judging by files and variables.
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { LOGINS } from '../agents/logins.ts';

/** Undefined for a program of which cadre does not know how to see it. */
export function isSignedIn(program: string, env: NodeJS.ProcessEnv): boolean | undefined {
  const login = LOGINS.find((one) => one.program === program);
  if (login === undefined) return undefined;
  return (
    login.files.some((file) => existsSync(join(env.HOME ?? homedir(), file))) ||
    login.variables.some((name) => env[name] !== undefined)
  );
}
