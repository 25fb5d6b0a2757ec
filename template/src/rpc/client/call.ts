/**
 * One call, and the promise of its answer, whose parts can be read and passed on before it is
 * there. Imports wire/.
 */
import { readPath } from '../wire/paths.ts';

/** A result, or a part of one, before it is there: a promise that has the result's properties. */
export type RpcPromise<Result> = Promise<Result> & PartsOf<Result>;

type PartsOf<Result> = Result extends object
  ? {
      readonly [Key in Exclude<keyof Result, keyof Promise<unknown> | symbol>]: RpcPromise<
        Result[Key]
      >;
    }
  : unknown;

/** How a call ended. */
export type Outcome = { result: unknown } | { thrown: unknown };

/** A call that has been made. */
export class Call {
  readonly id: number;
  readonly method: string;
  readonly promise: Promise<unknown>;
  /** When to give up, on the clock of `performance.now()`. */
  readonly deadline: number;
  /** The session that it belongs to. */
  readonly owner: object;
  /** The calls whose results are among its arguments, by the number that stands for each. */
  inputs: ReadonlyMap<number, Call> | undefined;
  /** Its text on the wire. */
  message = '';
  /** The calls with which it left in one frame. */
  frame: readonly Call[] | undefined;
  /** Whether it left before, on a connection that was lost. */
  isResent = false;
  outcome: Outcome | undefined;
  /** Undoes what waits for the outcome elsewhere. */
  onSettled: (() => void) | undefined;
  #resolve!: (result: unknown) => void;

  constructor(owner: object, id: number, method: string, deadline: number) {
    this.owner = owner;
    this.id = id;
    this.method = method;
    this.deadline = deadline;
    this.promise = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** Whether its method may have run. */
  get wasSent(): boolean {
    return this.isResent || this.frame !== undefined;
  }

  reject(thrown: unknown): void {
    this.settle({ thrown });
  }

  settle(outcome: Outcome): void {
    this.outcome = outcome;
    this.onSettled?.();
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
    // Below the message and this function. Not all of them say `async`: source maps remove that.
    const [, , ...frames] = new Error().stack?.split('\n') ?? [];
    const waiting = frames.filter((frame) => /^ +at (?!.*node:internal)/.test(frame));
    if (waiting.length > 0) thrown.stack = [thrown.stack, ...waiting].join('\n');
  }
  throw thrown;
}

/** Reads the part behind a proxy; nobody outside can name it. */
const PART = Symbol('part');

/** What the proxies that callers hold stand for: a call's result, or a part of it. */
export class Part {
  readonly #call: Call;
  readonly #path: readonly string[];

  constructor(call: Call, path: readonly string[] = []) {
    this.#call = call;
    this.#path = path;
  }

  /** The call and the path, if a value is the proxy of a part. */
  static of(value: unknown): { call: Call; path: readonly string[] } | undefined {
    const part = (value as { [PART]?: Part } | undefined)?.[PART];
    return part && { call: part.#call, path: part.#path };
  }

  proxy(): RpcPromise<unknown> {
    return new Proxy(this, handler) as unknown as RpcPromise<unknown>;
  }

  get(key: string): unknown {
    if (key !== 'then' && key !== 'catch' && key !== 'finally') {
      return new Part(this.#call, [...this.#path, key]).proxy();
    }
    let { promise } = this.#call;
    if (this.#path.length > 0) promise = promise.then((result) => readPath(result, this.#path));
    return promise[key].bind(promise);
  }
}

const handler: ProxyHandler<Part> = {
  get(part, key) {
    if (typeof key === 'string') return part.get(key);
    // Other symbols are asked for by the language and by inspection, never by a caller.
    return key === PART ? part : undefined;
  },
};
