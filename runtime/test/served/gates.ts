/**
 * Methods of an object under test wait here until a test releases them. The gates are in the
 * object's memory.
 */
import { until } from '../../../harness/waiting.mjs';

export class Gates {
  readonly #waiting = new Map<string, () => void>();

  /** Resolves when the name is released. */
  wait(name: string): Promise<void> {
    return new Promise((resolve) => this.#waiting.set(name, resolve));
  }

  isWaiting(name: string): boolean {
    return this.#waiting.has(name);
  }

  /** @returns true if a method has waited */
  release(name: string): boolean {
    const release = this.#waiting.get(name);
    this.#waiting.delete(name);
    release?.();
    return release !== undefined;
  }
}

/** Waits until a method of the object waits for its release. */
export async function holding(
  client: { isHolding(name: string): Promise<boolean> },
  name: string,
): Promise<void> {
  await until(() => client.isHolding(name));
}
