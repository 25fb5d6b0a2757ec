/** Streams and rows: results that are read item by item. */
import { capabilityTokenOf } from '../../server/calls/callee.ts';
import { invoke } from '../../server/calls/invocation.ts';
import { disposeUnread } from '../../server/calls/results/iterable-results.ts';
import type { FullEntry } from '../../server/contract/compiled.ts';
import { checkCallSize } from '../subscriptions/begin-subscription.ts';
import { subscriptions } from '../subscriptions/feature.ts';
import { subscribersOf } from '../subscriptions/subscribers.ts';
import {
  cursorExpiredError,
  type SubscriptionFeature,
  type SubscriptionKind,
} from '../subscriptions/subscription.ts';
import { decodePlace, encodeSubscribedToRows, ROW_WINDOW } from '../subscriptions/wire.ts';
import { streamLostError, streamStoppedError } from './open-stream.ts';
import { type RowsRecord, RowsSubscription } from './row-pages.ts';
import { StreamSource } from './stream-source.ts';
import { streamsOf } from './streams.ts';

const stream: SubscriptionKind = {
  name: 'stream',
  begin({ n, peer, target, cursor, position, call: [, callee], called, args }) {
    const { contract, instance } = target;
    const { name, readonly } = called.method;
    const open = streamsOf(instance);
    if (!readonly) {
      // An earlier attempt may have run the method, which must not run twice.
      if (cursor !== null) throw streamLostError(false);
      open.admit(contract, peer);
    }
    peer.countCall();
    const result = invoke(called, contract, args, peer.caller);
    const ran = (): void => {
      if (!readonly) contract.changed?.(instance);
    };
    ran();
    try {
      // Also with the place of a row, from before the method was listed as a stream.
      if (typeof cursor === 'string' && position?.event !== 0) throw streamLostError(readonly);
      open.admit(contract, peer);
    } catch (error) {
      disposeUnread(result);
      throw error;
    }
    const source = new StreamSource(name, result);
    const capabilityToken = capabilityTokenOf(callee);
    const one = open.open({
      peer,
      n,
      method: name,
      isReadonly: readonly,
      capabilityToken,
      source,
      contract,
      ran,
    });
    subscribersOf(instance).add(one, peer);
    one.begin(peer, 0);
  },
  // Streams are lost with the object's memory.
  *restore(kept) {
    for (const one of kept) yield [one, { thrown: streamLostError(one.record[2] as boolean) }];
  },
  find: (instance, peer, n) => streamsOf(instance).find(peer, n),
};

const rows: SubscriptionKind = {
  name: 'rows',
  begin({ n, peer, target, cursor, call, called }) {
    const isGoingOn = typeof cursor === 'string';
    const place = isGoingOn ? decodePlace(cursor) : undefined;
    if (isGoingOn && place === undefined) throw cursorExpiredError();
    checkCallSize(call);
    const record: RowsRecord = [n, 'rows', call, place, undefined, 0, 0, ROW_WINDOW];
    const one = new RowsSubscription(target.instance, peer, record);
    subscribersOf(target.instance).add(one, peer);
    peer.countCall();
    peer.push(encodeSubscribedToRows(n, called.method.key ?? '', ROW_WINDOW));
    one.go(target);
  },
  *restore(kept, instance) {
    for (const one of kept) {
      yield [one, new RowsSubscription(instance, one.peer, one.record as unknown as RowsRecord)];
    }
  },
};

export const streams: SubscriptionFeature = {
  name: 'streams',
  version: 1,
  needs: [subscriptions],
  kinds: [stream, rows],
  compile(method, entry) {
    if (entry.kind === 'stream') return { returned: 'a stream' };
    if (entry.kind !== 'rows') return undefined;
    checkRows(method, entry);
    return { returned: 'rows' };
  },
  // Those that wait for their clients have no connection through which they could be found.
  revoked(instance, capabilityToken) {
    for (const one of streamsOf(instance).all)
      if (one.capabilityToken === capabilityToken) one.stop(streamStoppedError());
  },
};

/** Checks the entry of rows. The rows themselves are checked when the method returns them. */
function checkRows(method: string, { input, key }: FullEntry): void {
  const fail = (problem: string): never => {
    throw new TypeError(`The contract's entry for ${method} ${problem}`);
  };
  if (typeof key !== 'string')
    fail("has a key that is not a string: write rows('id', […]), with a property of the rows");
  const last = input.at(-1);
  if (!last || !('~optional' in (last as object))) {
    fail('is rows, so its last parameter must be optional: wrap its schema in Type.Optional');
  }
}
