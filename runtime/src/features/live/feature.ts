/** Live values: results of methods that are sent again whenever they change. */
import {
  methodEntry,
  type MethodEntry,
  type MethodOptions,
  type Output,
  type Returns,
  type Schemas,
} from '../../server/feature.ts';
import type { CallMessage } from '../../wire/messages.ts';
import { subscriptions } from '../subscriptions/feature.ts';
import { subscribersOf } from '../subscriptions/server/subscribers.ts';
import type {
  SubscriptionFeature,
  SubscriptionKind,
} from '../subscriptions/server/subscription.ts';
import { liveCallsOf, LiveSubscription } from './server/live-calls.ts';

const liveKind: SubscriptionKind = {
  name: 'live',
  storesCall: true,
  begin({ subscriptionId, connection, target: { instance }, call }) {
    const calls = liveCallsOf(instance);
    const subscription = new LiveSubscription(calls, connection, subscriptionId, call);
    subscribersOf(instance).add(subscription, connection);
    connection.countCall();
    connection.send(`["subscribed",${subscriptionId}]`);
    calls.updateSome([subscription]);
  },
  *restore(kept, instance) {
    const calls = liveCallsOf(instance);
    for (const stored of kept) {
      const [subscriptionId, , call, isStalled] = stored.state;
      yield [
        stored,
        new LiveSubscription(
          calls,
          stored.connection,
          subscriptionId,
          call as CallMessage,
          isStalled as boolean,
        ),
      ];
    }
  },
};

/** The options of `live`. */
export interface LiveEntryOptions<
  Class extends Returns = Returns,
  Sent extends Output = Output,
  Key extends string | undefined = string | undefined,
> extends MethodOptions<Class, Sent> {
  /**
   * The property that identifies a row, for a method that returns a list of rows, or an object or a `Map` of lists of
   * rows. Only the rows that have changed are then sent, and a row that has not changed stays the same object for the
   * subscriber. The property is a string, a number or a bigint, and each row of a list has its own. Where the Worker runs
   * locally, a row without it rejects with `UNSERIALIZABLE`. Default: each change sends the whole value.
   */
  readonly key?: Key | undefined;
}

/** The entry that `live` returns. */
export interface LiveEntry<
  Key extends string | undefined = string | undefined,
  Input extends Schemas = Schemas,
  Class extends Returns = Returns,
  Sent extends Output = Output,
> extends MethodEntry<'live', Input, Class, Sent> {
  readonly key: Key;
}

const liveValues: SubscriptionFeature = {
  name: 'live',
  version: 1,
  needs: [subscriptions],
  kinds: [liveKind],
  afterChange: changed,
  compile(method, { kind, key }) {
    if (kind === 'live' && key !== undefined && typeof key !== 'string') {
      const problem = "has a key that is not a string: write live([…], { key: 'id' })";
      throw new TypeError(
        `The contract's entry for ${method} ${problem}, with a property of the rows`,
      );
    }
    return undefined;
  },
};

/**
 * Reports that live values may have changed outside of a call of a contract's method, for example in an alarm or in the
 * class's own `fetch`. An asynchronous method needs it only to send a change before the method ends. Values that
 * have changed are sent at the end of the turn.
 *
 * @param instance - the object
 * @example
 * override alarm(): void { this.ctx.storage.kv.delete('topic'); changed(this); }
 */
export function changed(instance: object): void {
  // There may be subscriptions from before hibernation.
  subscribersOf(instance).restore(liveKind);
  liveCallsOf(instance).changed();
}

/**
 * The entry of a method whose result is a live value. Subscribers receive the result of the method, and each change of
 * it. The method changes nothing and returns the value, not a promise. Clients can call it, too. It runs again after each
 * turn that ran a method which may have changed the object.
 *
 * @param schemas - a schema for each argument. Default: none.
 * @param options - `key`, the property that identifies a row of a list, so that only changed rows are sent; `returns`,
 *   the capability classes in the value; `output`, the schema of a value; `title`; `description`
 * @returns the entry
 * @example
 * topic: live(),
 * cards: live([], { key: 'id' }),
 */
export function live<
  const Input extends Schemas = readonly [],
  const Class extends Returns = undefined,
  Sent extends Output = undefined,
  const Key extends string | undefined = undefined,
>(
  schemas: Input = [] as Schemas as Input,
  options?: LiveEntryOptions<Class, Sent, Key>,
): LiveEntry<NoInfer<Key>, NoInfer<Input>, NoInfer<Class>, NoInfer<Sent>> {
  return { ...methodEntry('live', liveValues, true, schemas, options), key: options?.key as Key };
}
