// Runs work one at a time per name.

export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name) ?? Promise.resolve();
    const now = before.then(work, work);
    this.#last.set(name, now);
    const forget = (): void => {
      if (this.#last.get(name) === now) this.#last.delete(name);
    };
    now.then(forget, forget);
    return now;
  }
}
