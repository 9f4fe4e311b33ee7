// The part of cadre's environment that programs it starts may see: little, because the rest may contain secrets.

const USUAL = /^(?:PATH|HOME|LANG|LC_.*|USER|LOGNAME|SHELL|TMPDIR|TZ)$/;

/** The usual variables, and the named ones. */
export function cleanEnvironment(env: NodeJS.ProcessEnv, named: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value !== undefined && (USUAL.test(name) || named.includes(name)) ? [[name, value]] : [],
    ),
  );
}
