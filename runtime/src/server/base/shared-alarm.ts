/**
 * Shares the alarm of an object between its class and a feature that has to be woken, because an object has only one
 * alarm. While the alarm is shared, the methods of the storage set, read and delete the alarm of the class, whose time
 * is stored here. The object's alarm is the earlier of the two.
 */
import { kvOf } from './key-values.ts';

/**
 * The key under which the time of the class's alarm is stored while the alarm is shared. The value is `null` if the class
 * has set no alarm.
 */
const KEY = '__rpc_relay_alarm';

/**
 * The time after which the object is woken, in milliseconds. Setting an alarm writes a row, so the alarm is only moved
 * after half of this time.
 */
const WAKE_AFTER = 60_000;

/** The number of times that the runtime retries an alarm that has failed. */
const RETRIES = 6;

type Alarm = (info?: AlarmInvocationInfo) => unknown;

interface WithAlarm {
  readonly ctx: DurableObjectState;
  alarm?: Alarm;
}

/** The alarms that are shared, by their objects. An object whose alarm is prepared has an entry. */
const alarms = new WeakMap<object, SharedAlarm | undefined>();

/**
 * Lets the alarm of an object be shared later. The runtime looks for the method `alarm` when the constructor has run,
 * so call this before the constructor ends.
 *
 * @returns whether a feature needed the alarm when the object was last in memory
 */
export function prepareAlarm(instance: object): boolean {
  const object = instance as WithAlarm;
  const { alarm } = object;
  if (alarm && !alarms.has(object)) useAlarm(object, alarm);
  return !!storedIn(object);
}

/** Returns the shared alarm of an object; `undefined` for an object without a storage that can set alarms. */
export function sharedAlarmOf(instance: object): SharedAlarm | undefined {
  const object = instance as WithAlarm;
  if (storedIn(object) === null) return undefined;
  if (!alarms.has(object)) useAlarm(object, object.alarm);
  const shared = alarms.get(object) ?? new SharedAlarm(object);
  alarms.set(object, shared);
  return shared;
}

function useAlarm(instance: WithAlarm, alarm: Alarm | undefined): void {
  alarms.set(instance, undefined);
  instance.alarm = (info) => {
    const shared = alarms.get(instance);
    return shared ? shared.ring(info, alarm) : alarm?.call(instance, info);
  };
}

/** Returns the value stored under `KEY`; `null` for a class without SQLite, whose storage throws when it is read. */
function storedIn({ ctx }: Partial<WithAlarm>): unknown {
  try {
    const kv = ctx?.storage?.kv;
    return kv ? kv.get(KEY) : null;
  } catch {
    return null;
  }
}

export class SharedAlarm {
  readonly #instance: WithAlarm;
  readonly #storage: Pick<DurableObjectStorage, 'getAlarm' | 'setAlarm' | 'deleteAlarm'>;
  /** The time at which the object is to be woken; 0 if it need not be. */
  #wakeAt = 0;
  /** The number of times that the class has changed its alarm. */
  #changes = 0;
  /** True if the class's alarm runs, or the runtime will try it again. */
  #isRinging = false;

  constructor(instance: WithAlarm) {
    this.#instance = instance;
    const { storage } = instance.ctx;
    const of = (name: 'getAlarm' | 'setAlarm' | 'deleteAlarm' | 'deleteAll' | 'transaction') =>
      storage[name].bind(storage) as never;
    this.#storage = {
      getAlarm: of('getAlarm'),
      setAlarm: of('setAlarm'),
      deleteAlarm: of('deleteAlarm'),
    };
    const deleteAll: DurableObjectStorage['deleteAll'] = of('deleteAll');
    const transaction: DurableObjectStorage['transaction'] = of('transaction');
    const replaced = {
      getAlarm: async () => {
        const own = this.#own;
        return own === undefined
          ? this.#storage.getAlarm()
          : this.#isRinging && isPast(own)
            ? null
            : own;
      },
      setAlarm: async (time: number | Date, options?: DurableObjectSetAlarmOptions) => {
        this.#changes++;
        const isShared = this.#own !== undefined;
        const set = this.#storage.setAlarm(isShared ? this.#earlier(Number(time)) : time, options);
        if (isShared) this.#own = Number(time);
        return set;
      },
      deleteAlarm: async (options?: DurableObjectSetAlarmOptions) => {
        this.#changes++;
        if (this.#own === undefined) return this.#storage.deleteAlarm(options);
        this.#own = null;
        return this.#apply();
      },
    };
    Object.assign(storage, replaced, {
      transaction: (run: (transaction: object) => Promise<unknown>) =>
        transaction((opened) => run(Object.assign(opened, replaced))),
      deleteAll: async (options?: DurableObjectPutOptions) => {
        const own = this.#own;
        await deleteAll(options);
        if (own === undefined) return;
        // The compatibility date decides whether `deleteAll` deletes the alarm, too.
        this.#own = (await this.#storage.getAlarm()) === null ? null : own;
        return this.#apply();
      },
    });
  }

  /** Wakes the object in a minute, unless this method is called again before. */
  async putOff(): Promise<void> {
    const now = Date.now();
    if (now < this.#wakeAt - WAKE_AFTER / 2) return;
    this.#wakeAt = now + WAKE_AFTER;
    let [own, seen] = [this.#own, -1];
    while (own === undefined || (seen >= 0 && seen !== this.#changes)) {
      seen = this.#changes;
      own = await this.#storage.getAlarm();
    }
    // The sharing may have ended during the wait.
    if (this.#wakeAt === 0) return;
    if (seen >= 0) this.#own = own;
    if (!this.#isRinging) await this.#apply();
  }

  /** Leaves the alarm to the class. */
  async end(): Promise<void> {
    this.#wakeAt = 0;
    if (this.#own === undefined) return;
    const applied = this.#isRinging ? undefined : this.#apply();
    kvOf(this.#instance).delete(KEY);
    await applied;
  }

  /** The time of the class's alarm; `undefined` while it is the object's alarm. */
  get #own(): number | null | undefined {
    return kvOf(this.#instance).get<{ own: number | null }>(KEY)?.own;
  }

  set #own(own: number | null) {
    kvOf(this.#instance).put(KEY, { own });
  }

  #earlier(own: number | null): number {
    return Math.min(own ?? Infinity, this.#wakeAt || Infinity);
  }

  async #apply(): Promise<void> {
    const time = this.#earlier(this.#own ?? null);
    await (time === Infinity ? this.#storage.deleteAlarm() : this.#storage.setAlarm(time));
  }

  /** Called when the object's alarm rings. It runs the alarm of the class if that is due. */
  async ring(info: AlarmInvocationInfo | undefined, alarm: Alarm | undefined): Promise<void> {
    const own = this.#own;
    const now = Math.max(Date.now(), info?.scheduledTime ?? 0);
    // The object is awake now, so the next wake-up is a minute from now.
    if (this.#wakeAt > 0 && this.#wakeAt <= now) this.#wakeAt = now + WAKE_AFTER;
    // Only a test rings the alarm without `info`.
    if (!info || own === undefined || (own !== null && own <= now)) {
      this.#isRinging = true;
      try {
        await alarm?.call(this.#instance, info);
      } catch (error) {
        // The runtime retries the alarm, which is due then.
        if (this.#own === null) this.#own = now;
        if ((info?.retryCount ?? 0) < RETRIES) throw error;
        console.error(error);
      }
      this.#isRinging = false;
      if (this.#own === own && own !== undefined) this.#own = null;
    }
    // A wake-up from before the object was evicted is only needed if subscribers come back.
    if (this.#own !== undefined) await (this.#wakeAt === 0 ? this.end() : this.#apply());
  }
}

function isPast(time: number | null): boolean {
  return time !== null && time <= Date.now();
}
