/** Sets the hooks of the router of `worker.ts` for a test. */

export class RouterHooks {
  readonly #url: string;

  /** @param url - the URL of the worker */
  constructor(url: string) {
    this.#url = url;
  }

  /** Makes the hooks refuse an instance with a status. The status 0 ends the refusals. */
  async refuse(instance: string, status: number): Promise<void> {
    await fetch(this.#of(instance), { method: 'PUT', body: String(status) });
  }

  /**
   * Makes the hooks refuse all clients without this token with 401. An empty token ends the
   * refusals.
   */
  async letIn(instance: string, token: string): Promise<void> {
    await fetch(this.#of(instance), { method: 'POST', body: token });
  }

  /** @returns the calls of the hooks for an instance: the hook, and the subprotocols */
  async asked(instance: string): Promise<string[]> {
    return (await fetch(this.#of(instance))).json() as Promise<string[]>;
  }

  #of(instance: string): string {
    return `${this.#url}/hooks/${encodeURIComponent(instance)}`;
  }
}
