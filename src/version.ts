// The version from package.json, and the versions of Node that it needs. The build puts it here; tests that import the source have none.
declare const CADRE_VERSION: string | undefined;

export const VERSION: string = typeof CADRE_VERSION === 'undefined' ? 'source' : CADRE_VERSION;

/** A sentence if this Node is too old. It is checked first: an older one fails later with an unrelated message. */
export function nodeProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return undefined;
  return `Node ${version} is too old: cadre needs 20.19 or newer. Install a newer one ("nvm install 22", for example).`;
}
