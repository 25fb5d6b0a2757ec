/** The hooks of the router of `worker.ts`, as a test tells them. */

export class RouterHooks {
  readonly #url: string;

  /** @param url - the URL of the worker */
  constructor(url: string) {
    this.#url = url;
  }

  /** Makes the hooks refuse an instance with a status; 0 ends that. */
  async refuse(instance: string, status: number): Promise<void> {
    await fetch(this.#of(instance), { method: 'PUT', body: String(status) });
  }

  /** Makes the hooks refuse with 401 all who do not show this token; '' ends that. */
  async letIn(instance: string, token: string): Promise<void> {
    await fetch(this.#of(instance), { method: 'POST', body: token });
  }

  /** @returns the questions to the hooks for an instance: the hook, and the subprotocols */
  async asked(instance: string): Promise<string[]> {
    return (await fetch(this.#of(instance))).json() as Promise<string[]>;
  }

  #of(instance: string): string {
    return `${this.#url}/hooks/${encodeURIComponent(instance)}`;
  }
}
