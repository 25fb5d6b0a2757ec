/** The contenders that send a message of one client to many clients. */
import { newWebSocketRpcSession } from 'capnweb';
import { createRpcClient, type RpcClient } from '../../../runtime/src/client.ts';
import {
  subscribe,
  type Subscription,
} from '../../../runtime/src/features/subscriptions/client/subscribe.ts';
import { SUBPROTOCOL } from '../../../runtime/src/wire/messages.ts';
import { CALLBACKS, FEED, LOOP } from '../../results/names.ts';
import { RawSocket } from './raw-socket.ts';
import type { CapnwebTarget, Room } from '../workers/broadcasts.ts';

export interface Listener {
  close(): void;
}

export interface Speaker {
  say(text: string): void;
  close(): void;
}

export interface Broadcaster {
  readonly name: string;
  readonly about: string;
  /**
   * @param hear - called with each text, in order
   * @returns a listener that receives all texts from now on
   */
  listen(url: string, room: string, hear: (text: string) => void): Promise<Listener>;
  speak(url: string, room: string): Promise<Speaker>;
}

const LIVE = 'this RPC, live value';
export const STORED = 'by hand, events stored';
export const CAPNWEB_DROPPED = "Cap'n Web, answers dropped";

/** Contenders with the clients that users have. */
export const broadcasters: readonly Broadcaster[] = [
  thisRpc(FEED, 'an event of a feed, which is stored and numbered, and arrives once', {
    listen: (room) => subscribe(room).messages(),
    say: (room, text) => room.say(text),
  }),
  thisRpc(LIVE, 'a live value, of which clients get the newest version', {
    listen: (room) => subscribe(room).getTopic(),
    say: (room, text) => room.setTopic(text),
  }),
  byHand(LOOP, 'a loop over hibernating sockets, which stores nothing', 'BY_HAND'),
  byHand(
    STORED,
    'a loop over hibernating sockets, and a table of the last 1 000 events',
    'BY_HAND_STORED',
  ),
  capnweb(
    CALLBACKS,
    'calls the function of each client, in an object that never hibernates',
    'CAPNWEB',
  ),
  capnweb(
    CAPNWEB_DROPPED,
    'calls the function of each client, and requests no answers',
    'CAPNWEB_DROPPED',
  ),
];

/** Contenders whose clients do almost nothing, so that most of the time is the object's. */
export const rawBroadcasters: readonly Broadcaster[] = [
  {
    name: FEED,
    about: 'an event of a feed',
    listen: listenRaw,
    speak: (url, name) => speakTo(connect(url, name), (room, text) => room.say(text)),
  },
  ...[LOOP, STORED].map((name): Broadcaster => {
    const binding = name === LOOP ? 'BY_HAND' : 'BY_HAND_STORED';
    return {
      name,
      about: 'a loop over sockets',
      listen: async (url, room, hear) => {
        const socket = await RawSocket.open(`${url}/${binding}/${room}`);
        socket.heard = hear;
        return socket;
      },
      speak: (url, room) => speakByHand(`${url}/${binding}/${room}`),
    };
  }),
];

/** Clients send no heartbeats, because the heartbeats of thousands of clients in one process would affect the times. */
const QUIET = { heartbeat: 600_000 };

function connect(baseUrl: string, name: string): RpcClient<Room> {
  return createRpcClient<Room>('ROOM', name, { baseUrl, ...QUIET });
}

function thisRpc(
  name: string,
  about: string,
  using: {
    listen(room: RpcClient<Room>): Subscription<string>;
    say(room: RpcClient<Room>, text: string): PromiseLike<unknown>;
  },
): Broadcaster {
  return {
    name,
    about,
    async listen(url, instance, hear) {
      const room = connect(url, instance);
      const subscription = using.listen(room);
      void follow(subscription, hear);
      // The object handles the frames of a connection in order, so it has the subscription by now.
      await room.getTopic();
      return room;
    },
    speak: (url, instance) => speakTo(connect(url, instance), using.say),
  };
}

async function follow(subscription: Subscription<string>, hear: (text: string) => void) {
  try {
    for await (const text of subscription) hear(text);
  } catch (error) {
    if ((error as { code?: string }).code !== 'CLOSED') throw error;
  }
}

async function speakTo(
  room: RpcClient<Room>,
  say: (room: RpcClient<Room>, text: string) => PromiseLike<unknown>,
): Promise<Speaker> {
  await room.getTopic();
  return { say: (text) => void say(room, text), close: () => room.close() };
}

/** The number of events that a client acknowledges at once: half of the number that the object may send ahead. */
const HALF_WINDOW = 32;

async function listenRaw(
  url: string,
  room: string,
  hear: (text: string) => void,
): Promise<Listener> {
  const socket = await RawSocket.open(`${url}/__rpc/ROOM/${room}/call`, SUBPROTOCOL);
  const begun = Promise.withResolvers<void>();
  let events = 0;
  socket.heard = (frame) => {
    // Before the first event of the object's life, the frame has a message about its epoch.
    const at = frame.indexOf('["next"');
    if (at > 0) {
      hear(frame.slice(frame.indexOf('"', at + 8) + 1, -3));
      if (++events % HALF_WINDOW === 0) socket.send(`[["ack",1,${events}]]`);
    } else if (frame.startsWith('[["subscribed"')) begun.resolve();
  };
  socket.send('[["subscribe",1,null,"messages"]]');
  await begun.promise;
  return socket;
}

function byHand(name: string, about: string, binding: string): Broadcaster {
  return {
    name,
    about,
    async listen(url, room, hear) {
      const socket = await openSocket(`${url}/${binding}/${room}`);
      socket.addEventListener('message', ({ data }) => hear(JSON.parse(String(data))));
      return socket;
    },
    speak: (url, room) => speakByHand(`${url}/${binding}/${room}`),
  };
}

/** Opens a socket that sends messages. Like all sockets, it also receives its own messages. */
async function speakByHand(url: string): Promise<Speaker> {
  const socket = await openSocket(url);
  return { say: (text) => socket.send(JSON.stringify(text)), close: () => socket.close() };
}

async function openSocket(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url.replace(/^http/, 'ws'));
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('close', ({ code }) => reject(new Error(`${url} closed: ${code}`)));
  });
  return socket;
}

function capnweb(name: string, about: string, binding: string): Broadcaster {
  const session = (url: string, room: string) =>
    newWebSocketRpcSession<CapnwebTarget>(`${url.replace(/^http/, 'ws')}/${binding}/${room}`);
  return {
    name,
    about,
    async listen(url, room, hear) {
      const target = session(url, room);
      await target.listen(hear as never);
      return { close: () => target[Symbol.dispose]() };
    },
    async speak(url, room) {
      const target = session(url, room);
      await target.say('');
      return { say: (text) => void target.say(text), close: () => target[Symbol.dispose]() };
    },
  };
}
