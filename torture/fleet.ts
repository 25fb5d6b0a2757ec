/**
 * The usual parts of a scenario: a runtime, client processes that share one object, and a proxy for each process.
 */
import { join } from 'node:path';
import { Runtime } from '../harness/runtime.ts';
import { PATIENCE } from '../harness/waiting.mjs';
import { median } from '../runtime/src/perf/measure/statistics.ts';
import { createRpcClient } from '../runtime/src/client.ts';
import type { ClientReport, ClientSettings } from './client-process.ts';
import { ClientProcess } from './clients.ts';
import { answerTimes, judge, recoveries, type RunRecord, type Verdict } from './evidence.ts';
import { Proxy } from '../harness/network-proxy.ts';
import type { Ledger } from './worker.ts';

/** A proxy, and the times of faults of its clients, on the clock of `now()`. */
export interface Victim {
  proxy: Proxy;
  faults: number[];
  /** Most bytes that go up before a cut, for clients that send little. */
  upMost?: number;
}

/** A client process and its proxy. */
export interface Lane extends Victim {
  client: ClientProcess;
}

export interface FleetSettings extends Partial<ClientSettings> {
  lanes: number;
  seed: number;
  /** Whether the clients' clocks jump by hours, and the runtime's by minutes. */
  jumpingClock?: boolean;
  /** Whether an inspector can report the memory of the runtime. */
  inspected?: boolean;
  /** Transports of the lanes, in turn. Default WebSocket for all. */
  transports?: readonly ('websocket' | 'http')[];
}

/** Transports of the clients in a part. Clients for one request always use POST. */
export const TRANSPORTS = {
  websocket: ['websocket'],
  http: ['http'],
  both: ['websocket', 'http'],
} as const;

/** Configuration of the Worker under torture. */
export const CONFIG = join(import.meta.dirname, 'wrangler.jsonc');
const SKEWED_CLOCK = join(import.meta.dirname, 'skewed-clock.ts');

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
    const inject = jumpingClock ? [SKEWED_CLOCK] : [];
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

  /** Makes one call of each client. Resolves when all have ended. */
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
    const record: RunRecord[] = [];
    for (;;) {
      const page = await ledger.record(record.at(-1)?.row ?? 0);
      if (page.length === 0) break;
      record.push(...page);
    }
    return judge(
      reports.flatMap(({ calls }) => calls),
      record,
    );
  }

  /** Milliseconds from each lane's faults to the end of the silence. */
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

/** @param times - milliseconds from each fault to the end of the silence */
export function recoveryOf(times: readonly number[]): Record<string, number | string> {
  if (times.length === 0) return {};
  return {
    'recovered in ms, median': Math.round(median(times)),
    'recovered in ms, maximum': Math.round(Math.max(...times)),
  };
}
