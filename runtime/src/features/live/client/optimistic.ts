/**
 * Optimistic changes: how a live value looks until a call is answered. A bundle contains this file only if you import it.
 *
 * An answer shares a frame with the live value that has the effect of the call. The answer is handled first, so a change
 * that has been confirmed stays until that value is there, and both leave in one notification.
 */
import { type Call, resultPartOf } from '../../../client/call.ts';
import type { Session } from '../../../client/session.ts';
import { type Store, WritableStore } from '../../../client/store.ts';
import { atEndOfTick, Timer } from '../../../client/timer.ts';
import { OURS, readersOf } from '../../subscriptions/client/readers.ts';
import type { Inspected } from '../../subscriptions/client/subscribe.ts';
import { type LiveState, type LiveStore, LOOP, type Loop } from './live-store.ts';

/**
 * How many microtasks after its frame a value is in its store, at most: `readers.ts` waits for five, and the loop takes as
 * many.
 */
const TURNS = 12;

/** How long a confirmed change waits for a value that comes over another connection, in milliseconds. */
const PATIENCE = 2_000;

/**
 * Shows how a live value will look, until a call is answered. If the call rejects, the change is taken back. Several
 * changes of one value are applied in the order in which they were made, and again to each new value that arrives
 * meanwhile. A call that is sent again after a lost connection keeps its change.
 *
 * All that watches the value shows the change: every store of the same client with the same method and arguments, and
 * `useLive`. A loop over `subscribe(client)` gets the values of the object alone.
 *
 * @param call - the promise that a method of a client has returned, as it is, without `then`. A call can change several
 *   values: `optimistic(optimistic(call, board, move), activity, add)`.
 * @param live - from `liveStore`, also while nobody watches it
 * @param update - returns the changed value, as a new object. It must not change the value that it gets. It is called
 *   again with each new value, and not before there is a value. If it throws, the error is reported and the change is
 *   left out; the call goes on.
 * @returns the promise that was passed as `call`
 * @throws TypeError for a promise that is not of a call, and for a store that is not from `liveStore`
 * @example
 * const count = liveStore(counter, (counter) => counter.getValue());
 * await optimistic(counter.increment(2), count, (value) => value + 2);
 */
export function optimistic<Value, Result extends Promise<unknown>>(
  call: Result,
  live: Store<LiveState<Value>>,
  update: (value: Value) => NoInfer<Value>,
): Result {
  const [made] = resultPartOf(call) ?? [];
  if (!made) {
    throw new TypeError('optimistic needs the promise that a method of a client has returned');
  }
  // A store without a client.
  if (live instanceof WritableStore) return call;
  if (!(LOOP in live)) throw new TypeError('optimistic needs a store that liveStore has returned');
  // A call that was rejected before it was sent.
  if (!made.outcome) change(made, live as LiveStore, update as Change['update']);
  return call;
}

function change(call: Call, live: LiveStore, update: Change['update']): void {
  // The value is followed until the call is answered, even if a page has left it meanwhile.
  const stop = live.subscribe(() => {});
  const loop = live[LOOP]() as Loop;
  const changes = all.get(loop) ?? new Changes(loop);
  all.set(loop, changes);
  changes.add({ call, update, stop, lostAt: undefined, isDue: false });
}

interface Change {
  readonly call: Call;
  readonly update: (value: unknown) => unknown;
  /** Follows the value no longer. */
  readonly stop: () => void;
  /** When the call was sent, if it may have run before the current connection, in the time of `Date.now()`. */
  lostAt: number | undefined;
  /** True if a value has to be awaited no longer. */
  isDue: boolean;
}

/** By the loop over a live value. */
const all = new WeakMap<Loop, Changes>();

/** The changes of one live value. */
class Changes {
  #changes: Change[] = [];
  /** The newest value that has arrived. */
  #newest: LiveState<unknown>;
  /** The value that the changes are applied to. */
  #base: LiveState<unknown>;
  /** True if the frame that is handled has messages of the subscription, so that the value may follow. */
  #isArriving = false;
  /** Once for all calls of a frame, or of a connection. */
  readonly #settleSoon = atEndOfTick(() => {
    if (!this.#isArriving) this.#settle();
  });
  readonly #subscription: Inspected;
  readonly #show: (live: LiveState<unknown>) => void;

  constructor({ live, subscription }: Loop) {
    this.#subscription = subscription as object as Inspected;
    this.#base = this.#newest = live.get();
    this.#show = live.set.bind(live);
    live.set = (newest) => {
      this.#newest = newest;
      this.#settle(true);
    };
  }

  get #session(): Session {
    return this.#subscription.session;
  }

  add(added: Change): void {
    const { call } = added;
    const { onSettled } = call;
    call.onSettled = () => {
      onSettled?.();
      this.#settleSoon();
      if (call.session === this.#session || !this.#changes.includes(added)) return;
      new Timer(() => {
        added.isDue = true;
        this.#settle();
      }).watch(performance.now() + PATIENCE);
    };
    if (this.#changes.push(added) === 1) this.#isArriving = false;
    changesOf(this.#session).add(this);
    this.#render();
  }

  /** There is a new connection. Its values have the effect of the calls that ran before. */
  reconnected(): void {
    for (const one of this.#changes) one.lostAt = one.call.sentAt;
  }

  /** The messages of a frame will be handled. */
  arrived(messages: unknown[][]): void {
    const id = this.#subscription.reader?.subscriptionId;
    this.#isArriving = messages.some((message) => message[1] === id && OURS.has(message[0]));
  }

  /** The messages of the frame have been handled. */
  handled(): void {
    this.#isArriving = false;
    this.#settle();
  }

  /**
   * Removes the changes whose calls were rejected, and those whose effect the newest value has.
   *
   * @param isNew - whether a value has arrived now
   */
  #settle(isNew = false): void {
    const { reader, session } = this.#subscription;
    const newest = this.#newest;
    // The rest of the frame has more events.
    if (isNew && reader?.length && this.#changes.length > 0) return;
    const hasEnded = 'error' in newest;
    // The value may have the effect of a call without an answer, on which its change would be applied a second time.
    const isHeld = !hasEnded && 'value' in newest && this.#changes.some(mayHaveRun);
    const isCurrent =
      hasEnded || (reader?.isBegun && (reader.kind !== 'window' || reader.after !== undefined));
    const before = this.#changes;
    this.#changes = before.filter(({ call, isDue, stop }) => {
      const { outcome } = call;
      const stays =
        !outcome ||
        (!('thrown' in outcome) &&
          (isHeld || !(isNew || isDue || (call.session === session && isCurrent))));
      // Not at once, since the value would end before it is shown.
      if (!stays) void turns().then(stop);
      return stays;
    });
    const base = isHeld ? this.#base : newest;
    if (base === this.#base && before.length === this.#changes.length) return;
    this.#base = base;
    this.#render();
    if (this.#changes.length === 0) changesOf(session).delete(this);
  }

  #render(): void {
    if (!('value' in this.#base)) return this.#show(this.#base);
    let { value } = this.#base;
    for (const one of this.#changes) {
      try {
        value = one.update(value);
      } catch (error) {
        this.#changes = this.#changes.filter((other) => other !== one);
        one.stop();
        (globalThis.reportError ?? console.error)(error);
      }
    }
    this.#show(this.#changes.length > 0 ? { ...this.#base, value } : this.#base);
  }
}

/** Returns whether the effect of a call may be in a value although the call has no answer. */
function mayHaveRun({ call, lostAt }: Change): boolean {
  // The time is another one if the object has said that the call has not run, and it was sent again.
  return !call.outcome && lostAt !== undefined && call.sentAt === lostAt;
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await undefined;
}

/** The values of a session that have changes. */
function changesOf(session: Session): Set<Changes> {
  return (session.optimistic ??= followed(session)) as Set<Changes>;
}

function followed(session: Session): Set<Changes> {
  // It replaces listeners, too. Afterwards it would take the messages of subscriptions out of what this one gets.
  readersOf(session);
  const { received, opened } = session;
  const values = new Set<Changes>();
  /** The frame that is being handled, and those that have arrived meanwhile: a port can bring several in one task. */
  const frames: unknown[][][] = [];
  session.received = async (messages) => {
    if (frames.push(messages) > 1) return;
    for (const frame of frames) {
      for (const value of values) value.arrived(frame);
      received(frame);
      if (values.size === 0) continue;
      await turns();
      for (const value of values) value.handled();
    }
    frames.length = 0;
  };
  session.opened = () => {
    for (const value of values) value.reconnected();
    opened();
  };
  return values;
}
