/** `live`: the entry of a live value in a contract. */
import {
  methodEntry,
  type EntryOptions,
  type MethodEntry,
  type Returns,
  type Schemas,
} from '../../server/contract/entries.ts';
import { liveValues } from './feature.ts';

/**
 * The entry of a live value: subscribers get the result of the method, and each change of it. The method changes
 * nothing and returns the value, not a promise. It can be called, too. It runs again after each turn that ran a method
 * which may have changed the object.
 *
 * @param schemas - a schema for each argument. Default: none.
 * @param options - `returns`, the capability classes in the value
 * @example
 * topic: live(),
 */
export function live<
  const Input extends Schemas = readonly [],
  const Class extends Returns = undefined,
>(
  schemas: Input = [] as Schemas as Input,
  options?: EntryOptions<Class>,
): MethodEntry<'live', NoInfer<Input>, NoInfer<Class>> {
  return methodEntry('live', liveValues, true, schemas, options);
}
