/** An object that returns its reports. Its Worker has no compatibility flags, and no tool wraps its class. */
import { DurableObject } from 'cloudflare:workers';
import { prepareAlarm } from '../../../../src/server/base/shared-alarm.ts';
import { lumenizeRpcDO, reportCalls, routeDORequest } from '../../../../src/server.ts';

interface TestEnv {
  COUNTED: DurableObjectNamespace<Counted>;
}

/** The reports of all objects. */
const reports: string[] = [];

class CountedImpl extends DurableObject<TestEnv> {
  #count = 0;

  constructor(ctx: DurableObjectState, env: TestEnv) {
    super(ctx, env);
    // A relay shares the alarm in this way.
    prepareAlarm(this);
  }

  override alarm(): void {
    this.add();
  }

  add(): number {
    return ++this.#count;
  }

  addTwice(): number {
    this.add();
    return this.add();
  }

  async addLater(): Promise<number> {
    this.add();
    await scheduler.wait(1);
    return this.add();
  }

  async plan(): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now());
  }

  /** Calls itself as another object would. */
  async addByStub(): Promise<number> {
    return this.env.COUNTED.getByName(this.ctx.id.name ?? '').add();
  }
}

export const Counted = lumenizeRpcDO(
  CountedImpl,
  { add: [], addTwice: [], addLater: [], addByStub: [], plan: [] },
  {
    onCall: reportCalls(
      () =>
        ({ kind, method }) =>
          void reports.push(`${kind} ${method}`),
    ),
  },
);
export type Counted = InstanceType<typeof Counted>;

const METHODS = ['add', 'addTwice', 'addLater', 'addByStub', 'plan'] as const;

/** The settings of the engine that applications and their tools change, by the query of a request. */
const SETTINGS: Readonly<Record<string, object>> = {
  '?no-stack': { stackTraceLimit: 0 },
  '?own-stack': { prepareStackTrace: (_: Error, sites: object[]) => sites },
};

export default {
  /** Calls the method `/<method>` by native RPC, and responds with the reports of the call. */
  async fetch(request: Request, env: TestEnv): Promise<Response> {
    const routed = await routeDORequest(request, env);
    if (routed) return routed;
    const { pathname, search } = new URL(request.url);
    const method = METHODS.find((name) => pathname === `/${name}`);
    const { stackTraceLimit, prepareStackTrace } = Error as unknown as Record<string, unknown>;
    Object.assign(Error, SETTINGS[search]);
    try {
      if (method) await env.COUNTED.getByName(method)[method]();
    } finally {
      Object.assign(Error, { stackTraceLimit, prepareStackTrace });
    }
    return Response.json(reports.splice(0));
  },
};
