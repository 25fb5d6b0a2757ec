/**
 * One call, and the promise of its answer, whose parts can be read and passed on before it is
 * there. Imports wire/.
 */
import type { ClientOf } from '../wire/contract-brand.ts';
import type { Said, Write } from '../wire/bytes.ts';
import type { Callee } from '../wire/messages.ts';
import { readPath } from '../wire/paths.ts';
import type { Reference, ReferenceOf } from '../wire/rich-encoder.ts';

/** A result, or a part of one, before it is there: a promise that has the result's properties. */
export type RpcPromise<Result> = Promise<Result> & PartsOf<Result>;

type PartsOf<Result> = Result extends object
  ? {
      readonly [Key in Exclude<keyof Result, keyof Promise<unknown> | symbol>]: PartOf<Result[Key]>;
    } & (Result extends ClientOf<infer Target> ? ClientOf<Target> : unknown)
  : unknown;

/** The methods of a capability can be called before it is there. */
type PartOf<Value> = Value extends (...args: never[]) => RpcPromise<unknown>
  ? Value
  : RpcPromise<Value>;

/** The session of calls, and what modules add to it that are not in every bundle. */
export interface Owner {
  readonly transport: { readonly since?: number | undefined };
  /** Says which arguments of a call are sent as references. */
  take?: (value: unknown, call?: Call) => Reference | undefined;
  /** Gives the values of references; with a call, of those in its own text. */
  make?: (reference: Reference, call?: Call) => unknown;
  /** Writes messages, by an `encode` that could do it alone. */
  write: Write;
  /** What stands behind the proxy of a result, or of a part of one, if not the promise. */
  callable?: (part: Part) => object;
}

/** A method of the object; or of something else, and then a function of the method's name. */
export type Method = string | ((referenceOf: ReferenceOf) => Callee);

/** How a call ended. */
export type Outcome = { result: unknown } | { thrown: unknown };

/** A call that has been made. */
export class Call {
  declare readonly id: number;
  declare readonly method: Method;
  declare readonly promise: Promise<unknown>;
  /** In milliseconds. */
  declare readonly timeout: number;
  /** When it times out, on the clock of `performance.now()`. */
  declare readonly deadline: number;
  /** The session that it belongs to. */
  declare readonly owner: Owner;
  /** The calls whose results are among its arguments, by the number that stands for each. */
  declare inputs: ReadonlyMap<number, Call> | undefined;
  /** As it is on the wire. */
  message: Said = '';
  /** Stands for the frame in which it left, on the connection that is there now. */
  declare frame: object | undefined;
  /** When it left first, on the clock of `Date.now()`. */
  declare sentAt: number | undefined;
  declare outcome: Outcome | undefined;
  /** Undoes what waits for the outcome elsewhere. */
  declare onSettled: (() => void) | undefined;
  #resolve!: (result: unknown) => void;

  constructor(owner: Owner, id: number, method: Method, timeout: number) {
    this.owner = owner;
    this.timeout = timeout;
    this.id = id;
    this.method = method;
    this.deadline = performance.now() + timeout;
    this.sentAt = owner.transport.since;
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
    // Whoever keeps the promise keeps nothing of what was sent for it.
    this.inputs = this.onSettled = undefined;
    this.message = '';
    this.#resolve('thrown' in outcome ? rejectLater(outcome.thrown) : outcome.result);
  }
}

/** Errors that have their caller's frames: one error can be the end of several calls. */
const complete = new WeakSet<Error>();

/**
 * Rejects a little later, when whoever awaits the call has been attached. The engine then knows who
 * is waiting, so a stack taken now goes on with their frames. A stack for every call would show
 * them in more cases, and cost more than all the rest of the call's work.
 */
async function rejectLater(thrown: unknown): Promise<never> {
  // A call is awaited through its proxy, which takes the engine two turns; one is to spare.
  for (let turn = 0; turn < 3; turn++) await undefined;
  if (thrown instanceof Error && !complete.has(thrown)) {
    complete.add(thrown);
    // Below this function. Not all of them say `async`: source maps remove that.
    const [, ...frames] = new Error().stack?.match(/^ +at (?!.*node:internal).*/gm) ?? [];
    if (frames.length > 0) thrown.stack = [thrown.stack, ...frames].join('\n');
  }
  throw thrown;
}

/** What the proxies that callers hold stand for: a call's result, or a part of it. */
export interface Part {
  call: Call;
  path: readonly string[];
}

/** Reads what a client or a capability is made of; nobody outside can name it. */
export const INSIDE = Symbol('inside');

/** Reads the part behind a proxy; nobody outside can name it. */
const PART = Symbol('part');

/** The part, if a value is the proxy of one. */
export function partOf(value: unknown): Part | undefined {
  return (value as { [PART]?: Part } | undefined)?.[PART];
}

export function proxyOf(call: Call, path: readonly string[] = []): RpcPromise<unknown> {
  const part = { call, path };
  const handler: ProxyHandler<object> = {
    get(target, key) {
      if (key === PART) return part;
      if (key === INSIDE) return (target as { [INSIDE]?: unknown })[INSIDE];
      // Other symbols are asked for by the language and by inspection, never by a caller.
      if (typeof key === 'symbol') return undefined;
      if (!/^(then|catch|finally)$/.test(key)) return proxyOf(call, [...path, key]);
      let { promise } = call;
      if (path.length > 0) promise = promise.then((result) => readPath(result, path));
      return promise[key as 'then'].bind(promise);
    },
  };
  // Consoles show the promise.
  return new Proxy<object>(
    call.owner.callable?.(part) ?? call.promise,
    handler,
  ) as RpcPromise<unknown>;
}
