/**
 * Capabilities on their way out and back. What leaves is a return address: a class, plain data, and an
 * unguessable number that is stored once for both. What comes back with it is made anew, and so nothing
 * is held. Imports caller, contract, contract-of, refusal, rewritten-error and wire/.
 */
import { toBase64 } from '../wire/base64.ts';
import type { RpcError } from '../wire/errors.ts';
import type { Callee } from '../wire/messages.ts';
import { isPlain } from '../wire/plain.ts';
import { CAPABILITY, type Reference, type ReferenceOf } from '../wire/rich-encoder.ts';
import { callAs } from './caller.ts';
import type { CompiledContract } from './contract.ts';
import type { CompiledCapability } from './contract-entry.ts';
import { contractOf } from './contract-of.ts';
import { kvOf } from './key-values.ts';
import { refusal } from './refusal.ts';
import { rewrite } from './rewritten-error.ts';

/** Before a class and an address: the key of their number. */
const PREFIX = '__rpc_capability:';

/** The storage takes keys of 2 048 bytes. */
const MAX_KEY_SIZE = 2_048;

/** Nobody can guess 128 bits. */
const NUMBER_SIZE = 16;

/** Where a capability leads back to. */
interface Place {
  object: object;
  capability: CompiledCapability;
  address: readonly unknown[];
}

/** Where a capability keeps it. */
const PLACE = Symbol('place');

/** Takes note of a capability that has been made. */
export function rememberPlace(instance: object, place: Place): void {
  // Not a WeakMap: one is made for each call, and an entry takes longer than the object.
  (instance as { [PLACE]?: Place })[PLACE] = place;
}

/** Of what may be no capability. */
export function placeIn(value: unknown): Place | undefined {
  return (value as { [PLACE]?: Place } | null | undefined)?.[PLACE];
}

/** @throws TypeError for what is no capability */
export function placeOf(instance: object): Place {
  const place = placeIn(instance);
  if (!place) throw new TypeError('Not a capability');
  return place;
}

/** What says which parts of results are sent as references; nothing, if a contract has no capabilities. */
export function referencesOf({ capabilities }: CompiledContract): ReferenceOf | undefined {
  return capabilities.size > 0 ? takeCapability : undefined;
}

/**
 * Seals a capability that is sent: its number is stored when it is sent for the first time.
 *
 * @returns `undefined` for what is none, or is not in the contract of its object
 * @throws TypeError for an address that would not lead back
 */
export function takeCapability(value: unknown): Reference | undefined {
  const place = placeIn(value);
  if (!place) return undefined;
  const { object, capability, address } = place;
  const declared = contractOf(object)?.capabilities.get(capability.name);
  if (declared !== capability) return undefined;
  return [CAPABILITY, capability.name, numberOf(place), ...address];
}

function numberOf({ object, capability, address }: Place): string {
  const kv = kvOf(object);
  const key = keyOf(capability.name, address);
  let number = kv.get<string>(key);
  if (number === undefined) {
    checkAddress(capability, address, key);
    const { buffer } = crypto.getRandomValues(new Uint8Array(NUMBER_SIZE));
    // As it may stand in a URL.
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
  if (!isPlain(address)) throw new TypeError(`The address of a ${name} must be plain data`);
  if (new TextEncoder().encode(key).length > MAX_KEY_SIZE) {
    throw new TypeError(`The address of a ${name} has more than ${MAX_KEY_SIZE} bytes as a key`);
  }
  check(address);
}

/**
 * Makes a capability from what has come back.
 *
 * @param caller - who uses it
 * @throws RpcError `FORBIDDEN` for what was never given out, or has been revoked; what the constructor
 *   throws
 */
export function makeCapability(
  [name, number, ...address]: readonly unknown[],
  instance: object,
  contract: CompiledContract,
  caller: unknown,
): object {
  const capability = contract.capabilities.get(name as string);
  if (!capability || !isNumberOf(number, instance, capability, address)) throw unknown();
  try {
    capability.checkAddress(address);
  } catch {
    // The schemas have changed since.
    throw unknown();
  }
  const { Class } = capability;
  try {
    return callAs(caller, () => new Class(instance, ...address)) as object;
  } catch (error) {
    if (!contract.onError) throw error;
    return rewrite(error, capability.name, contract.onError);
  }
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

/** Takes as long whatever differs, so that the time tells nothing. */
function isSame(one: string, other: string): boolean {
  if (one.length !== other.length) return false;
  let difference = 0;
  for (let index = 0; index < one.length; index++) {
    difference |= one.charCodeAt(index) ^ other.charCodeAt(index);
  }
  return difference === 0;
}

/** The same for what never was, what is not any more, and what is not in the contract. */
export function unknown(): RpcError {
  return refusal('FORBIDDEN', 'This capability does not exist, or was revoked');
}

/** What a capability is known by: its class, its number and its address, as text. */
export function sealOf(callee: Callee): string | undefined {
  return typeof callee === 'string' ? undefined : JSON.stringify(callee.slice(1));
}

/**
 * Forgets the number of a capability.
 *
 * @returns what it was known by, as `sealOf` says it
 */
export function unseal({ object, capability, address }: Place): string {
  const kv = kvOf(object);
  const key = keyOf(capability.name, address);
  const number = kv.get<string>(key);
  kv.delete(key);
  return JSON.stringify([capability.name, number, ...address]);
}

function keyOf(name: string, address: readonly unknown[]): string {
  return `${PREFIX}${name}${JSON.stringify(address)}`;
}
