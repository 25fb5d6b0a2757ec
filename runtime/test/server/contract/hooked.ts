/** A Durable Object whose feature answers POSTs of JSON, and records each call. */
import { DurableObject } from 'cloudflare:workers';
import * as Type from '../../../src/typebox.ts';
import { lumenizeRpcDO, RpcError } from '../../../src/server.ts';
import { callerOf } from '../../../src/server/base/caller.ts';
import {
  answerRequests,
  callOnce,
  type Feature,
  type RequestContext,
} from '../../../src/server/feature.ts';

function identityOf(request: Request): ReturnType<typeof callerOf> & { client?: string } {
  const key = request.headers.get('Idempotency-Key');
  return { ...callerOf(request), ...(key && { client: key }) };
}

async function answer(request: Request, target: RequestContext): Promise<Response> {
  const method = target.path;
  try {
    const args = await request.json<unknown[]>();
    const result = await callOnce(identityOf(request), target, { method, args });
    return Response.json({ result, caller: callerOf(request).caller });
  } catch (error) {
    const { code, message } = error as RpcError;
    return Response.json({ code, message }, { status: 400 });
  }
}

const jsonCalls: Feature = {
  name: 'json-calls',
  version: 1,
  request: answerRequests(identityOf, (request, context) =>
    request.method === 'POST' ? answer(request, context) : undefined,
  ),
};

class HookedImpl extends DurableObject<Env> {
  add(by: number): number {
    const sum = (this.ctx.storage.kv.get<number>('sum') ?? 0) + by;
    this.ctx.storage.kv.put('sum', sum);
    return sum;
  }

  async later(text: string): Promise<string> {
    await scheduler.wait(1);
    return text;
  }

  fail(): never {
    throw new RangeError('It failed');
  }

  override fetch(request: Request): Response {
    return new Response(`the class: ${request.method} ${new URL(request.url).pathname}`);
  }
}

export const Hooked = lumenizeRpcDO(
  HookedImpl,
  { add: [Type.Integer()], later: [Type.String()], fail: [] },
  { use: [{ '~feature': jsonCalls }], limits: { refusals: 20 } },
);
export type Hooked = InstanceType<typeof Hooked>;
