/** One call, and the promise of its answer. Parts of the answer can be read and passed on before it arrives. */
import type { ClientOf, Mismatch } from '../wire/brands.ts';
import type { EncodedMessage, Write } from '../wire/encoded-message.ts';
import type { Callee } from '../wire/messages.ts';
import { readPath } from '../wire/values/paths.ts';
import type { Reference, ReferenceOf } from '../wire/values/rich-encoder.ts';

/**
 * The promise of a result, or of a part of a result. It has the result's properties, as further promises, except for
 * names that every promise has or that libraries look up on any value.
 */
export type RpcPromise<Result> = Promise<Result> & PartsOf<Result>;

type PartsOf<Result> = Result extends object
  ? {
      readonly [Key in keyof Result as PartName<Key>]-?: PartOf<Result[Key]>;
    } & (Result extends ClientOf<infer Target> ? ClientOf<Target> : unknown)
  : unknown;

/** The names of the members that every object has. */
type ObjectMember = keyof typeof Object.prototype;

/** The names that `PROBED` matches, and the names of types in `brands.ts`. */
type Probed = `${'_' | '$' | '@' | '~'}${string}` | 'nodeType' | 'toJSON';

type PartName<Key> = Key extends keyof Promise<unknown> | ObjectMember | Probed | symbol
  ? never
  : Key;

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
  /** Returns the object for a part whose methods can be called. By default it is the promise of the part. */
  callable?: ((promise: object, part: ResultPart) => object) | undefined;
  /** Returns the value of a symbol that the promise of a result does not have. */
  symbolOf?: ((symbol: symbol, part: ResultPart) => unknown) | undefined;
}

/**
 * The method to call: its name for a method of the object. For any other target, a function that has the method's name
 * and returns the callee.
 */
export type Method = string | ((referenceOf: ReferenceOf) => Callee);

/** The outcome of a call. */
export type Outcome = { result: unknown } | { thrown: unknown };

export class Call {
  declare readonly id: number;
  declare readonly method: Method;
  declare readonly promise: Promise<unknown>;
  /** The timeout of the call, in milliseconds. */
  declare readonly timeout: number;
  /** The time of `performance.now()` when the call times out. */
  declare readonly deadline: number;
  declare readonly session: CallSession;
  /** The calls whose results this call takes, by the number in the reference. */
  declare inputs: ReadonlyMap<number, Call> | undefined;
  /** The call as it is sent. */
  declare message: EncodedMessage;
  /**
   * The identity of the frame that carried the call on the current connection: a list with the id of its first call.
   */
  declare frame: number[] | undefined;
  /** The time of `Date.now()` when the call was first sent, or may have been. */
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
    this.promise = new ResultPromise(
      (resolve) => {
        this.#resolve = resolve;
      },
      [this],
    );
  }

  reject(thrown: unknown): void {
    this.settle({ thrown });
  }

  settle(outcome: Outcome): void {
    this.outcome = outcome;
    this.onSettled?.();
    // This frees the memory of the arguments, even if the caller keeps the promise.
    this.inputs = this.onSettled = undefined;
    this.message = '';
    this.#resolve('thrown' in outcome ? rejectLater(outcome.thrown) : outcome.result);
  }
}

/** Errors whose stacks already have the caller's frames: several calls can reject with one error. */
const complete = new WeakSet<Error>();

/**
 * Rejects after a few microtasks, when the caller's `await` is attached to the promise. A stack that is captured then
 * includes the frames of the caller. A stack captured for every call would show them in more cases, but it would cost
 * more than all other work of the call.
 */
async function rejectLater(thrown: unknown): Promise<never> {
  // Returning a call from an async function takes two microtasks. The third is a reserve.
  for (let turn = 0; turn < 3; turn++) await undefined;
  if (thrown instanceof Error && !complete.has(thrown)) {
    complete.add(thrown);
    // The frames below this function. Source maps remove `async` from some of them.
    const [, ...frames] = new Error().stack?.match(/^ +at (?!.*node:internal).*/gm) ?? [];
    thrown.stack = [thrown.stack, ...frames].join('\n');
  }
  throw thrown;
}

/** The result of a call, or the part of the result at a path. */
export type ResultPart = readonly [call: Call, ...path: string[]];

/** The key of the internals of a client or a capability. Code outside the runtime does not have the symbol. */
export const INTERNALS = Symbol();

/**
 * Matches the text of `Symbol.dispose` and `Symbol.asyncDispose`. Engines without these symbols use substitutes:
 * bundlers use `Symbol.for('Symbol.dispose')`, and polyfills create a symbol, maybe after this file was loaded.
 */
export const DISPOSAL = /ispose\)$/;

/** The key of the part that a promise represents. Code outside this file does not have the symbol. */
const PART = Symbol();

/**
 * Names that libraries look up to recognize a value, so they are not parts of results. The characters begin names that
 * belong to libraries by convention, such as `_debugInfo`, `$$typeof` and `@@iterator`.
 */
const PROBED = /^([_$@]|(nodeType|toJSON)$)/;

/** Returns the call and the path that a promise represents; `undefined` for any value that is not such a promise. */
export function resultPartOf(value: unknown): ResultPart | undefined {
  return (value as { [PART]?: ResultPart } | undefined)?.[PART];
}

/**
 * The promise of a result. It is an ordinary promise, which keeps the properties that libraries set on it. Only a
 * property that it lacks is looked up in its prototype, and is then a part of the result.
 */
class ResultPromise extends Promise<unknown> {
  /** This is a private field, since a hidden property would make a batch of calls a third slower. */
  readonly #part: ResultPart;

  constructor(run: (resolve: (result: unknown) => void) => void, part: ResultPart) {
    super(run);
    this.#part = part;
  }

  static {
    // With another constructor, `await` would wrap the promise into a second promise.
    this.prototype.constructor = Promise;
    const handler: ProxyHandler<Record<string | symbol, unknown>> = {
      get(members, key, promise: object) {
        // A console or a library can also look at the prototype itself, which represents no result.
        if (key === PART) return #part in promise && promise.#part;
        const part = resultPartOf(promise);
        if (!part || key in members) return members[key];
        if (typeof key === 'symbol') return part[0].session.symbolOf?.(key, part);
        return PROBED.test(key) ? undefined : promiseOf([...part, key]);
      },
    };
    const members = Object.create(Promise.prototype) as Record<string | symbol, unknown>;
    Object.setPrototypeOf(this.prototype, new Proxy(members, handler));
  }
}

/**
 * Returns the promise of a result, or of a part of a result. The promise of a part starts to wait for the result at its
 * first `then`.
 */
export function promiseOf(part: ResultPart): object {
  const [{ promise, session }, ...path] = part;
  if (path.length === 0) return promise;
  const then = (...handlers: []): Promise<unknown> =>
    promise.then((result) => readPath(result, path)).then(...handlers);
  // oxlint-disable-next-line no-thenable -- it is a promise
  const members = { [PART]: { value: part }, then: { value: then } };
  const promised = Object.create(ResultPromise.prototype, members) as object;
  return session.callable?.(promised, part) ?? promised;
}
