/**
 * The functions that came with a call: what its method is given in their place, and for how long.
 * Imports argument-errors, callback-calls, callback-places, contract, contract-entry, peer, refusal, seals,
 * sockets and wire/.
 */
import { encodeHold } from '../wire/callbacks.ts';
import type { RpcError } from '../wire/errors.ts';
import { isId } from '../wire/messages.ts';
import { invalid } from './argument-errors.ts';
import { callClient, failed } from './callback-calls.ts';
import { type CallbackPlace, pathTo } from './callback-places.ts';
import type { CompiledContract } from './contract.ts';
import type { CompiledMethod } from './contract-entry.ts';
import type { Peer } from './peer.ts';
import { refusal } from './refusal.ts';
import { placeOf } from './seals.ts';
import { connectionOf } from './sockets.ts';

export type AnyFunction = (...args: never[]) => unknown;

/** What a function of a client is found by, and where a contract says what it answers. */
export interface Address {
  readonly client: string;
  readonly owner?: string | undefined;
  readonly f: number;
  /** The class of the capability whose method it was passed to; none for a method of the object. */
  readonly on?: string | undefined;
  readonly method: string;
  readonly path: string;
}

/** What takes the address of a callback. */
export const addresses = new WeakMap<AnyFunction, () => string>();

/** The calls whose callbacks are kept from when they have been answered on. */
export const keepers = new WeakMap<object, Set<CallFunctions>>();

/** The functions that came with one call. */
export class CallFunctions {
  readonly #instance: object;
  readonly #contract: CompiledContract;
  readonly #peer: Peer;
  /** What stands for them until it is known where they stand; with their numbers. */
  #passed: Map<unknown, number> | undefined;
  /** The numbers of those whose addresses have been taken. */
  #kept: Set<number> | undefined;
  #hasEnded = false;

  constructor(
    { instance, contract }: { instance: object; contract: CompiledContract },
    peer: Peer,
  ) {
    this.#instance = instance;
    this.#contract = contract;
    this.#peer = peer;
  }

  /**
   * @param parts - of a reference
   * @returns what stands for the function until `bind`
   * @throws RpcError `BAD_MESSAGE` for what is no function of a client
   */
  take([f, ...more]: readonly unknown[]): AnyFunction {
    if (!isId(f) || more.length > 0)
      throw refusal('BAD_MESSAGE', 'The number of a function must be a positive integer');
    const passed = (): never => {
      throw new TypeError('The schema of this argument does not allow a function');
    };
    this.#passed ??= new Map();
    this.#passed.set(passed, f);
    return passed;
  }

  /**
   * @param args - of the call, checked already
   * @param on - what is called: the object or a capability
   * @throws RpcError `INVALID_ARGUMENTS` for a function that stands where the contract has none
   */
  bind(args: unknown[], { name, callbacks }: CompiledMethod, on: object): unknown[] {
    const functions = this.#passed;
    if (!functions) return args;
    const className = on === this.#instance ? undefined : placeOf(on).capability.name;
    const put = (passed: AnyFunction, place: CallbackPlace): AnyFunction =>
      this.#callback(functions.get(passed) as number, place, className);
    const bound = callbacks?.bind(args, put) ?? args;
    const stray = pathTo(bound, (found) => functions.has(found));
    if (stray === undefined) return bound;
    throw invalid(
      name,
      stray,
      `argument ${stray} is a function: its schema has to be Type.Function`,
    );
  }

  /**
   * Takes note that the call has ended.
   *
   * @returns what follows its answer, so that the client, whenever it gets that, knows what it has to keep
   */
  end(): string[] {
    this.#hasEnded = true;
    if (!this.#kept) return [];
    keepers.get(this.#instance)?.delete(this);
    return Array.from(this.#kept, (f) => encodeHold('keep', f));
  }

  /** Takes note that an address is not kept any more, although the call has not ended. */
  drop(client: string, f: number): void {
    if (client === this.#peer.client) this.#kept?.delete(f);
  }

  #callback(f: number, place: CallbackPlace, on: string | undefined): AnyFunction {
    const { client, owner } = this.#peer;
    const admit = (): void => {
      if (this.#hasEnded && !this.#kept?.has(f)) throw ended(place);
    };
    const callback = (...args: unknown[]): Promise<unknown> =>
      callClient(this.#instance, () => {
        admit();
        const peer = this.#peer.isOpen ? this.#peer : connectionOf(this.#instance, client, owner);
        return { peer, f, place, args, contract: this.#contract };
      });
    addresses.set(callback, () => {
      admit();
      if (client === undefined)
        throw new TypeError('This client has no id, so its callbacks cannot be stored');
      this.#keep(f);
      const address: Address = { client, owner, f, on, method: place.method, path: place.path };
      return JSON.stringify(address);
    });
    return callback;
  }

  #keep(f: number): void {
    this.#kept ??= new Set();
    this.#kept.add(f);
    keepers.set(this.#instance, (keepers.get(this.#instance) ?? new Set()).add(this));
    // Otherwise it comes with the answer; a client that gives the call up does not wait for that.
    void Promise.resolve().then(() => {
      if (!this.#hasEnded && this.#peer.isOpen) this.#peer.answer(encodeHold('keep', f));
    });
  }
}

function ended(place: CallbackPlace): RpcError {
  return failed(
    place,
    'CLOSED',
    'ended with its call: store addressOf(callback) to keep it',
    false,
  );
}
