/**
 * Live values that an agent's client listens to: `subscriptions/listen` of the protocol's version 2026-07-28. The
 * response is a stream of notifications, one for each new value.
 */
import type { ServerEvent, ServerEventBus } from '@modelcontextprotocol/server';
import type { CalledObject } from '../called-object.ts';
import { ObjectSubscription } from '../object-subscription.ts';
import type { OfferedResource } from './offered-methods.ts';

/** The parts of a message that this file reads. */
interface ListenMessage {
  readonly method: 'subscriptions/listen';
  readonly params?: {
    readonly notifications?: { readonly resourceSubscriptions?: readonly unknown[] } | null;
  } | null;
}

type Listener = (event: ServerEvent) => void;

export class Listening implements ServerEventBus {
  /** The message, reduced to the resources that exist, each once. */
  readonly message: unknown;
  readonly #object: CalledObject;
  /** The methods to follow, by URI. */
  readonly #methods = new Map<string, string>();
  readonly #subscriptions: ObjectSubscription[] = [];
  readonly #end: () => Promise<void>;
  /** True if the client is ready to read. Sending a notification resets it. */
  #isWanted = false;
  /** True if nobody listens any more. */
  #hasLeft = false;
  /** Notifications that wait until the client reads. */
  readonly #waiting: (() => void)[] = [];

  /** @param end - ends the stream, so that the client listens again */
  constructor(
    object: CalledObject,
    message: unknown,
    resources: ReadonlyMap<string, OfferedResource>,
    end: () => Promise<void>,
  ) {
    this.#object = object;
    this.#end = end;
    this.message = message;
    if (!isListen(message)) return;
    const { params } = message;
    const asked = params?.notifications?.resourceSubscriptions;
    if (!Array.isArray(asked)) return;
    for (const uri of asked as string[]) {
      const method = resources.get(uri)?.method;
      if (method !== undefined) this.#methods.set(uri, method);
    }
    const resourceSubscriptions = [...this.#methods.keys()];
    const notifications = { ...params?.notifications, resourceSubscriptions };
    this.message = { ...message, params: { ...params, notifications } };
  }

  /** Only the object sends events. */
  publish(): void {}

  subscribe(listener: Listener): () => void {
    for (const [uri, method] of this.#methods) void this.#follow(uri, method, listener);
    return () => {
      for (const { reader } of this.#subscriptions) reader.stop({});
      this.#hasLeft = true;
      for (const wake of this.#waiting.splice(0)) wake();
    };
  }

  async #follow(uri: string, method: string, listener: Listener): Promise<void> {
    const subscription = new ObjectSubscription(this.#object, JSON.stringify(method), undefined);
    const { reader } = subscription;
    this.#subscriptions.push(subscription);
    try {
      if (await subscription.open()) reader.stop({});
      // The first value counts: it may have changed since the client has read it.
      while (!(await reader.take()).done) {
        await this.#wanted();
        if (!this.#hasLeft) listener({ kind: 'resource_updated', uri });
      }
    } catch {
      // The object has ended the subscription, or has not answered.
    }
    await this.#end();
  }

  async #wanted(): Promise<void> {
    while (!this.#isWanted && !this.#hasLeft)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#isWanted = false;
  }

  /**
   * Lets the client read a stream of notifications at its own pace, so that no memory grows for a client that does not
   * read.
   */
  paced(response: Response): Response {
    if (this.#methods.size === 0 || !response.body) return response;
    const source = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
    const body = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        this.#isWanted = true;
        this.#waiting.shift()?.();
        const { done, value } = await source.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => source.cancel(reason),
    });
    return new Response(body, response);
  }
}

function isListen(message: unknown): message is ListenMessage {
  return Object(message).method === 'subscriptions/listen';
}
