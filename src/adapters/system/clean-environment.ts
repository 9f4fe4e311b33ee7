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

const NETWORK =
  /^(?:SSL_CERT_FILE|SSL_CERT_DIR|NODE_EXTRA_CA_CERTS|REQUESTS_CA_BUNDLE|PIP_CERT|PIP_FIND_LINKS|(?:https?|all|no)_proxy)$/i;

/** What package managers need to reach their registries from here, unless it holds a password. */
export function networkVariables(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value !== undefined && NETWORK.test(name) && !value.includes('@') ? [[name, value]] : [],
    ),
  );
}
