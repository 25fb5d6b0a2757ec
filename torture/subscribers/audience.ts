/** The subscribers of a fleet's object: processes, each behind a proxy of its own. */
import { join } from 'node:path';
import { ChildProgram } from '../../harness/child-program.ts';
import { Proxy } from '../../harness/network-proxy.ts';
import { createRpcClient, type RpcClientOptions } from '../../runtime/src/client.ts';
import type { Announcement } from '../objects/announcer.ts';
import { recoveries } from '../clients/evidence.ts';
import { allRows, type Fleet, recoveryOf } from '../clients/fleet.ts';
import type { Victim } from '../faults.ts';
import { type Hearing, type HearingEvidence, judgeHearing } from './hearing.ts';
import type { Habit, SubscriberOrder, SubscriberSettings } from './subscriber-process.ts';
import type { Announcer } from '../objects/worker.ts';

const SUBSCRIBER_PROCESS = join(import.meta.dirname, 'subscriber-process.ts');

/** The maximum number of sent bytes before a cut: a handshake and some acknowledgements. */
const UP_MOST = 800;

/** The maximum time of a timer, in milliseconds. */
export const NEVER = 2 ** 31 - 1;

interface Seat extends Victim {
  habit: Habit;
  subscriber: ChildProgram<SubscriberOrder, HearingEvidence>;
}

export class Audience implements AsyncDisposable {
  readonly seats: readonly Seat[];
  readonly #fleet: Fleet;

  private constructor(seats: readonly Seat[], fleet: Fleet) {
    this.seats = seats;
    this.#fleet = fleet;
  }

  /** Resolves when all subscribers have subscribed. The object may announce no event before. */
  static async gather(
    fleet: Fleet,
    {
      habits,
      seed,
      options,
    }: { habits: readonly Habit[]; seed: number; options?: RpcClientOptions },
  ): Promise<Audience> {
    const { instance, server } = fleet;
    const seats = await Promise.all(
      habits.map(async (habit, index): Promise<Seat> => {
        const proxy = await new Proxy(server.port).listen();
        const settings: SubscriberSettings = {
          instance,
          options: {
            ...options,
            ...(habit === 'held' && { heartbeat: NEVER }),
            baseUrl: proxy.url,
          },
          habit,
          seed: seed + index,
        };
        const subscriber: Seat['subscriber'] = new ChildProgram(SUBSCRIBER_PROCESS, settings);
        return { habit, subscriber, proxy, faults: [], upMost: UP_MOST };
      }),
    );
    await Promise.all(seats.map(({ subscriber }) => subscriber.ask('ready')));
    return new Audience(seats, fleet);
  }

  /** Judges the events of all subscribers, after the last announcement has arrived everywhere. */
  async verdict(): Promise<{ log: Announcement[]; hearings: Hearing[]; recovery: object }> {
    const log = await announcementsOf(this.#fleet);
    const total = log.at(-1)?.row ?? 0;
    const reports = await Promise.all(this.seats.map(({ subscriber }) => subscriber.ask(total)));
    await this.#fleet.server.check();
    // Only subscribers that listen all the time count.
    const times = this.seats.flatMap(({ habit, faults }, index) =>
      habit === 'steady' || habit === 'slow' ? recoveries(faults, reports[index]?.times ?? []) : [],
    );
    return {
      log,
      hearings: reports.map((report) => judgeHearing(report, log)),
      recovery: recoveryOf(times),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.seats.map(({ subscriber }) => subscriber.kill()));
    for (const { proxy } of this.seats) proxy.close();
  }
}

/** Reads the object's record of its announcements. */
export async function announcementsOf({ instance, server }: Fleet): Promise<Announcement[]> {
  using reader = createRpcClient<Announcer>('ANNOUNCER', instance, { baseUrl: server.url });
  return await allRows((after) => reader.announced(after));
}
