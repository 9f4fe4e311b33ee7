// What the exit code of a command means. docs/cli.md and the manual page are generated from it.

export const EXIT_CODES: readonly { readonly code: number; readonly means: string }[] = [
  { code: 0, means: 'done' },
  { code: 1, means: 'failed' },
  { code: 2, means: 'wrong usage, or refused' },
  { code: 3, means: 'waiting for a person' },
  { code: 4, means: 'a limit is reached' },
  { code: 5, means: 'something on this machine prevents it' },
];
