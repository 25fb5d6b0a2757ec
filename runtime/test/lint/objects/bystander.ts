/** A Worker with timers, counters and ids of its own. It has no Durable Object. */
import { WorkerEntrypoint } from 'cloudflare:workers';

export class Api extends WorkerEntrypoint<Env> {
  requests = 0;

  async ping(): Promise<string> {
    this.requests += 1;
    return `pong ${this.requests}`;
  }

  override async fetch(): Promise<Response> {
    await new Promise((resolve) => setTimeout(resolve, 10));
    const requestId = `${Date.now()}-${Math.random()}`;
    return Response.json({ requestId });
  }
}

/** The storage interface of a Durable Object in a class with a similar name. */
export class MemoryStorage {
  readonly storage = new Map<string, unknown>();
  private hits = 0;

  constructor(readonly state: DurableObjectState | null) {}

  async get(key: string): Promise<unknown> {
    this.hits += 1;
    return this.storage.get(key);
  }
}

export async function wake(namespace: DurableObjectNamespace): Promise<void> {
  const id = namespace.idFromName(String(Date.now()));
  await namespace.get(id).fetch('https://object/');
  setTimeout(() => console.log(id.toString()), 100);
}
