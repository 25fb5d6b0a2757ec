/**
 * `capability`: classes whose instances a client can be given, and act with. Imports checked, contract,
 * contract-entry, seals, subscribers and wire/.
 */
import type { TSchema } from 'typebox';
import type { HasContract, IsCapability } from '../wire/contract-brand.ts';
import { checkOnNativeCalls } from './checked.ts';
import { checkListed, compileMethods } from './contract.ts';
import {
  type ArgumentSchema,
  type CapabilityClass,
  type CompiledCapability,
  type Contract,
  rememberCapability,
} from './contract-entry.ts';
import type { CheckedContract, CheckedInput, LiveKeys, PagedKeys } from './contract-types.ts';
import { placeOf, rememberPlace, unseal } from './seals.ts';
import { changed, subscribersOf } from './subscribers.ts';

/** The class: same constructor and statics, and instances that carry the contract's names. */
type WithContract<Class extends CapabilityClass, Entries> = {
  new (
    ...args: ConstructorParameters<Class>
  ): InstanceType<Class> &
    HasContract<keyof Entries, LiveKeys<Entries>, PagedKeys<Entries>> &
    IsCapability;
} & { [Name in keyof Class]: Class[Name] };

/** `Address` where it has a schema for each argument of the constructor after the object. */
type CheckedAddress<Class extends CapabilityClass, Address extends readonly ArgumentSchema[]> =
  ConstructorParameters<Class> extends [unknown, ...infer Parameters]
    ? CheckedInput<Address, Parameters>
    : CheckedInput<Address, []>;

/**
 * Makes a class of capabilities: objects that a method returns to a client, which may then call their
 * methods. Whoever holds one may use it, from any connection, and pass it on. Each call makes the object
 * anew from its class and its address, so that nothing is held between calls, and it works after
 * hibernation, restarts and deploys, until it is revoked.
 *
 * @param Class - its constructor takes the Durable Object, and then plain data: the address. It may
 *   refuse, by throwing. On the wire and in the storage it has its name without `Impl` at the end; a
 *   capability under another name is another one.
 * @param address - a schema for each argument of the constructor after the object
 * @param contract - the methods that can be called, as for `lumenizeRpcDO`
 * @returns a subclass, to be listed in the contract by `returns` or as an argument
 * @throws TypeError as `compileContract` does
 * @example
 * export const Session = capability(SessionImpl, [Type.String()], {
 *   balance: { input: [], readonly: true },
 *   transfer: [Type.String(), Type.Integer({ minimum: 1 })],
 * });
 */
export function capability<
  Class extends CapabilityClass,
  const Address extends readonly TSchema[],
  const Entries extends object,
>(
  Class: Class,
  address: Address & CheckedAddress<Class, Address>,
  contract: Entries & CheckedContract<InstanceType<Class>, Entries>,
): WithContract<Class, Entries> {
  const name = Class.name.replace(/Impl$/, '');
  const Base = Class as unknown as CompiledCapability['Class'];

  class Sealed extends Base {
    constructor(object: object, ...rest: unknown[]) {
      super(object, ...rest);
      rememberPlace(this, { object, capability: compiled, address: rest });
    }
  }

  const { methods, capabilities } = compileMethods(contract as Contract);
  checkListed(Class, methods.keys());
  const { methods: constructors } = compileMethods({ [name]: address });
  const { check: checkAddress } = constructors.get(name) as { check(address: unknown): void };
  const compiled: CompiledCapability = { name, Class: Sealed, checkAddress, methods, capabilities };
  checkOnNativeCalls(Sealed.prototype, methods.values(), (one) => changed(placeOf(one).object));
  Object.defineProperty(Sealed, 'name', { value: name });
  rememberCapability(Sealed, compiled);
  return Sealed as unknown as WithContract<Class, Entries>;
}

/**
 * Takes a capability back from all who hold it. What is subscribed to through it ends with `FORBIDDEN`,
 * as does every later call. When a method returns one of the same address again, that is a new one.
 *
 * @param instance - the object
 * @param revoked - the capability, made as it is made to be returned
 * @throws TypeError for what is no capability of the object
 * @example
 * logout(): void { revoke(this.#bank, this); }
 */
export function revoke(instance: object, revoked: object): void {
  const place = placeOf(revoked);
  if (place.object !== instance) throw new TypeError('The capability belongs to another object');
  subscribersOf(instance).revoked(unseal(place));
}
