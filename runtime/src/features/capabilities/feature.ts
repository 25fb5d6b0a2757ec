/** Capabilities: objects that a method returns, and whose methods a client can call. `capability` makes their classes. */
import {
  type ArgumentSchema,
  type CapabilityClass,
  type CheckedContract,
  type CheckedInput,
  compiledCapability,
  type CompiledCapability,
  contractOf,
  defineToken,
  type EntryKindsOf,
  type Feature,
  type Listable,
  type RpcClass,
  registerCapability,
  type Schema,
  validatorOfKind,
} from '../../server/feature.ts';
import type { IsCapability } from '../../wire/brands.ts';
import {
  createCapability,
  encodeCapability,
  forgetCapability,
  findOrigin,
  originOf,
  rememberOrigin,
  storedCapabilitiesOf,
  unknownCapabilityError,
} from './server/references.ts';

const capabilities: Feature = {
  name: 'capabilities',
  version: 1,
  references: {
    Capability: (parts, target) => createCapability(parts, target, target.caller),
  },
  referenceOf: encodeCapability,
  inspect: (instance) => ({ capabilities: storedCapabilitiesOf(instance) }),
  targets: {
    make: createCapability,
    classNameOf: (on) => originOf(on).capability.name,
    methodsOf: (on) => findOrigin(on)?.capability.methods,
  },
  argument(schema) {
    const compiled = compiledCapability(schema);
    if (!compiled) return undefined;
    const { name, Class } = compiled;
    return validatorOfKind(`a capability ${name}`, (value) => value instanceof Class);
  },
};

/** `Address`, if it has a schema for each argument of the constructor after the object. */
type CheckedAddress<Class extends CapabilityClass, Address extends readonly ArgumentSchema[]> =
  ConstructorParameters<Class> extends [unknown, ...infer Parameters]
    ? CheckedInput<Address, Parameters, 'address'>
    : CheckedInput<Address, [], 'address'>;

/**
 * Makes a class of capabilities. A capability is an object that a method returns to a client, which can then call the
 * methods of the capability. The client can use it from any connection, and pass it on to others. Each call creates the
 * capability again from its class and its address, and the runtime keeps nothing in memory between calls. So a capability
 * works after hibernation, restarts and deployments, until you revoke it.
 *
 * @param Class - a class whose constructor takes the Durable Object, then the address, which is plain data. The
 *   constructor can reject a caller by throwing. In messages and in the storage, the class has its name without `Impl` at
 *   the end. If you rename the class, existing capabilities stop working.
 * @param address - a schema for each argument of the constructor after the object. The schemas only check the address.
 *   The constructor receives it unchanged, since the address identifies the capability.
 * @param contract - the methods that can be called, as for `lumenizeRpcDO`
 * @returns a subclass. List it in a contract under `returns`, or as the schema of an argument.
 * @throws TypeError for the mistakes that `compileContract` rejects, and for a name that is not a method of the class
 * @example
 * export const Session = capability(SessionImpl, [Type.String()], {
 *   balance: read(),
 *   transfer: [Type.String(), Type.Integer({ minimum: 1 })],
 * });
 */
export function capability<
  Class extends CapabilityClass,
  const Address extends readonly Schema[],
  const Entries extends object,
>(
  Class: Class,
  address: Address & CheckedAddress<Class, Address>,
  contract: Entries & CheckedContract<InstanceType<Class>, Entries> & Listable<InstanceType<Class>>,
): RpcClass<Class, EntryKindsOf<Entries>, IsCapability> {
  const name = Class.name.replace(/Impl$/, '');
  const Base = Class as unknown as CompiledCapability['Class'];

  class Sealed extends Base {
    constructor(object: object, ...rest: unknown[]) {
      super(object, ...rest);
      rememberOrigin(this, { object, capability: compiled, address: rest });
    }
  }

  const compiled = registerCapability(Sealed, {
    name,
    address,
    contract,
    feature: capabilities,
    objectOf: (one) => originOf(one).object,
  });
  defineToken(Sealed.prototype as object, function token() {
    const [, ...reference] = encodeCapability(this) ?? [];
    return reference.length > 0 ? JSON.stringify(reference) : undefined;
  });
  return Sealed as unknown as RpcClass<Class, EntryKindsOf<Entries>, IsCapability>;
}

/**
 * Revokes a capability for everybody who holds it. Later calls reject with `FORBIDDEN`, and subscriptions through
 * it end with that error. If a method later returns a capability with the same address, that is a new capability.
 *
 * @param instance - the object
 * @param revoked - an instance of the capability, with the address to revoke
 * @throws TypeError for a value that is not a capability of the object
 * @example
 * logout(): void { revoke(this.#bank, this); }
 */
export function revoke(instance: object, revoked: object): void {
  const origin = originOf(revoked);
  if (origin.object !== instance)
    throw new TypeError(
      'The capability belongs to another object: pass the object that returned it',
    );
  const capabilityToken = forgetCapability(origin);
  for (const { onRevoke } of contractOf(instance)?.features ?? [])
    onRevoke?.(instance, capabilityToken, unknownCapabilityError());
}
