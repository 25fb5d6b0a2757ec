/** The simulated network between one client and the Worker. It can be cut. */
import type { WebSocketClass } from '../client/options.ts';
import { internalsOf } from '../client/proxy.ts';
import type { Session } from '../client/session.ts';
import { HEARTBEAT, PROBE } from '../wire/messages.ts';
import { workerSocket } from './worker-socket.ts';

/** A Worker, or an object with the same `fetch`. */
export interface WorkerUnderTest {
  /** @returns the response; `undefined`, as from `routeDORequest`, becomes status 404 */
  fetch(request: Request): Response | undefined | Promise<Response | undefined>;
}

/** The networks of the clients that `connect` has created. */
export const networks = new WeakMap<Session, Network>();

export class Network {
  readonly #worker: WorkerUnderTest;
  /** The functions that end the open sockets and requests. */
  readonly #ends = new Set<() => void>();
  /** This promise settles when there is a connection to the Worker. */
  #restored: Promise<unknown> = Promise.resolve();
  /** True if the next frame of the object is lost. */
  #losesNext = false;

  constructor(worker: WorkerUnderTest) {
    this.#worker = worker;
  }

  /** @param until - the network is down until this promise has settled */
  cut(until?: PromiseLike<unknown>): void {
    this.#restored = Promise.allSettled([this.#restored, until]);
    const ends = [...this.#ends];
    this.#ends.clear();
    for (const end of ends) end();
  }

  loseNext(): void {
    this.#losesNext = true;
  }

  // `fetch` is also needed for a WebSocket: the client asks with a POST why an upgrade was rejected. No request leaves
  // the tests.
  readonly fetch = ((input, init) =>
    new Promise<Response>((resolve, reject) => {
      const end = (): void => reject(new TypeError('The connection was cut'));
      const send = async (): Promise<void> => {
        const request = new Request(input, init);
        const response = await this.#answer(request);
        if (!request.headers.has(PROBE)) this.#cutIfNext();
        // The runtime reports a body that nobody reads.
        if (!this.#ends.delete(end)) await response.body?.cancel();
        resolve(response);
      };
      this.#ends.add(end);
      send().catch((error: unknown) => {
        this.#ends.delete(end);
        reject(error);
      });
    })) as typeof fetch;

  readonly WebSocket: WebSocketClass = workerSocket({
    answer: (request) => this.#answer(request),
    opened: (lose) => void this.#ends.add(lose),
    ended: (lose) => void this.#ends.delete(lose),
    // The runtime itself answers heartbeats.
    arrived: (message) => void (message !== HEARTBEAT && this.#cutIfNext()),
  });

  async #answer(request: Request): Promise<Response> {
    await this.#restored;
    return (await this.#worker.fetch(request)) ?? new Response('Not found', { status: 404 });
  }

  /** Cuts the connection in place of the frame that is to be lost. */
  #cutIfNext(): void {
    if (!this.#losesNext) return;
    this.#losesNext = false;
    this.cut();
  }
}

/**
 * Cuts the connections of a client, as a failing network does. Calls that were sent may have arrived or not, and their
 * answers do not arrive. The client connects again by itself. It sends its unanswered calls again, and each runs once.
 *
 * @param client - from `connect`
 * @throws TypeError for another client
 * @example
 * using counter = connect<Counter>('COUNTER', 'cut');
 * await counter.increment();
 * cut(counter);
 * expect(await counter.increment()).toBe(2);
 */
export function cut(client: object): void;
/**
 * Cuts the connections of a client, and lets it connect again when a promise has settled.
 *
 * @param until - for example a call of another client
 * @returns the promise
 * @example
 * const said = collect(subscribe(ada).messages());
 * await cut(ada, bob.say('while Ada was away'));
 * await expect.poll(() => said).toContain('while Ada was away');
 */
export function cut<Result>(client: object, until: PromiseLike<Result>): Promise<Result>;
export function cut(client: object, until?: PromiseLike<unknown>): PromiseLike<unknown> | void {
  networkOf(client).cut(until);
  return until;
}

/**
 * Loses the next frame that the object sends to a client, and the connection. So a call has run, and the client has no
 * answer. Then the client connects again, as after `cut`.
 *
 * @param client - from `connect`
 * @throws TypeError for another client
 * @example
 * loseAnswer(counter);
 * expect(await counter.increment()).toBe(1); // Sent twice, and run once.
 * expect(await counter.getValue()).toBe(1);
 */
export function loseAnswer(client: object): void {
  networkOf(client).loseNext();
}

function networkOf(client: object): Network {
  const network = networks.get(internalsOf(client)[0]);
  if (!network)
    throw new TypeError('The client was not created by connect() of lumenize-rpc/testing');
  return network;
}
