// What programs that cadre starts may see of its own environment: little, because secrets stand in the rest.

const USUAL = /^(?:PATH|HOME|LANG|LC_.*|USER|LOGNAME|SHELL|TMPDIR|TZ)$/;

/** The usual variables, and those that are named. */
export function cleanEnvironment(env: NodeJS.ProcessEnv, named: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value !== undefined && (USUAL.test(name) || named.includes(name)) ? [[name, value]] : [],
    ),
  );
}
