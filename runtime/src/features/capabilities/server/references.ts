/**
 * Encodes and decodes capabilities. A capability is sent as the name of its class, an address of plain data,
 * and an unguessable number, which is stored for that class and address. When a client sends the capability back, a new
 * instance is created, so the object holds no instances.
 */
import {
  type CompiledCapability,
  contractOf,
  kvOf,
  runClassCode,
  type Target,
  rejection,
} from '../../../server/feature.ts';
import type { RpcError } from '../../../wire/errors.ts';
import { toBase64 } from '../../../wire/values/base64.ts';
import { isPlain } from '../../../wire/values/plain.ts';
import { CAPABILITY, type Reference } from '../../../wire/values/rich-encoder.ts';

/** Key prefix of a number. The class and the address follow. */
const PREFIX = '__rpc_capability:';

/** Maximum size of a storage key, in bytes. */
const MAX_KEY_SIZE = 2_048;

/** Size of a number, in bytes: 128 bits cannot be guessed. */
const NUMBER_SIZE = 16;

/** The object, the class and the address of a capability. */
interface CapabilityOrigin {
  object: object;
  capability: CompiledCapability;
  address: readonly unknown[];
}

/** The property of a capability that holds its origin. */
const ORIGIN = Symbol('origin');

/** Stores the origin of a new capability in it. */
export function rememberOrigin(instance: object, origin: CapabilityOrigin): void {
  // The origin is not in a WeakMap, because a capability is created for each call, and adding an entry to a WeakMap takes
  // longer than creating the capability.
  (instance as { [ORIGIN]?: CapabilityOrigin })[ORIGIN] = origin;
}

/** Returns the origin of a capability; `undefined` for any other value. */
export function findOrigin(value: unknown): CapabilityOrigin | undefined {
  return (value as { [ORIGIN]?: CapabilityOrigin } | null | undefined)?.[ORIGIN];
}

/** @throws TypeError if the object is not a capability */
export function originOf(instance: object): CapabilityOrigin {
  const origin = findOrigin(instance);
  if (!origin)
    throw new TypeError(
      'The value is not a capability: pass an instance of a class made by capability()',
    );
  return origin;
}

/**
 * Encodes a capability as a reference. Its number is created and stored when it is first sent.
 *
 * @returns `undefined` if the value is not a capability, or not in the contract of its object
 * @throws TypeError for an address that is not plain data or is too large; RpcError `INVALID_ARGUMENTS` for
 *   an address that does not match its schemas
 */
export function encodeCapability(value: unknown): Reference | undefined {
  const origin = findOrigin(value);
  if (!origin) return undefined;
  const { object, capability, address } = origin;
  const declared = contractOf(object)?.capabilities.get(capability.name);
  if (declared !== capability) return undefined;
  return [CAPABILITY, capability.name, numberOf(origin), ...address];
}

function numberOf({ object, capability, address }: CapabilityOrigin): string {
  const kv = kvOf(object);
  const key = keyOf(capability.name, address);
  let number = kv.get<string>(key);
  if (number === undefined) {
    checkAddress(capability, address, key);
    const { buffer } = crypto.getRandomValues(new Uint8Array(NUMBER_SIZE));
    // The number has the form of Base64 for URLs.
    number = toBase64(buffer).replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_');
    kv.put(key, number);
  }
  return number;
}

function checkAddress(
  { name, checkAddress: check }: CompiledCapability,
  address: readonly unknown[],
  key: string,
): void {
  if (!isPlain(address))
    throw new TypeError(`The address of a ${name} must be data that JSON represents`);
  if (new TextEncoder().encode(key).length > MAX_KEY_SIZE) {
    throw new TypeError(
      `The address of a ${name} is longer than ${MAX_KEY_SIZE} bytes, the limit of a key in the storage`,
    );
  }
  check(address);
}

/**
 * Creates the capability that a reference stands for.
 *
 * @param caller - the caller who uses it
 * @throws RpcError `FORBIDDEN` if the capability was never sent, or was revoked; the error of the constructor
 */
export function createCapability(
  [name, number, ...address]: readonly unknown[],
  target: Target,
  caller: unknown,
): object {
  const { instance, contract } = target;
  const capability = contract.capabilities.get(name as string);
  if (!capability || !isNumberOf(number, instance, capability, address))
    throw unknownCapabilityError();
  try {
    capability.checkAddress(address);
  } catch {
    // The address no longer matches, because the schemas have changed since the capability was sent.
    throw unknownCapabilityError();
  }
  const { Class } = capability;
  const make = (): object => new Class(instance, ...address);
  return runClassCode(capability.name, target, caller, make) as object;
}

function isNumberOf(
  number: unknown,
  instance: object,
  { name }: CompiledCapability,
  address: readonly unknown[],
): boolean {
  if (typeof number !== 'string') return false;
  const key = keyOf(name, address);
  if (key.length > MAX_KEY_SIZE) return false;
  const known = kvOf(instance).get<string>(key);
  return known !== undefined && isSame(known, number);
}

/** Compares in constant time, so that the time reveals nothing about the number. */
function isSame(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let index = 0; index < one.length; index++) {
    difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  }
  return difference === 0;
}

/**
 * Deletes the number of a capability.
 *
 * @returns its token
 */
export function forgetCapability({ object, capability, address }: CapabilityOrigin): string {
  const kv = kvOf(object);
  const key = keyOf(capability.name, address);
  const number = kv.get<string>(key);
  kv.delete(key);
  return JSON.stringify([capability.name, number, ...address]);
}

/** The maximum number of capabilities that a report counts. */
const MAX_COUNTED = 1_000;

/** Returns how many capabilities are stored, by the names of their classes. */
export function storedCapabilitiesOf(instance: object): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [key] of kvOf(instance).list({ prefix: PREFIX, limit: MAX_COUNTED })) {
    const name = key.slice(PREFIX.length, key.indexOf('['));
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

function keyOf(name: string, address: readonly unknown[]): string {
  return `${PREFIX}${name}${JSON.stringify(address)}`;
}

/**
 * Returns the error for a capability that never existed, was revoked, or is not in the contract. The cases have one
 * error, so that a client cannot tell them apart.
 */
export function unknownCapabilityError(): RpcError {
  return rejection('FORBIDDEN', 'This capability does not exist, or was revoked');
}
