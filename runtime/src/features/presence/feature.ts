/** Presence: what each client says of itself, which the others see as long as it is there. */
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

/** The most that arguments which wait may take, in bytes. */
const MAX_SAID_WEIGHT = 16_384;

const presenceKind: SubscriptionKind = {
  name: 'presence',
  begin({ subscriptionId, connection, target, call: [, callee], called, args, cursor, position }) {
    connection.countCall();
    const shown = shownBy(called, target, args, connection.caller);
    // Found now: the method can end a subscription, and with it the list.
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
  if (hasBytes(message)) badMessage('Bytes in what a client says must be sent as text');
  // Restores the subscriptions from before hibernation.
  const subscribers = subscribersOf(instance);
  const subscription = connection.subscriptions.get(subscriptionId);
  // It may have ended meanwhile.
  if (!(subscription instanceof PresenceSubscription) || subscription.key === undefined)
    return connection.countRejection();
  const weight = weightOf(said);
  try {
    if (weight > MAX_SAID_WEIGHT) limitExceeded('the size of what is said', MAX_SAID_WEIGHT);
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
        throw new TypeError(`${problem}: make them optional, as in Type.Optional(…)`, { cause });
      }
    }
    return { subscribableResult: 'a presence' };
  },
  onDisconnect(instance, { subscriptions: { stored } }) {
    // The connection ended while the object hibernated, and others may still show the client.
    for (const [, kind, callee, , shown] of stored as readonly PresenceRecord[]) {
      if (kind !== 'presence' || shown === 0) continue;
      subscribersOf(instance);
      presenceList(instance, callee).leftBefore();
    }
  },
};

/**
 * The entry of a presence: what each client says of itself, such as a cursor or that somebody types, is seen by the others
 * within a frame of a display, and gone when the client is. Nothing is stored in the object's storage. Clients take part by
 * `presence(client, …)`, or by `usePresence` in React, and can only watch by `subscribe(client)`.
 *
 * The method gets what a client says, and returns what the others see of it; `undefined` if they see nothing. It changes
 * nothing and returns the value, not a promise. In it, `currentCaller()` returns who the client is. It runs without
 * arguments when a client begins that has said nothing. What it throws ends the client's subscription, so it can refuse
 * those who may not watch. What the others see is at most 4 000 characters of JSON.
 *
 * @param schemas - an optional schema for each argument. Default: none.
 * @param options - `output`, the schema of what the others see; `title`; `description`
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
