/** Replaces the functions among the arguments of a call by callbacks, and decides how long these callbacks work. */
import {
  type CallResource,
  type CompiledContract,
  type CompiledMethod,
  type Connection,
  connectionOfClient,
  defineToken,
  invalidArgument,
  pathTo,
  badMessage,
} from '../../../server/feature.ts';
import { encodeKeepOrDrop } from '../wire.ts';
import type { RpcError } from '../../../wire/errors.ts';
import { isId } from '../../../wire/messages.ts';
import { callClient, callbackError } from './callback-calls.ts';
import type { CallbackParameter, CallbackParameters } from './callback-schemas.ts';

export type AnyFunction = (...args: never[]) => unknown;

/** Identifies a function of a client, and the place in the contract that has its schema. */
export interface CallbackToken {
  readonly client: string;
  readonly owner?: string | undefined;
  /** The client's number of the function. */
  readonly functionId: number;
  /** The class of the capability whose method received the function; left out for a method of the object. */
  readonly on?: string | undefined;
  readonly method: string;
  readonly path: string;
}

/** For each object, the running calls whose callbacks stay usable after the answer. */
export const callsKeepingCallbacks = new WeakMap<object, Set<CallbackArguments>>();

/** The functions among the arguments of one call. */
export class CallbackArguments implements CallResource {
  readonly #instance: object;
  readonly #contract: CompiledContract;
  readonly #connection: Connection;
  /** Placeholders for the functions until `bind` finds their places, with the client's numbers. */
  readonly #passed = new Map<unknown, number>();
  /** The messages that tell the client which functions to keep, one for each token that was taken. */
  #kept: Set<string> | undefined;
  #hasEnded = false;

  constructor(
    { instance, contract }: { instance: object; contract: CompiledContract },
    connection: Connection,
  ) {
    this.#instance = instance;
    this.#contract = contract;
    this.#connection = connection;
  }

  /**
   * @param parts - the reference without its name
   * @returns a placeholder, which `bind` replaces
   * @throws RpcError `BAD_MESSAGE` for a malformed reference
   */
  take([functionId, ...more]: readonly unknown[]): AnyFunction {
    if (!isId(functionId) || more.length > 0)
      badMessage('The number of a function must be a positive integer');
    const passed = (): never => {
      throw new TypeError(
        'The schema of this argument does not allow a function: write callback([…]) in the contract',
      );
    };
    this.#passed.set(passed, functionId);
    return passed;
  }

  /**
   * Replaces the placeholders by callbacks.
   *
   * @param args - the arguments of the call, already validated
   * @param on - the object or the capability that is called
   */
  bind(args: unknown[], places: CallbackParameters, on: object): unknown[] {
    const className = on === this.#instance ? undefined : this.#contract.targets?.classNameOf(on);
    return places.bind(args, (passed, place) =>
      this.#callback(this.#passed.get(passed) as number, place, className),
    );
  }

  checkBound(args: readonly unknown[], { name }: CompiledMethod): void {
    const stray = pathTo(args, (found) => this.#passed.has(found));
    if (stray === undefined) return;
    throw invalidArgument(
      name,
      stray,
      `argument ${stray} is a function: its schema has to be callback()`,
    );
  }

  /**
   * Ends the call. From now on, a callback only works if its token was taken.
   *
   * @returns the messages that follow the answer. They tell the client which functions it has to keep, even if it receives
   *   the answer only later.
   */
  end(): string[] {
    this.#hasEnded = true;
    if (!this.#kept) return [];
    callsKeepingCallbacks.get(this.#instance)?.delete(this);
    return [...this.#kept];
  }

  /** Stops keeping a function while its call is running. */
  drop(token: CallbackToken): void {
    if (token.client === this.#connection.client)
      this.#kept?.delete(keepOrDropMessage('keep', token));
  }

  #callback(functionId: number, place: CallbackParameter, on: string | undefined): AnyFunction {
    const { client, owner } = this.#connection;
    const { method, path } = place;
    const kept = (): string => keepOrDropMessage('keep', { functionId, on, method, path });
    const admit = (): void => {
      if (this.#hasEnded && !this.#kept?.has(kept())) throw ended(place);
    };
    const callback = (...args: unknown[]): Promise<unknown> =>
      callClient(this.#instance, place, () => {
        admit();
        const connection = this.#connection.isOpen
          ? this.#connection
          : connectionOfClient(this.#instance, client, owner);
        return { connection, functionId, parameter: place, args, contract: this.#contract };
      });
    defineToken(callback, () => {
      admit();
      if (client === undefined)
        throw new TypeError(
          'The client has no id, so its callbacks cannot be stored: call by createRpcClient',
        );
      this.#keep(kept());
      const token: CallbackToken = { client, owner, functionId, on, method, path };
      return JSON.stringify(token);
    });
    return callback;
  }

  #keep(kept: string): void {
    this.#kept ??= new Set();
    this.#kept.add(kept);
    callsKeepingCallbacks.set(
      this.#instance,
      (callsKeepingCallbacks.get(this.#instance) ?? new Set()).add(this),
    );
    // If the call still runs, the message is sent before the answer, because a client that gives up the call does not
    // wait for the answer.
    void Promise.resolve().then(() => {
      if (!this.#hasEnded) this.#connection.queue(kept);
    });
  }
}

/** Returns the message that tells the client to keep a function, or to drop it, for one token. */
export function keepOrDropMessage(
  kind: 'keep' | 'drop',
  {
    functionId,
    on = '',
    method,
    path,
  }: Pick<CallbackToken, 'functionId' | 'on' | 'method' | 'path'>,
): string {
  return encodeKeepOrDrop(kind, functionId, `${on}.${method}${path}`);
}

function ended(place: CallbackParameter): RpcError {
  return callbackError(
    place,
    'CLOSED',
    'ended with its call: store tokenOf(callback) to keep it',
    false,
  );
}
