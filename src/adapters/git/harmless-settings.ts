// Which settings of the repository's own configuration cadre's git takes over: those that start no program and hide nothing.

/**
 * An agent can write that configuration, so a setting is left out unless it is known to be harmless whatever its value is.
 * Includes, filters, drivers, helpers, hooks, aliases and everything else that names a program are therefore left out.
 */
const HARMLESS: readonly RegExp[] = [
  /^core\.(?:repositoryformatversion|filemode|ignorecase|precomposeunicode|symlinks|autocrlf|eol|sharedrepository)$/,
  /^extensions\.(?:objectformat|compatobjectformat|refstorage|partialclone|preciousobjects|relativeworktrees)$/,
  /^(?:user|author|committer)\.(?:name|email|useconfigonly)$/,
  /^remote\..+\.(?:url|pushurl|fetch|promisor|partialclonefilter|lfsurl|lfspushurl|gh-resolved)$/s,
  /^branch\..+\.(?:remote|merge)$/s,
  /^http\.(?:.+\.)?(?:extraheader|proxy|sslcainfo)$/s,
  /^lfs\.(?:url|pushurl|storage|fetchinclude|fetchexclude|repositoryformatversion)$/,
];

const PROGRAM_OF_FILTER = /^filter\.(.+)\.(?:clean|smudge|process)$/s;

export interface HarmlessSettings {
  /** As a configuration file. */
  readonly text: string;
  /** The names of the filters that were left out. */
  readonly filters: readonly string[];
}

/** `listed`: what `git config --null --list` prints. */
export function harmlessSettings(listed: string): HarmlessSettings {
  const settings = listed
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => {
      const end = entry.indexOf('\n');
      return end < 0 ? { key: entry, value: undefined } : { key: entry.slice(0, end), value: entry.slice(end + 1) };
    });
  const harmless = settings.filter(({ key }) => HARMLESS.some((one) => one.test(key)));
  const filters = settings.flatMap(({ key }) => PROGRAM_OF_FILTER.exec(key)?.[1] ?? []);
  return {
    text: harmless.map(({ key, value }) => settingLines(key, value)).join(''),
    filters: [...new Set(filters)],
  };
}

/** Git prints names of sections and keys in lower case; what is between them is a name that may contain anything. */
export function settingLines(key: string, value: string | undefined): string {
  const [, section = '', name, last = ''] = /^([^.]+)\.(?:(.*)\.)?([^.]+)$/s.exec(key) ?? [];
  const title = name === undefined ? section : `${section} "${name.replace(/["\\]/g, '\\$&')}"`;
  return `[${title}]\n\t${last}${value === undefined ? '' : ` = ${quoted(value)}`}\n`;
}

function quoted(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}
