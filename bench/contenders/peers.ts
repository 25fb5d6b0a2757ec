/**
 * The contenders of the bench: the contenders of `npm run perf`, Cap'n Web with checked arguments, and peers that `npm
 * run perf` does not measure. Each peer is used as in its documentation.
 */
import { setTimeout } from 'node:timers/promises';
import { createTRPCClient, httpBatchLink } from '@trpc/client';
import { type Remote, wrap } from 'comlink';
import { connectDO, RPC } from 'rpc.do';
import { contenders as perfContenders } from '../../harness/counter-perf.ts';
import type { Contender } from '../../runtime/src/perf/contenders.ts';
import type { PerfConnection } from '../../runtime/src/perf/workloads.ts';
import { CAPNWEB, VALIDATED } from '../results/names.ts';
import type { Router } from './worker.ts';

/** The methods that each peer serves. */
interface Methods {
  increment(by?: number): Promise<number>;
  getValue(): Promise<number>;
  echo(value: unknown): Promise<unknown>;
}

const AWAKE_FLOOR = 'by hand, always awake';
const POST_FLOOR = 'by hand, POST';

const capnweb = perfContenders.find(({ name }) => name === CAPNWEB) as Contender;

/** Cap'n Web with capnweb-validate, by the same client. */
const validated: Contender = {
  ...capnweb,
  name: VALIDATED,
  about: 'with capnweb-validate: arguments are checked by their types',
  connect: (url, name) => capnweb.connect(`${url}/validated`, name),
};

export const contenders: readonly Contender[] = [...perfContenders, validated];

/** @throws Error if there is no contender of this name */
export function contenderOf(name: string): Contender {
  const found = contenders.find((one) => one.name === name);
  if (!found) throw new Error(`${name} is not a contender`);
  return found;
}

/** Returns the contenders with which a contender is compared: its floor, and Cap'n Web without and with checks. */
export function against(who: string): string[] {
  const { floor } = [...contenders, ...peers].find(({ name }) => name === who) ?? {};
  return [...(floor ? [floor] : []), CAPNWEB, VALIDATED];
}

export const peers: readonly Contender[] = [
  {
    // A reconnecting client loses its connection at the first heartbeat: see `heartbeatOfRpcDo`.
    name: 'rpc.do, WebSocket',
    about: 'rpc.do on a socket',
    role: 'rival',
    floor: AWAKE_FLOOR,
    isUnordered: true,
    connect: (url, name) => connectRpcDo(url, name, false),
  },
  {
    name: 'rpc.do, HTTP',
    about: 'rpc.do, a request for each call',
    role: 'rival',
    floor: POST_FLOOR,
    isConnectionless: true,
    connect: async (url, name) => rpcDo(RPC(`${url}/rpc.do/${name}`)),
  },
  {
    name: 'tRPC, batch link',
    about: 'tRPC, a request for the calls of a tick',
    role: 'rival',
    floor: POST_FLOOR,
    isConnectionless: true,
    connect: connectTrpc,
  },
  {
    name: 'Comlink, JSON on a WebSocket',
    about: 'Comlink on a socket',
    role: 'rival',
    floor: AWAKE_FLOOR,
    connect: connectComlink,
  },
];

function webSocket(url: string): string {
  return url.replace(/^http/, 'ws');
}

async function connectRpcDo(url: string, name: string, reconnect: boolean) {
  return rpcDo(await connectDO(`${webSocket(url)}/rpc.do/${name}`, { reconnect }));
}

/**
 * Checks that an rpc.do client with its default, reconnecting, works after its heartbeat. It sends a heartbeat every 30
 * seconds, and this check takes a little longer.
 *
 * @throws the error of the call after the heartbeat
 */
export async function heartbeatOfRpcDo(url: string): Promise<void> {
  const counter = await connectRpcDo(url, 'heartbeat', true);
  await counter.call('getValue', []);
  await setTimeout(32_000);
  await counter.call('getValue', []);
  counter.close();
}

/** rpc.do types its proxies as `any`. */
function rpcDo(api: unknown): PerfConnection {
  return methodsOf(api as Methods, () => void (api as { close(): unknown }).close());
}

async function connectTrpc(url: string, name: string): Promise<PerfConnection> {
  const api = createTRPCClient<Router>({ links: [httpBatchLink({ url: `${url}/trpc/${name}` })] });
  return methodsOf(
    {
      increment: (by) => api.increment.mutate(by),
      getValue: () => api.getValue.query(),
      echo: (value) => api.echo.mutate(value),
    },
    () => {},
  );
}

async function connectComlink(url: string, name: string): Promise<PerfConnection> {
  const socket = new WebSocket(`${webSocket(url)}/comlink/${name}`);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('close', ({ code }) => reject(new Error(`closed: ${code}`)));
  });
  const api: Remote<Methods> = wrap<Methods>({
    postMessage: (message) => socket.send(JSON.stringify(message)),
    addEventListener: (_, listener) =>
      socket.addEventListener('message', ({ data }) => {
        const event = { data: JSON.parse(data as string) } as MessageEvent;
        if ('handleEvent' in listener) listener.handleEvent(event);
        else listener(event);
      }),
    removeEventListener() {},
  });
  return methodsOf(api as unknown as Methods, () => socket.close());
}

function methodsOf(api: Methods, close: () => void): PerfConnection {
  return {
    call: (method, args) =>
      method === 'increment' ? api.increment(...(args as [number?])) : api.getValue(),
    echo: (value) => api.echo(value),
    close,
  };
}
