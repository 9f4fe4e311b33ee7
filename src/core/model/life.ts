// What is known of the program of a session.

/** What is known of a program. `unknown` (the host does not answer) is never taken for dead. */
export type Life =
  | { readonly kind: 'running'; readonly pid: number }
  | { readonly kind: 'ended'; readonly exitCode: number | null; readonly signal: string | null }
  /** Its terminal is not there any more. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'unknown'; readonly why: string };
