/** The Worker under test: an object whose calls are spans of the platform. */
import { DurableObject, tracing as platform } from 'cloudflare:workers';
import { lumenizeRpcDO, routeDORequest, tracing } from '../../../../src/server.ts';
import * as Type from '../../../../src/typebox.ts';

class DeskImpl extends DurableObject<Env> {
  write(text: string): string {
    return text;
  }

  fail(): never {
    throw new RangeError('It failed');
  }

  async later(): Promise<void> {
    await scheduler.wait(1);
    platform.enterSpan('inside', () => {});
  }

  async plan(): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now());
  }

  override alarm(): void {}
}

export const Desk = lumenizeRpcDO(
  DeskImpl,
  { write: [Type.String()], fail: [], later: [], plan: [] },
  { use: [tracing] },
);
export type Desk = InstanceType<typeof Desk>;

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    return (await routeDORequest(request, env)) ?? new Response('Not found', { status: 404 });
  },
};
