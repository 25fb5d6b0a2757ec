/**
 * The contenders that are measured, one entry each. All have the same few methods, so that the measuring
 * code does not depend on how a call travels. To add a contender, add an entry.
 */
import type * as Capnweb from 'capnweb';
import { bytes } from '../features/bytes/client/bytes.ts';
import type { RpcClient } from '../client/client-types.ts';
import { createRpcClient, type RpcClientOptions } from '../client/proxy.ts';
import { subscribe } from '../features/subscriptions/client/subscribe.ts';
import { Audience } from './contenders/audience.ts';
import { connectByHand, postByHand } from './contenders/by-hand.ts';
import type { CapnwebMethods } from './contenders/capnweb.ts';
import type { AddedMethods } from './contenders/measured-class.ts';
import type { PerfConnection } from './workloads.ts';

export interface Contender {
  readonly name: string;
  /** Short description, at most half a line. */
  readonly about: string;
  /** The name of the floor. The time of this contender is divided by the time of the floor, round by round. */
  readonly floor?: string;
  /**
   * The role of the contender; undefined for this project's RPC. Other contenders are compared with a floor. A rival is
   * another RPC.
   */
  readonly role?: 'floor' | 'rival';
  /** True if `npm run perf` measures the contender only with `--all`. */
  readonly isExtra?: boolean;
  /** True if each call is a request, so that there is no connection to open. */
  readonly isConnectionless?: boolean;
  /** True if concurrent calls of one connection can run in another order than the calls were made in. */
  readonly isUnordered?: boolean;
  /**
   * @param url - the address of the runtime, without a slash at its end
   * @param name - the name of an object that only this contender uses
   */
  connect(url: string, name: string): Promise<PerfConnection>;
}

/** A method of a client, found by its name. */
type Call = (...args: unknown[]) => Promise<unknown>;

/** The rival that this RPC is compared with, beside its floors. */
export const CAPNWEB = "Cap'n Web";
const HIBERNATING_FLOOR = 'by hand, hibernating';
const AWAKE_FLOOR = 'by hand, always awake';
const POST_FLOOR = 'by hand, POST';

/**
 * Returns the contenders. Each has the floor of its own kind: hibernating, always awake, or a POST for each call.
 *
 * @param capnweb - the package, which not every project has installed
 */
export function contendersFor(capnweb: typeof Capnweb): readonly Contender[] {
  const thisRpc = (
    name: string,
    about: string,
    floor: string,
    binding: string,
    options?: RpcClientOptions,
  ): Contender => ({
    name,
    about,
    floor,
    connect: async (baseUrl, instance) =>
      connectThisRpc(binding, instance, { baseUrl, ...options }),
  });
  const byHand = (
    name: string,
    about: string,
    binding: string,
    connect: typeof postByHand | typeof connectByHand = connectByHand,
  ): Contender => ({
    name,
    about,
    role: 'floor',
    connect: async (url, instance) => connect(`${url}/${binding}/${encodeURIComponent(instance)}`),
  });
  return [
    thisRpc('this RPC', 'a socket that hibernates', HIBERNATING_FLOOR, 'COUNTER'),
    // With an empty prefix, the Worker's own `fetch` routes each request to the class's own `fetch`.
    {
      ...thisRpc(
        'this RPC, own fetch',
        'in a class with its own fetch method: should be as fast',
        HIBERNATING_FLOOR,
        'MANUAL',
        { prefix: '' },
      ),
      isExtra: true,
    },
    {
      ...thisRpc('this RPC, no journal', 'may run a call twice', HIBERNATING_FLOOR, 'UNJOURNALED'),
      isExtra: true,
    },
    {
      ...thisRpc('this RPC, bytes', 'bytes travel as bytes', HIBERNATING_FLOOR, 'COUNTER', {
        bytes,
      }),
      isExtra: true,
    },
    {
      ...thisRpc('this RPC, always awake', 'its object never hibernates', AWAKE_FLOOR, 'AWAKE'),
      isExtra: true,
    },
    {
      ...thisRpc('this RPC, POST', 'a request for each call', POST_FLOOR, 'COUNTER', {
        transport: 'http',
      }),
      isConnectionless: true,
    },
    {
      name: CAPNWEB,
      about: 'another library; its object never hibernates',
      role: 'rival',
      floor: AWAKE_FLOOR,
      connect: async (url, name) => connectCapnweb(capnweb, url, name),
    },
    byHand(HIBERNATING_FLOOR, 'JSON on a socket that hibernates', 'HIBERNATING_FLOOR'),
    byHand(AWAKE_FLOOR, 'JSON on a socket; its object never hibernates', 'PLAIN_FLOOR'),
    {
      ...byHand(POST_FLOOR, 'JSON in a request for each call', 'POST_FLOOR', postByHand),
      isConnectionless: true,
    },
  ];
}

function connectThisRpc(
  binding: string,
  instance: string,
  options: RpcClientOptions,
): PerfConnection {
  const open = (object: string) => createRpcClient<AddedMethods>(binding, object, options);
  const object = open(instance);
  const methods = object as unknown as Record<string, Call>;
  let speaker: RpcClient<AddedMethods> | undefined;
  const audience = new Audience({
    listen: (onEvent, onLost) => listen(open(`${instance}-audience`), onEvent, onLost),
    say: (event) => (speaker ??= open(`${instance}-audience`)).perfAnnounce(event),
  });
  return {
    echo: (value) => object.perfEcho(value),
    echoPlain: (value) => object.perfEchoPlain(value),
    book: () => object.perfBook(),
    call: (method, args) => (methods[method] as Call)(...args),
    // A client that uses POST receives no events.
    ...(options.transport !== 'http' && {
      tell: (listeners: number) => audience.tell(listeners),
    }),
    close() {
      object.close();
      speaker?.close();
      void audience.close();
    },
  };
}

async function listen(
  client: RpcClient<AddedMethods>,
  onEvent: (event: unknown) => void,
  onLost: (error: unknown) => void,
): Promise<RpcClient<AddedMethods>> {
  const run = async (): Promise<void> => {
    for await (const event of subscribe(client).perfEvents()) onEvent(event);
  };
  // The loop rejects when its client is closed.
  run().catch(onLost);
  try {
    // The object handles the frames of a connection in order, so it has the subscription by then.
    await client.perfEcho(0);
    return client;
  } catch (error) {
    client.close();
    throw error;
  }
}

function connectCapnweb(
  { newWebSocketRpcSession }: typeof Capnweb,
  url: string,
  name: string,
): PerfConnection {
  const target = `${url.replace(/^http/, 'ws')}/CAPNWEB/${encodeURIComponent(name)}`;
  const api = newWebSocketRpcSession<CapnwebMethods>(target);
  const methods = api as unknown as Record<string, Call>;
  const room = `${target}-audience`;
  let speaker: typeof api | undefined;
  const audience = new Audience({
    async listen(onEvent, onLost) {
      const listener = newWebSocketRpcSession<CapnwebMethods>(room);
      listener.onRpcBroken(onLost);
      await listener.perfListen(onEvent);
      return { close: () => listener[Symbol.dispose]() };
    },
    say: (event) => (speaker ??= newWebSocketRpcSession<CapnwebMethods>(room)).perfAnnounce(event),
  });
  return {
    echo: (value) => api.perfEcho(value),
    book: () => api.perfBook(),
    call: (method, args) => (methods[method] as Call)(...args),
    tell: (listeners) => audience.tell(listeners),
    close() {
      api[Symbol.dispose]();
      speaker?.[Symbol.dispose]();
      void audience.close();
    },
  };
}

/**
 * Returns the WebSocket extensions that this machine's client and the runtime agree on, such as `permessage-deflate`;
 * empty if there are none. They are read from a real connection, because a compatibility flag does not show the
 * extensions on which the two ends agree.
 *
 * @throws Error if the performance test's Worker does not run at the address
 */
export async function negotiatedExtensions(url: string): Promise<string> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/PLAIN_FLOOR/extensions`);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('close', () => {
      reject(new Error(`There is no copy of the performance test's worker at ${url}`));
    });
  });
  socket.close();
  return socket.extensions ?? '';
}
