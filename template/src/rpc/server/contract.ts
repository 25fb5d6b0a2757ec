/**
 * The contract: which methods the wire may call, and what each argument must be. Schemas are
 * compiled when the class is defined, because the Workers runtime refuses to generate code later.
 * Imports TypeBox, argument-errors, keywords, limits and peer.
 */
import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { isThenable } from '../wire/tags.ts';
import { firstError, invalid } from './argument-errors.ts';
import { checkSchema, nearest } from './keywords.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';
import type { Peer, PeerLog } from './peer.ts';

/** A method's entry: a schema for each argument, or those with what else is to be said of it. */
type MethodContract = readonly TSchema[] | LongEntry;

interface LongEntry {
  readonly input: readonly TSchema[];
  /** The method changes nothing: it is not journaled, and may run again after a lost connection. */
  readonly readonly?: boolean;
  /**
   * Whoever subscribes to the method gets its value whenever it changes. The method is `readonly`,
   * returns no promise, and is run again after each turn in which one that is not `readonly` ran.
   */
  readonly live?: boolean;
}

export type Contract = Record<string, MethodContract>;

export interface ContractOptions {
  /** Replaces some of the default limits. */
  limits?: Partial<Limits>;
  /** Whether hibernating WebSockets are used, so that an idle object costs nothing. Default true. */
  hibernate?: boolean;
  /**
   * Whether the object remembers answers in its SQLite, so that a call which arrives twice runs
   * once. Costs one row written for each turn that ends calls of methods which are not `readonly`.
   * Without it a call whose connection is lost rejects with `DISCONNECTED`. Default true.
   */
  journal?: boolean;
  /**
   * Whether clients see all that a thrown error carries: its stack, its cause and its properties.
   * `false` sends its name, its message, and its `code` if that is text or a number. Default true.
   */
  exposeErrorDetails?: boolean;
  /**
   * Sees what a method threw; what it returns, unless `undefined`, is sent instead. If it throws
   * itself, that is reported on the console, and the client gets an error that says nothing.
   */
  onError?: (error: unknown, call: { method: string }) => unknown;
  /**
   * Shows calls, timings and frames on the console: `debug` of `debug/server.ts`, or any function
   * that makes a log for the other end of a connection. Default: nothing is shown.
   */
  debug?: (peer: Peer, instance: object) => PeerLog;
}

/** A contract ready for use: made by `compileContract`. */
export interface CompiledContract {
  readonly methods: ReadonlyMap<string, CompiledMethod>;
  readonly limits: Limits;
  readonly hibernate: boolean;
  readonly journal: boolean;
  readonly exposeErrorDetails: boolean;
  readonly onError: ContractOptions['onError'];
  readonly debug: ContractOptions['debug'];
  /** Whether any method is `live`. */
  readonly hasLive: boolean;
}

export interface CompiledMethod {
  readonly name: string;
  /** Changes nothing, so running it twice does no harm. */
  readonly readonly: boolean;
  /** Can be subscribed to. */
  readonly live: boolean;
  /** @throws RpcError `INVALID_ARGUMENTS` with the path to the first argument that does not fit */
  check(args: readonly unknown[]): void;
}

/** Called by the runtime, or meaning something else on a client or to a promise. */
const RESERVED = new Set([
  ...Object.getOwnPropertyNames(Object.prototype),
  ...'fetch alarm webSocketMessage webSocketClose webSocketError connect dup ctx env'.split(' '),
  ...'then catch finally close reconnect toJSON'.split(' '),
]);

/**
 * Compiles a contract. Call it at module scope: the Workers runtime generates code only there.
 *
 * @param contract - a list of schemas, or `{ input, readonly, live }`, for each method
 * @returns what `handleRpcRequest`, `handleRpcMessage` and `handleRpcClose` take
 * @throws TypeError for a method with a reserved name, an entry that is none, and a schema with a
 *   keyword, a type or a format that nothing would check
 * @example
 * const contract = compileContract({ increment: [Type.Optional(Type.Integer())] });
 */
export function compileContract(
  contract: Contract,
  options: ContractOptions = {},
): CompiledContract {
  const { limits, hibernate = true, journal = true, exposeErrorDetails = true } = options;
  const { onError, debug } = options;
  const methods = new Map<string, CompiledMethod>();
  for (const [name, entry] of Object.entries(contract)) {
    if (RESERVED.has(name)) {
      throw new TypeError(`The contract lists ${name}, a name that is reserved: rename the method`);
    }
    methods.set(name, compileMethod(name, longEntry(name, entry)));
  }
  return {
    methods,
    limits: { ...DEFAULT_LIMITS, ...limits },
    hibernate,
    journal,
    exposeErrorDetails,
    onError,
    debug,
    hasLive: [...methods.values()].some(({ live }) => live),
  };
}

const EXPECTED =
  'write [Type.Integer()], a schema for each parameter, or { input: [], readonly: true }';

/** An entry in its long form, with nothing in it that would be ignored. */
function longEntry(method: string, entry: unknown): Required<LongEntry> {
  const { input, readonly, live, ...others } = (
    Array.isArray(entry) ? { input: entry } : Object(entry)
  ) as Record<string, unknown>;
  const fail = (problem: string): never => {
    throw new TypeError(`The contract's entry for ${method} ${problem}`);
  };
  const [other] = Object.keys(others);
  const meant = other && nearest(other, ['input', 'readonly', 'live']);
  if (meant) fail(`has an unknown key ${other}: did you mean ${meant}?`);
  if (!Array.isArray(input)) return fail(`has no list of schemas: ${EXPECTED}`);
  if (other) fail(`has an unknown key ${other}: there are input, readonly and live`);
  for (const [key, value] of Object.entries({ readonly, live })) {
    if (![true, false, undefined].includes(value as boolean)) {
      fail(`has a ${key} of ${value}: write true or false`);
    }
  }
  if (live && !readonly) fail('is live and not readonly: write readonly: true beside it');
  return { input, readonly: readonly === true, live: live === true };
}

function compileMethod(
  name: string,
  { input: schemas, readonly, live }: Required<LongEntry>,
): CompiledMethod {
  for (const [index, schema] of schemas.entries()) {
    checkSchema(schema, `${name}: argument [${index}]`);
  }
  const validators = schemas.map((schema) => Compile(schema));
  const optional = schemas.map((schema) => '~optional' in schema);
  return {
    name,
    readonly,
    live,
    check(args) {
      if (args.length > validators.length) {
        const path = `[${validators.length}]`;
        throw invalid(name, path, `takes ${validators.length} arguments, got ${args.length}`);
      }
      for (let index = 0; index < validators.length; index++) {
        const value = args[index];
        if (value === undefined && optional[index]) continue;
        const validator = validators[index] as Validator;
        if (!validator.Check(value)) throw firstError(name, validator, value, `[${index}]`);
      }
    },
  };
}

type Method = (...args: unknown[]) => unknown;

/** From a method that checks its arguments to the one that it checks them for. */
const originals = new WeakMap<Method, Method>();

/**
 * A method that checks its arguments first, for callers that do not come by the wire.
 *
 * @param onRun - told of each run, before it and, if that is later, after it
 */
export function checked(
  method: Method,
  { check }: CompiledMethod,
  onRun?: (instance: object) => void,
): Method {
  const withCheck = function (this: object, ...args: unknown[]): unknown {
    check(args);
    onRun?.(this);
    const result = Reflect.apply(method, this, args);
    if (onRun && isThenable(result))
      void result.then(
        () => onRun(this),
        () => onRun(this),
      );
    return result;
  };
  originals.set(withCheck, method);
  return withCheck;
}

/** What `checked` was given, for a caller that has checked already; any other method as it is. */
export function unchecked(method: Method): Method {
  return originals.get(method) ?? method;
}
