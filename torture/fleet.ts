/**
 * The usual cast of a scenario: a runtime, client processes that share one counter, and a proxy for
 * each of them. Imports harness/, clients, evidence, proxy and the template's client.
 */
import { join } from 'node:path';
import { Runtime } from '../harness/runtime.ts';
import { PATIENCE } from '../harness/waiting.mjs';
import { median } from '../template/perf/statistics.ts';
import type { Counter } from '../template/src/counter.ts';
import { createRpcClient } from '../template/src/rpc/client.ts';
import type { ClientReport, ClientSettings } from './client-process.ts';
import { ClientProcess, JUMPING_CLOCK } from './clients.ts';
import { judge, recoveries, type Verdict } from './evidence.ts';
import { Proxy } from './proxy.ts';

/** A client process and the proxy before it. */
export interface Lane {
  client: ClientProcess;
  proxy: Proxy;
  /** When it was hurt, on the clock of `now()`. */
  faults: number[];
}

export interface FleetSettings extends Partial<ClientSettings> {
  lanes: number;
  seed: number;
  jumpingClock?: boolean;
}

const CONFIG = join(import.meta.dirname, '../template/wrangler.jsonc');

export class Fleet implements AsyncDisposable {
  readonly server: Runtime;
  readonly lanes: readonly Lane[];
  readonly instance: string;

  private constructor(server: Runtime, lanes: readonly Lane[], instance: string) {
    this.server = server;
    this.lanes = lanes;
    this.instance = instance;
  }

  static async start(settings: FleetSettings): Promise<Fleet> {
    const { lanes: count, seed, jumpingClock = false, ...client } = settings;
    const instance = client.instance ?? 'shared';
    const inject = jumpingClock ? [JUMPING_CLOCK] : [];
    const server = await Runtime.serve({ config: CONFIG, inject });
    const lanes = await Promise.all(
      Array.from({ length: count }, async (_, index): Promise<Lane> => {
        const proxy = await new Proxy(server.port).listen();
        const options = { timeout: PATIENCE, ...client.options, baseUrl: proxy.url };
        const own = { ...client, instance, options, seed: seed + index };
        return { client: new ClientProcess(own, { jumpingClock }), proxy, faults: [] };
      }),
    );
    return new Fleet(server, lanes, instance);
  }

  /** One call of each client. Resolves when all have ended. */
  once(): Promise<ClientReport[]> {
    return Promise.all(this.lanes.map(({ client }) => client.once()));
  }

  /** Resolves when every client has been answered once; from then on they call without end. */
  async work(): Promise<void> {
    await this.once();
    for (const { client } of this.lanes) client.work();
  }

  /** Lets every client end its calls, and tells what each saw. */
  rest(): Promise<ClientReport[]> {
    return Promise.all(this.lanes.map(({ client }) => client.rest()));
  }

  /** Judges what the clients saw by what the counter says to somebody new. */
  async verdict(reports: readonly ClientReport[]): Promise<Verdict> {
    await this.server.check();
    const url = this.server.url;
    using counter = createRpcClient<Counter>('COUNTER', this.instance, { baseUrl: url });
    return judge(reports, await counter.getValue());
  }

  /** Milliseconds from each lane's faults to its next answer. */
  recovery(reports: readonly ClientReport[]): Record<string, number | string> {
    const times = this.lanes.flatMap(({ faults }, index) =>
      recoveries(faults, reports[index]?.answeredAt.toSorted((a, b) => a - b) ?? []),
    );
    if (times.length === 0) return {};
    return {
      'recovered in ms, median': Math.round(median(times)),
      'recovered in ms, most': Math.round(Math.max(...times)),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.lanes.map(({ client }) => client.kill()));
    for (const { proxy } of this.lanes) proxy.close();
    await this.server.stop();
  }
}
