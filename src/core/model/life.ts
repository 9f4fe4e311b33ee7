// Whether the program of a session is alive.

/** `unknown`: the host does not answer. That never counts as dead. */
export type Life =
  | { readonly kind: 'running'; readonly pid: number }
  | { readonly kind: 'ended'; readonly exitCode: number | null; readonly signal: string | null }
  /** Its terminal no longer exists. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'unknown'; readonly why: string };
