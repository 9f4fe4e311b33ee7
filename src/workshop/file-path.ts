// Which paths a plan may name: those of files in the repository, written the same way everywhere.

/** What is wrong with a path, and what is expected; undefined if it is fine. */
export function whyNotAPath(path: string): string | undefined {
  if (path !== path.trim()) return 'it has white space around it; expected only the path';
  if (path.includes('\\')) return 'it contains "\\"; expected "/" between folders';
  if (/^(?:\/|~|[A-Za-z]:)/.test(path)) return 'it is absolute; expected a path relative to the root of the repository';
  if (path.includes(':')) return 'it contains ":"; expected only the path, without line numbers';
  const odd = /[*?<>|"`\n\r\t]/.exec(path)?.[0];
  if (odd !== undefined) return `it contains ${JSON.stringify(odd)}; expected the path of one file`;
  return whyNotSegments(path.split('/'));
}

function whyNotSegments(segments: readonly string[]): string | undefined {
  if (segments.includes('..')) return 'it contains ".."; expected a path inside the repository';
  if (segments.at(-1) === '') return 'it ends in "/"; expected the path of one file, not of a folder';
  if (segments.some((segment) => segment === '' || segment === '.'))
    return 'it contains an empty or "." segment; expected it in its shortest form';
  if (segments.some((segment) => segment.toLowerCase() === '.git'))
    return 'it is inside ".git"; expected a file that git tracks';
  return segments.some((segment) => segment !== segment.trim())
    ? 'a folder or file name in it starts or ends with white space; expected a name without it'
    : undefined;
}
