// What a repository contains, in a few lines: for a planner that has yet to look around.

/** The most that are listed of each. */
const MOST = 20;

/** Files that say how a project is built or what its rules are. */
const TELLING =
  /(?:^|\/)(?:README(?:\.\w+)?|AGENTS\.md|CLAUDE\.md|CONTRIBUTING\.md|ARCHITECTURE\.md|package\.json|pyproject\.toml|Cargo\.toml|go\.mod|pom\.xml|build\.gradle(?:\.kts)?|Gemfile|Makefile|CMakeLists\.txt|Dockerfile|tsconfig\.json)$/i;

export function summaryOf(files: readonly string[]): string {
  if (files.length === 0) return 'It has no files yet.';
  const folders = mostFrequent(files, (path) =>
    path.includes('/') ? `${path.slice(0, path.indexOf('/'))}/` : 'top level',
  );
  const kinds = mostFrequent(files, (path) => /\.[A-Za-z0-9]{1,12}$/.exec(path)?.[0] ?? 'without extension');
  const telling = files.filter((path) => TELLING.test(path)).toSorted((one, other) => depth(one) - depth(other));
  return [
    `- Files: ${files.length}`,
    `- Folders: ${listOf(folders)}`,
    `- Kinds: ${listOf(kinds)}`,
    ...(telling.length === 0
      ? []
      : [
          `- Read first: ${telling
            .slice(0, MOST)
            .map((path) => `\`${path}\``)
            .join(', ')}`,
        ]),
  ].join('\n');
}

function mostFrequent(
  files: readonly string[],
  keyOf: (path: string) => string,
): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const path of files) counts.set(keyOf(path), (counts.get(keyOf(path)) ?? 0) + 1);
  return [...counts].sort(([one, many], [other, more]) => more - many || (one < other ? -1 : 1));
}

function listOf(counts: readonly (readonly [string, number])[]): string {
  const rest = counts.length - MOST;
  const shown = counts.slice(0, MOST).map(([name, count]) => `\`${name}\` ${count}`);
  return [...shown, ...(rest > 0 ? [`${rest} more`] : [])].join(', ');
}

function depth(path: string): number {
  return path.split('/').length;
}
