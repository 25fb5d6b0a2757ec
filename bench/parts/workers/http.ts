/** A counter behind the door for plain HTTP, and behind routes that are written by hand. */
import * as Type from '../../../runtime/src/typebox.ts';
import { routeHttpRequest } from '../../../runtime/src/http.ts';
import { lumenizeRpcDO, read } from '../../../runtime/src/server.ts';
import { StoredCounter } from '../cold/stored-counter.ts';

export const Counter = lumenizeRpcDO(StoredCounter, {
  increment: [Type.Optional(Type.Integer({ title: 'by', minimum: 1 }))],
  getValue: read(),
});

interface Env {
  COUNTER: DurableObjectNamespace<StoredCounter>;
}

/** Routes by hand. Each method has a route, which calls the method by native RPC. */
async function routeByHand(request: Request, { COUNTER }: Env): Promise<Response> {
  const [, , instance = '', method = ''] = new URL(request.url).pathname.split('/');
  const stub = COUNTER.getByName(decodeURIComponent(instance));
  if (method === 'getValue' && request.method === 'GET') {
    return Response.json(await stub.getValue());
  }
  if (method === 'increment' && request.method === 'POST') {
    const [by] = await request.json<[number]>();
    return Response.json(await stub.increment(by));
  }
  return new Response('Not found', { status: 404 });
}

/** Routes by `fetch` of the object, with the least code: it sends the frame of a call, and reads the frame of the answer. */
async function routeByFetch(request: Request, { COUNTER }: Env): Promise<Response> {
  const [, , instance = '', method = ''] = new URL(request.url).pathname.split('/');
  const args = request.method === 'POST' ? `,${await request.text()}` : '';
  const response = await COUNTER.getByName(decodeURIComponent(instance)).fetch(
    'https://object/call',
    {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: `[[1,"${method}"${args}]]`,
    },
  );
  const [[, result]] = await response.json<[[number, unknown]]>();
  return Response.json(result);
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith('/hand/')) return routeByHand(request, env);
    if (pathname.startsWith('/fetch/')) return routeByFetch(request, env);
    const response = await routeHttpRequest(request, env, { classes: { COUNTER: Counter } });
    return response ?? new Response('Not found', { status: 404 });
  },
};
