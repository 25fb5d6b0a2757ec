/**
 * The usual parts of a scenario: a runtime, client processes that share one object, and a proxy for each process.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ChildProgram } from '../../harness/child-program.ts';
import { Proxy } from '../../harness/network-proxy.ts';
import { Runtime } from '../../harness/runtime.ts';
import { PATIENCE } from '../../harness/waiting.mjs';
import { median } from '../../runtime/src/perf/measure/statistics.ts';
import { createRpcClient } from '../../runtime/src/client.ts';
import type { ClientOrder, ClientReport, ClientSettings } from './client-process.ts';
import { answerTimes, judge, recoveries, type Verdict } from './evidence.ts';
import type { Victim } from '../faults.ts';
import type { Ledger } from '../objects/worker.ts';

/** A client process and its proxy. */
export interface Lane extends Victim {
  client: ClientProcess;
}

export interface FleetSettings extends Partial<ClientSettings> {
  lanes: number;
  seed: number;
  /** True if the clocks of the clients jump by hours, and the clock of the runtime by minutes. */
  jumpingClock?: boolean;
  /** True if an inspector can report the memory of the runtime. */
  inspected?: boolean;
  /** The transports of the lanes, in turn. By default, all lanes use a WebSocket. */
  transports?: readonly ('websocket' | 'http')[];
}

/** The transports of the clients in a part. Clients for one request always use POST. */
export const TRANSPORTS = {
  websocket: ['websocket'],
  http: ['http'],
  both: ['websocket', 'http'],
} as const;

/** @returns the parts of a scenario that runs over each transport */
export function transportParts(short: boolean): (keyof typeof TRANSPORTS)[] {
  return short ? ['both'] : ['websocket', 'http', 'both'];
}

/** The configuration of the Worker under torture. */
export const CONFIG = join(import.meta.dirname, '../objects/wrangler.jsonc');
const CLIENT_PROCESS = join(import.meta.dirname, 'client-process.ts');
const JUMPING_CLOCK = join(import.meta.dirname, '../jumping-clock.ts');

/** A process with clients. */
export class ClientProcess {
  readonly #child: ChildProgram<ClientOrder, ClientReport>;

  /** @param jumpingClock - true if its `Date` jumps by hours, back and forth */
  constructor(settings: ClientSettings, { jumpingClock = false } = {}) {
    const clock = jumpingClock ? ['--import', pathToFileURL(JUMPING_CLOCK).href] : [];
    this.#child = new ChildProgram(CLIENT_PROCESS, settings, clock);
  }

  /** Makes the clients call until `rest`. */
  work(): void {
    this.#child.tell('work');
  }

  /** Ends the work that `work` began. Resolves when every call has been answered or rejected. */
  rest(): Promise<ClientReport> {
    return this.#child.ask('rest');
  }

  /** Makes one call of each client. Resolves when all calls have been answered or rejected. */
  once(): Promise<ClientReport> {
    return this.#child.ask('once');
  }

  /** Closes the clients. The process remains. */
  close(): Promise<ClientReport> {
    return this.#child.ask('close');
  }

  /** Ends the process at once, as a crash does. */
  kill(): Promise<void> {
    return this.#child.kill();
  }
}

export class Fleet implements AsyncDisposable {
  readonly server: Runtime;
  readonly lanes: readonly Lane[];
  readonly instance: string;
  readonly binding: string;

  private constructor(
    server: Runtime,
    lanes: readonly Lane[],
    { instance, binding }: { instance: string; binding: string },
  ) {
    this.server = server;
    this.lanes = lanes;
    this.instance = instance;
    this.binding = binding;
  }

  static async start(settings: FleetSettings): Promise<Fleet> {
    const {
      lanes: count,
      seed,
      jumpingClock = false,
      inspected = false,
      transports,
      ...client
    } = settings;
    const { instance = 'shared', binding = 'LEDGER' } = client;
    const inject = jumpingClock ? [JUMPING_CLOCK] : [];
    const server = await Runtime.serve({ config: CONFIG, inject, inspected });
    const lanes = await Promise.all(
      Array.from({ length: count }, async (_, index): Promise<Lane> => {
        const proxy = await new Proxy(server.port).listen();
        const transport = transports?.[index % transports.length] ?? 'websocket';
        const options = { timeout: PATIENCE, transport, ...client.options, baseUrl: proxy.url };
        const own = { ...client, instance, binding, options, seed: seed + index };
        return { client: new ClientProcess(own, { jumpingClock }), proxy, faults: [] };
      }),
    );
    return new Fleet(server, lanes, { instance, binding });
  }

  /** Makes one call of each client. Resolves when all calls have ended. */
  once(): Promise<ClientReport[]> {
    return Promise.all(this.lanes.map(({ client }) => client.once()));
  }

  /** Makes the clients call until `rest`. Resolves when every client has got its first answer. */
  async work(): Promise<void> {
    await this.once();
    for (const { client } of this.lanes) client.work();
  }

  /** Lets every client end its calls. Returns the evidence of each client. */
  rest(): Promise<ClientReport[]> {
    return Promise.all(this.lanes.map(({ client }) => client.rest()));
  }

  /** Judges the evidence of the clients by the object's records, which a new client reads. */
  async verdict(reports: readonly ClientReport[]): Promise<Verdict> {
    await this.server.check();
    const url = this.server.url;
    using ledger = createRpcClient<Ledger>(this.binding, this.instance, { baseUrl: url });
    return judge(
      reports.flatMap(({ calls }) => calls),
      await allRows((after) => ledger.record(after)),
    );
  }

  /** Returns the milliseconds from each lane's faults to the end of the silence. */
  recovery(reports: readonly ClientReport[]): Record<string, number | string> {
    return recoveryOf(
      this.lanes.flatMap(({ faults }, index) =>
        recoveries(faults, answerTimes(reports[index]?.calls ?? [])),
      ),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.lanes.map(({ client }) => client.kill()));
    for (const { proxy } of this.lanes) proxy.close();
    await this.server.stop();
  }
}

/** @param times - the milliseconds from each fault to the end of the silence */
export function recoveryOf(times: readonly number[]): Record<string, number | string> {
  if (times.length === 0) return {};
  return {
    'recovered in ms, median': Math.round(median(times)),
    'recovered in ms, maximum': Math.round(Math.max(...times)),
  };
}

/**
 * Reads all rows of an object.
 *
 * @param pageAfter - reads a page of the rows after a row
 */
export async function allRows<Row extends { row: number }>(
  pageAfter: (row: number) => PromiseLike<readonly Row[]>,
): Promise<Row[]> {
  const all: Row[] = [];
  for (;;) {
    const page = await pageAfter(all.at(-1)?.row ?? 0);
    if (page.length === 0) return all;
    all.push(...page);
  }
}
