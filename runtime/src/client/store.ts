/** A value that changes, in a shape that Svelte, React and other frameworks accept. */

/**
 * A value that can be watched. It follows the contract of Svelte's stores. React's `useSyncExternalStore` takes its two
 * functions.
 */
export interface Store<Value> {
  /** Returns the current value. It is the same object until it changes. */
  readonly get: () => Value;
  /**
   * Watches the value.
   *
   * @param run - called at once with the current value, and with each later one
   * @returns a function that stops watching
   */
  readonly subscribe: (run: (value: Value) => void) => () => void;
}

export class WritableStore<Value> implements Store<Value> {
  #value: Value;
  readonly #watchers = new Set<() => void>();

  constructor(value: Value) {
    this.#value = value;
  }

  get isWatched(): boolean {
    return this.#watchers.size > 0;
  }

  set(value: Value): void {
    this.#value = value;
    for (const tell of this.#watchers) tell();
  }

  readonly get = (): Value => this.#value;

  readonly subscribe = (run: (value: Value) => void): (() => void) => {
    // Each watcher gets a new function, since the same `run` can be passed twice.
    const tell = (): void => {
      try {
        run(this.#value);
      } catch (error) {
        // The watcher has thrown the error. It must not reach the code that changed the value.
        (globalThis.reportError ?? console.error)(error);
      }
    };
    this.#watchers.add(tell);
    tell();
    return () => void this.#watchers.delete(tell);
  };
}
