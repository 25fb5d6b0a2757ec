/** Presence: data of each connected client, which the other clients see as long as the client is connected. */
import {
  badMessage,
  type MessageContext,
  methodEntry,
  type MethodEntry,
  type MethodOptions,
  type Output,
  type Schemas,
  validated,
  weightOf,
} from '../../server/feature.ts';
import { hasBytes } from '../../wire/encoded-message.ts';
import { limitExceeded } from '../../wire/limits.ts';
import { isId } from '../../wire/messages.ts';
import { subscriptions } from '../subscriptions/feature.ts';
import { subscribersOf } from '../subscriptions/server/subscribers.ts';
import type {
  SubscriptionFeature,
  SubscriptionKind,
} from '../subscriptions/server/subscription.ts';
import { presenceList, shownBy } from './server/presence-list.ts';
import { type PresenceRecord, PresenceSubscription } from './server/presence-subscription.ts';

/** The maximum memory of arguments that wait for the method, in bytes. */
const MAX_SAID_WEIGHT = 16_384;

const presenceKind: SubscriptionKind = {
  name: 'presence',
  begin({ subscriptionId, connection, target, call: [, callee], called, args, cursor, position }) {
    connection.countCall();
    const shown = shownBy(called, target, args, connection.caller);
    // The list is found only now, because the method can end a subscription, and with it the list.
    const list = presenceList(target.instance, callee);
    const key = typeof cursor === 'string' ? list.freeKey(position?.epoch) : undefined;
    const subscription = new PresenceSubscription(list, connection, subscriptionId, callee, key);
    if (key !== undefined) subscription.show(shown);
    subscribersOf(target.instance).add(subscription, connection);
    list.begin(subscription);
  },
  *restore(kept, instance) {
    for (const stored of kept) {
      const record = stored.state as PresenceRecord;
      const list = presenceList(instance, record[2]);
      yield [stored, PresenceSubscription.restored(list, stored.connection, record)];
    }
  },
};

/** @throws RpcError `BAD_MESSAGE` for a malformed message; the rest of the frame is then ignored */
function handleSay(message: unknown[], { instance, connection }: MessageContext): void {
  const [, subscriptionId, ...said] = message;
  if (!isId(subscriptionId)) badMessage('The number of a subscription must be a positive integer');
  if (hasBytes(message)) badMessage('Bytes in the data of a presence must be sent as text');
  // Restores the subscriptions from before hibernation.
  const subscribers = subscribersOf(instance);
  const subscription = connection.subscriptions.get(subscriptionId);
  // The subscription may have ended while the message was on its way.
  if (!(subscription instanceof PresenceSubscription) || subscription.key === undefined)
    return connection.countRejection();
  const weight = weightOf(said);
  try {
    if (weight > MAX_SAID_WEIGHT)
      limitExceeded('the size of the data that a client says', MAX_SAID_WEIGHT);
  } catch (thrown) {
    connection.countRejection();
    return subscribers.end(connection, subscriptionId, { thrown });
  }
  presenceList(instance, subscription.callee).say(subscription, said, weight);
}

const presences: SubscriptionFeature = {
  name: 'presence',
  version: 1,
  needs: [subscriptions],
  kinds: [presenceKind],
  messages: { say: handleSay },
  compile(method, { kind, input }, validators) {
    if (kind !== 'presence') return undefined;
    for (const [index, validator] of validators.entries()) {
      if ('~optional' in (input[index] as object)) continue;
      try {
        validated(method, validator, undefined, `[${index}]`);
      } catch (cause) {
        const problem = `${method} is listed by presence([…]), and runs without arguments for a client that says nothing`;
        throw new TypeError(`${problem}: make its arguments optional, as in Type.Optional(…)`, {
          cause,
        });
      }
    }
    return { subscribableResult: 'a presence' };
  },
  onDisconnect(instance, { subscriptions: { stored } }) {
    // The connection ended while the object hibernated, so other clients may still show the client.
    for (const [, kind, callee, , shown] of stored as readonly PresenceRecord[]) {
      if (kind !== 'presence' || shown === 0) continue;
      subscribersOf(instance);
      presenceList(instance, callee).leftBefore();
    }
  },
};

/**
 * The entry of a presence, which shows data of each connected client to the others, such as the position of a cursor, or
 * that somebody is typing. The others see a change within about 16 ms, and the data is gone when the client disconnects.
 * Nothing is stored in the object's storage. Clients take part with `presence(client, …)`, or with `usePresence` in React.
 * With `subscribe(client)`, a client only watches.
 *
 * The method receives the data of a client, and returns the value that the other clients see; `undefined` if they see
 * nothing. It changes nothing and returns the value, not a promise. In it, `currentCaller()` returns the caller of the
 * client. It runs without arguments for a client that begins without data. If it throws, the client's subscription ends
 * with that error, so it can refuse clients that may not watch. The value has at most 4 000 characters of JSON.
 *
 * @param schemas - an optional schema for each argument. Default: none.
 * @param options - `output`, the schema of the value that the others see; `title`; `description`
 * @returns the entry
 * @throws TypeError when the class is defined, if an argument is not optional
 * @example
 * cursors(at?: { x: number; y: number }) { return at && { ...at, user: currentCaller<Caller>()?.user }; }
 * // In the contract:
 * cursors: presence([Type.Optional(Type.Object({ x: Type.Number(), y: Type.Number() }))]),
 */
export function presence<
  const Input extends Schemas = readonly [],
  Sent extends Output = undefined,
>(
  schemas: Input = [] as Schemas as Input,
  options?: Omit<MethodOptions<undefined, Sent>, 'returns'>,
): MethodEntry<'presence', NoInfer<Input>, undefined, NoInfer<Sent>> {
  return methodEntry('presence', presences, true, schemas, options);
}
