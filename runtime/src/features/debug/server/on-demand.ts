/** Prints debug output of an object, or of one of its clients, while the application has switched it on. */
import {
  type Connection,
  contractOf,
  type Feature,
  type Featured,
  kvOf,
  perObject,
} from '../../../server/feature.ts';
import { objectNameOf } from '../../../wire/object-name.ts';
import { shownClient } from '../../../wire/shown-client.ts';
import { HIDDEN, type LogOptions } from '../wire/frame-log.ts';
import { logOf } from './connection-log.ts';

/** The storage key of the clients that are shown, and of the time until which they are shown. */
const KEY = '__rpc_debug';

const NAME = 'debug on demand';

/** The maximum time in minutes: one day. */
const MAX_MINUTES = 1_440;

/** The options of `debugOnDemand`. */
export interface DebugOnDemandOptions<Caller> extends LogOptions {
  /**
   * Returns the value to print in place of a value, or `undefined` to print what is printed by default. Values are the
   * arguments of a call, its result or its error, an event, and the text of a frame. Default: values are not printed,
   * and of an error only the name and the `code`.
   */
  redact?: LogOptions['redact'];
  /** Returns a name for the caller that a hook named with `withCaller`, for the option `caller` of `debugFor`. */
  callerName?: ((caller: Caller | undefined) => string | undefined) | undefined;
}

/** The options of `debugFor`. */
export interface DebugForOptions {
  /** The time to print, in minutes: more than 0 and at most 1 440. With 0, the output ends now. */
  minutes: number;
  /**
   * The beginning of the id of the only client to show, such as `client` in a report. Default: all clients are shown.
   */
  client?: string | undefined;
  /** The name of the only caller to show, as `callerName` returns it. Default: all callers are shown. */
  caller?: string | undefined;
}

interface Stored extends Omit<DebugForOptions, 'minutes'> {
  /** The time of `Date.now()` when the output ends. */
  readonly until: number;
}

/** The clients of an object that are shown, which are stored with the object. */
class Shown {
  readonly #instance: object;
  #stored: Stored | undefined;

  constructor(instance: object) {
    this.#instance = instance;
    try {
      this.#stored = kvOf(instance).get<Stored>(KEY);
    } catch {
      // The object has no SQLite, so the output ends when the object hibernates.
    }
  }

  get current(): Stored | undefined {
    if (this.#stored && this.#stored.until <= Date.now()) this.set(undefined);
    return this.#stored;
  }

  set(stored: Stored | undefined): void {
    const hasChanged = stored ?? this.#stored;
    this.#stored = stored;
    if (!hasChanged) return;
    try {
      if (stored) kvOf(this.#instance).put(KEY, stored);
      else kvOf(this.#instance).delete(KEY);
    } catch {
      // The object has no SQLite: see above.
    }
  }
}

const shownOf = /* @__PURE__ */ perObject((instance: object) => new Shown(instance));

/**
 * Lets `debugFor` show what the clients of one object do, in production too. Nothing is printed until `debugFor` is
 * called.
 *
 * @param options - `redact` and `callerName`; and `print`, which prints a line, by default with `console.log`
 * @returns the feature for the option `use`
 * @example
 * export const Room = lumenizeRpcDO(RoomImpl, contract, {
 *   use: [debugOnDemand({ redact: (value, { kind }) => (kind === 'arguments' ? value : undefined) })],
 * });
 */
export function debugOnDemand<Caller = unknown>({
  redact,
  callerName,
  print,
}: DebugOnDemandOptions<Caller> = {}): Featured {
  const isShown = ({ client = '', caller }: Connection, shown: Stored): boolean =>
    client.startsWith(shown.client ?? '') &&
    (shown.caller === undefined || callerName?.(caller as Caller) === shown.caller);
  const shownValue: LogOptions['redact'] = (value, what) => {
    const chosen = redact?.(value, what);
    return chosen === undefined ? hide(value) : chosen;
  };
  const feature: OnDemand = {
    name: NAME,
    version: 1,
    namesCallers: callerName !== undefined,
    onFrame(direction, frame, connection, instance) {
      const shown = shownOf(instance).current;
      if (shown && isShown(connection, shown))
        logOf(connection, instance, { redact: shownValue, print })[direction](frame);
    },
    inspect: (instance) => ({ debugUntil: shownOf(instance).current?.until }),
  };
  return { '~feature': feature };
}

interface OnDemand extends Feature {
  readonly namesCallers: boolean;
}

function hide(value: unknown): unknown {
  if (!(value instanceof Error)) return HIDDEN;
  const { code } = value as { code?: unknown };
  return Symbol(typeof code === 'string' ? `${value.name} ${code}` : value.name);
}

/**
 * Prints frames and calls of one object for a limited time, of all its clients or of one client or caller. The output
 * continues after the object has hibernated, and ends by itself. Call it in a method that only you can call, because
 * arguments and results may be secrets, if `redact` shows them.
 *
 * @param instance - the object, whose class has `use: [debugOnDemand()]`
 * @param options - `minutes`, `client` and `caller`
 * @throws RangeError for a number of minutes that is not from 0 to 1 440; TypeError for a class without `debugOnDemand`,
 *   and for `caller` without `callerName`
 * @example
 * debug(minutes: number, user?: string): void {
 *   if (currentCaller<Caller>()?.role !== 'operator') throw new Error('Only operators may do this');
 *   debugFor(this, { minutes, caller: user });
 * }
 */
export function debugFor(instance: object, { minutes, client, caller }: DebugForOptions): void {
  const { features = [] } = contractOf(instance) ?? {};
  const feature = features.find(({ name }) => name === NAME) as OnDemand | undefined;
  const { class: name } = objectNameOf(instance);
  if (!feature) {
    throw new TypeError(`${name} cannot show frames: add use: [debugOnDemand()] to its options`);
  }
  if (caller !== undefined && !feature.namesCallers) {
    throw new TypeError('debugFor needs names of callers: add callerName to debugOnDemand({ … })');
  }
  if (!(minutes >= 0 && minutes <= MAX_MINUTES)) {
    throw new RangeError(`debugFor takes 0 to ${MAX_MINUTES} minutes, got ${minutes}`);
  }
  // Reports only have the first characters of an id, so `client` can be the beginning of an id.
  const shown = client === undefined ? undefined : shownClient(client);
  const until = Date.now() + minutes * 60_000;
  shownOf(instance).set(minutes > 0 ? { until, client: shown, caller } : undefined);
}
