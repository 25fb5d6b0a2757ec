/** Begins subscriptions to streams and to rows, and restores them after hibernation. */
import { capabilityTokenOf, disposeUnread, invoke } from '../../../server/feature.ts';
import { subscribersOf } from '../../subscriptions/server/subscribers.ts';
import {
  cursorExpiredError,
  type SubscriptionKind,
} from '../../subscriptions/server/subscription.ts';
import { decodePlace, encodeSubscribedToRows, ROW_WINDOW } from '../../subscriptions/wire.ts';
import { streamLostError } from './open-stream.ts';
import { type RowsRecord, RowsSubscription } from './row-pages.ts';
import { StreamSource } from './stream-source.ts';
import { streamsOf } from './streams.ts';

export const streamItems: SubscriptionKind = {
  name: 'stream',
  begin({ subscriptionId, connection, target, cursor, position, call: [, callee], called, args }) {
    const { contract, instance } = target;
    const { name, readonly, checkOutput } = called.method;
    const open = streamsOf(instance);
    if (!readonly) {
      // An earlier attempt may have run the method, which must not run twice.
      if (cursor !== null) throw streamLostError(false);
      open.admit(contract, connection);
    }
    connection.countCall();
    const result = invoke(called, target, args, connection.caller);
    const ran = (): void => {
      if (!readonly) contract.afterChange?.(instance);
    };
    ran();
    try {
      // The cursor can also be the place of a row, from before the method was listed as a stream.
      if (typeof cursor === 'string' && position?.event !== 0) throw streamLostError(readonly);
      open.admit(contract, connection);
    } catch (error) {
      disposeUnread(result);
      throw error;
    }
    const source = new StreamSource(name, result);
    const capabilityToken = capabilityTokenOf(callee);
    const stream = open.open({
      connection,
      subscriptionId,
      method: name,
      checkItem: checkOutput,
      isReadonly: readonly,
      capabilityToken,
      source,
      target,
      ran,
    });
    subscribersOf(instance).add(stream, connection);
    stream.begin(connection, 0);
  },
  // Streams are lost with the object's memory.
  *restore(kept) {
    for (const stored of kept)
      yield [stored, { thrown: streamLostError(stored.state[2] as boolean) }];
  },
  find: (instance, connection, subscriptionId) =>
    streamsOf(instance).find(connection, subscriptionId),
};

export const rowPages: SubscriptionKind = {
  name: 'rows',
  storesCall: true,
  begin({ subscriptionId, connection, target, cursor, call, called }) {
    const isGoingOn = typeof cursor === 'string';
    const place = isGoingOn ? decodePlace(cursor) : undefined;
    if (isGoingOn && place === undefined) throw cursorExpiredError();
    const record: RowsRecord = [subscriptionId, 'rows', call, place, undefined, 0, 0, ROW_WINDOW];
    const subscription = new RowsSubscription(target.instance, connection, record);
    subscribersOf(target.instance).add(subscription, connection);
    connection.countCall();
    connection.send(encodeSubscribedToRows(subscriptionId, called.method.key ?? '', ROW_WINDOW));
    subscription.go(target);
  },
  *restore(kept, instance) {
    for (const stored of kept) {
      yield [
        stored,
        new RowsSubscription(instance, stored.connection, stored.state as unknown as RowsRecord),
      ];
    }
  },
};
