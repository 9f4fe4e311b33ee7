// The repositories of this machine in which cadre was used, as far as state.json knows them.

export interface KnownRepository {
  /** The main checkout. */
  readonly root: string;
  readonly tasks: { readonly done: number; readonly of: number };
  /** How many tasks are neither planned nor done. */
  readonly active: number;
  /** How many things a person was notified of, and that still wait for them. */
  readonly needs: number;
}

export interface MachineFacts {
  /** Those whose main checkout still exists, in the order of their names. What cannot be read is left out. */
  repositories(): readonly KnownRepository[];
}
