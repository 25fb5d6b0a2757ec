/** Streams and rows, which are results that are read item by item. */
import {
  isStandard,
  type MethodDefinition,
  methodEntry,
  type MethodEntry,
  type MethodOptions,
  type Output,
  type Returns,
  type Schemas,
} from '../../server/feature.ts';
import { subscriptions } from '../subscriptions/feature.ts';
import type { SubscriptionFeature } from '../subscriptions/server/subscription.ts';
import { streamStoppedError } from './server/open-stream.ts';
import { rowPages, streamItems } from './server/stream-kinds.ts';
import { streamsOf } from './server/streams.ts';

/** The options of `stream`. */
export interface StreamEntryOptions<
  Class extends Returns = Returns,
  Sent extends Output = Output,
> extends MethodOptions<Class, Sent> {
  /**
   * True if the method changes nothing, so that it may run again if the connection was lost before the first item
   * arrived. With `false`, it runs once for each loop. Default false.
   */
  readonly readonly?: boolean | undefined;
}

/** The entry that `rows` returns. */
export interface RowsEntry<
  Key extends string,
  Input extends Schemas = Schemas,
  Class extends Returns = Returns,
  Sent extends Output = Output,
> extends MethodEntry<'rows', Input, Class, Sent> {
  readonly key: Key;
}

/**
 * The entry of a method that returns a stream: a generator, an iterator, a `ReadableStream`, or a promise of one.
 * Clients subscribe to its items. The stream is in the object's memory. If it is lost because the object was stopped, it
 * does not begin again, and the loop rejects with `DISCONNECTED`.
 *
 * @param schemas - a schema for each argument. Default: none.
 * @param options - `returns`, the capability classes in the items; `output`, the schema of an item; `title`;
 *   `description`; `readonly`, true if the method changes nothing
 * @returns the entry
 * @example
 * digits: stream([Type.Integer({ minimum: 1, maximum: 10_000 })]),
 */
export function stream<
  const Input extends Schemas = readonly [],
  const Class extends Returns = undefined,
  Sent extends Output = undefined,
>(
  schemas: Input = [] as Schemas as Input,
  options?: StreamEntryOptions<Class, Sent>,
): MethodEntry<'stream', NoInfer<Input>, NoInfer<Class>, NoInfer<Sent>> {
  return methodEntry('stream', streams, options?.readonly ?? false, schemas, options);
}

/**
 * The entry of a method that returns rows in an order, such as the cursor of a query. The method changes nothing, and
 * runs again for each page of rows. Its last parameter is optional. The runtime sets it to the place after which to
 * continue.
 *
 * @param key - the property of a row that is its place in the order: a string or a number
 * @param schemas - a schema for each argument. The schema of the last parameter is wrapped in `Type.Optional`, or accepts
 *   `undefined`.
 * @param options - `returns`, the capability classes in the rows; `output`, the schema of a row; `title`;
 *   `description`
 * @returns the entry
 * @example
 * seats: rows('place', [Type.Optional(Type.String())]),
 */
export function rows<
  const Key extends string,
  const Input extends Schemas,
  const Class extends Returns = undefined,
  Sent extends Output = undefined,
>(
  key: Key,
  schemas: Input,
  options?: MethodOptions<Class, Sent>,
): RowsEntry<Key, Input, NoInfer<Class>, NoInfer<Sent>> {
  return { ...methodEntry('rows', streams, true, schemas, options), key };
}

const streams: SubscriptionFeature = {
  name: 'streams',
  version: 1,
  needs: [subscriptions],
  kinds: [streamItems, rowPages],
  compile(method, entry) {
    if (entry.kind === 'stream') return { subscribableResult: 'a stream' };
    if (entry.kind !== 'rows') return undefined;
    checkRows(method, entry);
    return { subscribableResult: 'rows' };
  },
  // Streams that wait for their clients have no connection, so all streams of the object are searched.
  onRevoke(instance, capabilityToken) {
    for (const open of streamsOf(instance).all)
      if (open.capabilityToken === capabilityToken) open.stop(streamStoppedError());
  },
};

/** Checks the entry of rows. The rows themselves are checked when the method returns them. */
function checkRows(method: string, { input, key }: MethodDefinition): void {
  const fail = (problem: string): never => {
    throw new TypeError(`The contract's entry for ${method} ${problem}`);
  };
  if (typeof key !== 'string')
    fail("has a key that is not a string: write rows('id', […]), with a property of the rows");
  const last = input.at(-1);
  // A schema of another library shows only in a validation whether it is optional. If it is not, the first call rejects.
  if (!isStandard(last) && (!last || !('~optional' in (last as object)))) {
    fail('is rows, so its last parameter must be optional: wrap its schema in Type.Optional');
  }
}
