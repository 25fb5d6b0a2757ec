/** One call, and the promise of its answer. Parts of the answer can be read and passed on before it arrives. */
import type { ClientOf, Mismatch } from '../wire/brands.ts';
import type { EncodedMessage, Write } from '../wire/encoded-message.ts';
import type { Callee } from '../wire/messages.ts';
import { readPath } from '../wire/values/paths.ts';
import type { Reference, ReferenceOf } from '../wire/values/rich-encoder.ts';

/** The promise of a result, or of a part of one. It has the result's properties, as further promises. */
export type RpcPromise<Result> = Promise<Result> & PartsOf<Result>;

type PartsOf<Result> = Result extends object
  ? {
      readonly [Key in keyof Result as PartName<Key>]-?: PartOf<Result[Key]>;
    } & (Result extends ClientOf<infer Target> ? ClientOf<Target> : unknown)
  : unknown;

type PartName<Key> = Key extends keyof Promise<unknown> | symbol | `~${string}` ? never : Key;

/** The methods of a capability can be called before it arrives. */
type PartOf<Value> = [Value] extends [
  ((...args: never[]) => RpcPromise<unknown>) | Mismatch<unknown>,
]
  ? Value
  : RpcPromise<Value>;

/** The session of calls, with hooks for modules that are not in every bundle. */
export interface CallSession {
  readonly transport: { readonly since?: number | undefined };
  /** Returns the reference to send for an argument of a call, or `undefined` to send the argument. */
  referenceOf?: ((value: unknown, call?: Call) => Reference | undefined) | undefined;
  /** Returns the value of a reference. With `call`, the reference is in the text of that call. */
  resolve?: ((reference: Reference, call?: Call) => unknown) | undefined;
  /** Writes a message. By default it only calls `encode`. */
  write: Write;
  /** Returns the target of the proxy of a result, or of a part of one. The default target is the promise. */
  callable?: ((part: ResultPart) => object) | undefined;
}

/** The name of a method of the object. For another target: a function with that name that returns the callee. */
export type Method = string | ((referenceOf: ReferenceOf) => Callee);

/** How a call ended. */
export type Outcome = { result: unknown } | { thrown: unknown };

export class Call {
  declare readonly id: number;
  declare readonly method: Method;
  declare readonly promise: Promise<unknown>;
  /** In milliseconds. */
  declare readonly timeout: number;
  /** When the call times out, in the time of `performance.now()`. */
  declare readonly deadline: number;
  declare readonly session: CallSession;
  /** The calls whose results this call takes, by the number in the reference. */
  declare inputs: ReadonlyMap<number, Call> | undefined;
  /** The call as it is sent. */
  declare message: EncodedMessage;
  /** Identity of the frame that carried the call on the current connection: a list with the id of its first call. */
  declare frame: number[] | undefined;
  /** When the call was first sent, or may have been, in the time of `Date.now()`. */
  declare sentAt: number | undefined;
  declare outcome: Outcome | undefined;
  /** Removes listeners and other state that waits for the outcome. */
  declare onSettled: (() => void) | undefined;
  #resolve!: (result: unknown) => void;

  constructor(session: CallSession, id: number, method: Method, timeout: number) {
    this.session = session;
    this.timeout = timeout;
    this.id = id;
    this.method = method;
    this.deadline = performance.now() + timeout;
    this.sentAt = session.transport.since;
    this.promise = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  reject(thrown: unknown): void {
    this.settle({ thrown });
  }

  settle(outcome: Outcome): void {
    this.outcome = outcome;
    this.onSettled?.();
    // Frees what was sent, even if the caller keeps the promise.
    this.inputs = this.onSettled = undefined;
    this.message = '';
    this.#resolve('thrown' in outcome ? rejectLater(outcome.thrown) : outcome.result);
  }
}

/** Errors whose stacks already have the caller's frames: several calls can reject with one error. */
const complete = new WeakSet<Error>();

/**
 * Rejects after a few microtasks, when the caller's `await` is attached to the promise. A stack that is
 * captured then includes the frames of the caller. A stack captured for every call would show them in more
 * cases, but cost more than all other work of the call.
 */
async function rejectLater(thrown: unknown): Promise<never> {
  // To await a call through its proxy takes two microtasks. The third is a reserve.
  for (let turn = 0; turn < 3; turn++) await undefined;
  if (thrown instanceof Error && !complete.has(thrown)) {
    complete.add(thrown);
    // The frames below this function. Source maps remove `async` from some of them.
    const [, ...frames] = new Error().stack?.match(/^ +at (?!.*node:internal).*/gm) ?? [];
    thrown.stack = [thrown.stack, ...frames].join('\n');
  }
  throw thrown;
}

/** What a caller's proxy represents: the result of a call, or the part of it at a path. */
export interface ResultPart {
  call: Call;
  path: readonly string[];
}

/** The key of the internals of a client or a capability. Code outside the runtime does not have the symbol. */
export const INTERNALS = Symbol();

/** The key of the part that a proxy represents. Code outside this file does not have the symbol. */
const PART = Symbol();

/** The part that a value represents, if the value is a proxy from `proxyOf`. */
export function resultPartOf(value: unknown): ResultPart | undefined {
  return (value as { [PART]?: ResultPart } | undefined)?.[PART];
}

export function proxyOf(call: Call, path: readonly string[] = []): RpcPromise<unknown> {
  const part = { call, path };
  const handler: ProxyHandler<object> = {
    get(target, key) {
      if (key === PART) return part;
      // Only the runtime, the language and consoles read symbols, never a caller.
      if (typeof key === 'symbol') return (target as Record<symbol, unknown>)[key];
      if (!/^(then|catch|finally)$/.test(key)) return proxyOf(call, [...path, key]);
      let { promise } = call;
      if (path.length > 0) promise = promise.then((result) => readPath(result, path));
      return promise[key as 'then'].bind(promise);
    },
  };
  // Consoles show the promise.
  return new Proxy<object>(
    call.session.callable?.(part) ?? call.promise,
    handler,
  ) as RpcPromise<unknown>;
}
