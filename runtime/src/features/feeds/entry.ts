/** `events`: the entry of a feed in a contract. */
import {
  methodEntry,
  type EntryOptions,
  type MethodEntry,
  type Returns,
  type Schemas,
} from '../../server/contract/entries.ts';
import { feeds } from './feature.ts';

/**
 * The entry of a method that returns a feed, from `feed(this, name)`. It changes nothing. Clients subscribe to its
 * events.
 *
 * @param schemas - a schema for each argument. Default: none.
 * @param options - `returns`, the capability classes in the events
 * @example
 * messages: events(),
 */
export function events<
  const Input extends Schemas = readonly [],
  const Class extends Returns = undefined,
>(
  schemas: Input = [] as Schemas as Input,
  options?: EntryOptions<Class>,
): MethodEntry<'events', NoInfer<Input>, NoInfer<Class>> {
  return methodEntry('events', feeds, true, schemas, options);
}
