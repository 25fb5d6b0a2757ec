/**
 * An object sends feeds, live values and callbacks by itself, over every kind of connection. Over
 * HTTP requests they are refused with a clear error. Capabilities need no connection.
 */
import { callback } from '../../../src/features/callbacks/client/callback.ts';
import { capabilities } from '../../../src/features/capabilities/client/capabilities.ts';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import type { Case } from '../case.ts';
import { check, equal, rejects } from '../check.ts';
import { take } from '../../support/take.ts';

export const telling: Case[] = [
  {
    name: 'the events of a feed arrive once and in order',
    only: 'connection',
    async run(caller) {
      const { client } = caller.connect();
      const heard = take(subscribe(client).news(), 100);
      const events = Array.from({ length: 100 }, (_, index) => `event ${index}`);
      for (const event of events) await client.tell(event);
      equal(await heard, events);
    },
  },
  {
    name: 'an event of another client arrives, and an earlier event arrives by its cursor',
    only: 'connection',
    async run(caller) {
      const [teller, hearer] = [caller.connect().client, caller.connect().client];
      const first = subscribe(hearer).news();
      const heard = take(first, 1);
      await hearer.count();
      await Promise.all([teller.tell('one'), teller.tell('two')]);
      equal(await heard, ['one']);
      equal(await take(subscribe(hearer, { after: first.cursor }).news(), 1), ['two']);
    },
  },
  {
    name: 'a live value is sent again when it has changed',
    only: 'connection',
    async run(caller) {
      const { client } = caller.connect();
      const other = caller.connect().client;
      const values: number[] = [];
      for await (const value of subscribe(client).count()) {
        values.push(value);
        if (value === 3) break;
        await other.run(`run ${value}`);
      }
      equal(values, [0, 1, 2, 3]);
    },
  },
  {
    name: 'a subscription ends when its client is closed',
    only: 'connection',
    async run(caller) {
      const { client } = caller.connect();
      const values = subscribe(client).count()[Symbol.asyncIterator]();
      equal((await values.next()).value, 0);
      const next = values.next();
      client.close();
      await rejects(next, { code: 'CLOSED' });
    },
  },
  {
    name: 'the object calls a function of the client, and checks its answer',
    only: 'connection',
    async run(caller) {
      const { client } = caller.connect();
      equal(await client.ask(callback(async (text) => `${text} yes`)), 'well? yes');
      await rejects(client.ask(callback((() => 7) as never)), { code: 'INVALID_ARGUMENTS' });
    },
  },
  {
    name: 'over HTTP, subscriptions and functions are refused',
    only: 'http',
    async run(caller) {
      const { client } = caller.connect();
      try {
        subscribe(client);
      } catch (error) {
        check(error instanceof TypeError, 'It is not a TypeError');
        equal(error.message, 'Subscriptions need a WebSocket');
        await rejects(client.ask(callback(async () => '')), {
          code: 'UNSERIALIZABLE',
          message: 'A callback needs a WebSocket',
        });
        const [[kind, form] = []] = await caller.exchange('[["subscribe",1,null,"news"]]');
        equal(kind, 'error');
        check(JSON.stringify(form).includes('Subscriptions need a WebSocket'), String(form));
        return;
      }
      throw new Error('The subscription was accepted');
    },
  },
  {
    name: 'a capability is called before it arrives, and later',
    async run(caller) {
      const { client, traffic } = caller.connect({ capabilities });
      const desk = client.desk('Ada');
      equal(await desk.owner(), 'Ada');
      equal(traffic.up.length, 1);
      const held = await desk;
      equal(await held.owner(), 'Ada');
    },
  },
  {
    name: 'a caller that no hook has named has no name',
    isShared: true,
    async run({ standing }) {
      equal(await standing.whoCalls(), 'nobody');
    },
  },
];
