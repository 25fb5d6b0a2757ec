/**
 * Takes part in a presence: shows data of this client to other clients, and the data of the other clients to this
 * client.
 */
import type { ClientOf } from '../../../wire/brands.ts';
import { type AnswerMessage, decodeAnswer, encodeArgs } from '../../../wire/messages.ts';
import { internalsOf } from '../../../client/proxy.ts';
import type { Session } from '../../../client/session.ts';
import { type Store, WritableStore } from '../../../client/store.ts';
import { Timer } from '../../../client/timer.ts';
import { type LiveState, NO_VALUE } from '../../live/client/live-store.ts';
import { type Nothing, selectSubscription } from '../../subscriptions/client/selector.ts';
import { Reader, type ReaderConnection } from '../../subscriptions/client/reader.ts';
import { readersOf } from '../../subscriptions/client/readers.ts';
import type {
  Origin,
  Present,
  PresenceSubscription,
  Subscriptions,
} from '../../subscriptions/client/subscribe.ts';
import { type Changes, FRAME, type Shown } from '../wire.ts';

/** Chooses a presence of a client. */
export type PresenceSelector<Target, Said extends unknown[], Value> = (
  methods: Subscriptions<Target>,
) => PresenceSubscription<Said, Value> | Nothing;

/** A store of a presence. Its `value` is the list of the other clients that are present. */
export interface PresenceStore<Said extends unknown[], Value> extends Store<
  LiveState<readonly Present<Value>[]>
> {
  /**
   * Sets the data of this client, which replaces its earlier data. The data is sent again after a lost connection, and
   * ends when nobody watches the store any more. Only the newest data is sent, at most once in 16 ms, which is a frame of
   * a display. Without arguments, the client has no data.
   *
   * @throws RpcError `UNSERIALIZABLE` for a value that cannot be sent
   */
  readonly update: (...said: Said) => void;
}

/**
 * Takes part in a presence while the returned store is watched. Other clients see the data that this client passes to
 * `update`, and `value` is the list of the other clients. All stores of one client for one method take part together, so
 * the other clients see this client once. After a lost connection, the store continues by itself. Its list stays unchanged
 * until the client has connected again.
 *
 * @param client - from `createRpcClient`, or a capability. Pass `null`, `undefined` or `false` as long as there is none.
 * @param read - chooses the method that the contract lists by `presence`, or returns nothing
 * @returns the store
 * @throws TypeError for a client whose `transport` is `'http'`, and if `read` returns something else
 * @example
 * const cursors = presence(room, (room) => room.cursors());
 * const leave = cursors.subscribe(({ value = [] }) => draw(value));
 * onpointermove = ({ x, y }) => cursors.update({ x, y });
 */
export function presence<Target, Said extends unknown[], Value>(
  client: ClientOf<Target> | Nothing,
  read: PresenceSelector<Target, Said, Value> | Nothing,
): PresenceStore<Said, Value>;
export function presence(
  client: ClientOf<unknown> | Nothing,
  read: PresenceSelector<unknown, unknown[], unknown> | Nothing,
): PresenceStore<unknown[], unknown> {
  const selected = client && selectSubscription(client, read);
  if (!client || !selected) {
    return Object.assign(new WritableStore<LiveState<never>>(NO_VALUE), { update() {} });
  }
  const [key, subscription] = selected;
  const [session] = internalsOf(client);
  const all = participants.get(client) ?? new Map<string, Participant>();
  participants.set(client, all);
  /** The data that was last passed to `update` of this store. */
  let said = '';
  return {
    get: () => all.get(key)?.get() ?? NO_VALUE,
    update: (...args) => {
      said = encodeArgs(args, session.referenceOf);
      all.get(key)?.say(said);
    },
    subscribe: (run) => {
      let one = all.get(key);
      if (!one) {
        const { invocation } = subscription as unknown as Origin;
        all.set(key, (one = new Participant(session, invocation, () => all.delete(key))));
        if (said) one.say(said);
      }
      return one.subscribe(run);
    },
  };
}

/** The participants that take part now, by client and method. */
const participants = new WeakMap<object, Map<string, Participant>>();

/** A client in a presence. It takes part while somebody watches a store. */
class Participant {
  readonly #live = new WritableStore<LiveState<readonly Present<unknown>[]>>(NO_VALUE);
  readonly #session: Session;
  readonly #invocation: Origin['invocation'];
  readonly #ended: () => void;
  readonly #connection: ReaderConnection;
  /** The subscription; `undefined` after an error. */
  #reader: Reader | undefined;
  /** The data of the client, as the text of arguments. `#told` is the data that was sent last. */
  #said = '';
  #told = '';
  #toldAt = -Infinity;
  readonly #later = new Timer(() => this.#tell());

  constructor(session: Session, invocation: Origin['invocation'], ended: () => void) {
    this.#session = session;
    this.#invocation = invocation;
    this.#ended = ended;
    this.#connection = readersOf(session);
  }

  readonly get = (): LiveState<readonly Present<unknown>[]> => this.#live.get();

  subscribe(run: (live: LiveState<readonly Present<unknown>[]>) => void): () => void {
    if (!this.#reader) void this.#follow();
    const stop = this.#live.subscribe(run);
    return () => {
      stop();
      if (this.#live.isWatched) return;
      this.#ended();
      this.#later.stop();
      this.#reader?.stop({});
    };
  }

  say(said: string): void {
    this.#said = said;
    this.#tell();
  }

  /** Sends the newest data if the object has the subscription. Before that, the subscription contains the data. */
  #tell(): void {
    if (this.#said === this.#told || !this.#reader?.isBegun) return;
    const now = performance.now();
    const wait = this.#session.transport.isCongested?.() ? FRAME : this.#toldAt + FRAME - now;
    if (wait > 0) return this.#later.watch(now + wait);
    this.#toldAt = now;
    this.#told = this.#said;
    this.#connection.tell(`["say",${this.#reader.subscriptionId}${this.#said}]`);
  }

  async #follow(): Promise<void> {
    const others = new Map<string, Present<unknown>>();
    this.#live.set(NO_VALUE);
    try {
      this.#session.admit();
      // A cursor tells the object that the client takes part. A client without a cursor only watches.
      const reader = new Reader(this.#connection, this.#invoke, '0.', () => {});
      this.#reader = reader;
      // The calls of this tick are sent first, because the target may be the result of one of these calls.
      await undefined;
      reader.start();
      for (;;) {
        const { done, value: changes } = await reader.take();
        if (done) return;
        const [, own = ''] = String(reader.cursor).split('.');
        take(changes as Changes, own, others);
        this.#live.set({ value: [...others.values()] });
        this.#tell();
      }
    } catch (error) {
      this.#reader?.stop({});
      this.#reader = undefined;
      this.#live.set({ ...this.#live.get(), error });
    }
  }

  readonly #invoke = (retry?: () => void): string | undefined => {
    this.#told = this.#said;
    return this.#invocation(retry, this.#said);
  };
}

/** @param own - the key of this client, which is not in the list of the others */
function take(changes: Changes, own: string, others: Map<string, Present<unknown>>): void {
  const isWhole = 'all' in changes;
  if (isWhole) others.clear();
  for (const change of isWhole ? changes.all : changes) {
    const [key] = typeof change === 'string' ? [change] : change;
    if (key === own) continue;
    if (typeof change === 'string') others.delete(key);
    else others.set(key, { key, value: valueOf(change) });
  }
}

function valueOf(shown: Shown): unknown {
  const answer = decodeAnswer(shown as readonly unknown[] as AnswerMessage);
  if ('thrown' in answer) throw answer.thrown;
  return answer.result;
}
