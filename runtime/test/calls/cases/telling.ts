/**
 * What an object says by itself, over every kind of connection: feeds, live values and callbacks. Where frames
 * are requests there is none of it, and a clear refusal. Capabilities need no connection.
 */
import { callback } from '../../../src/features/callbacks/client/callback.ts';
import { capabilities } from '../../../src/features/capabilities/client/capabilities.ts';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import type { Case } from '../case.ts';
import { check, equal, rejects } from '../check.ts';
import { take } from '../../support/take.ts';

export const telling: Case[] = [
  {
    name: 'a feed is heard, each event once and in order',
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
    name: 'an event that another client brings about is heard, and one from before by its cursor',
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
    name: 'a live value is told anew when it has changed',
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
    name: 'a function is called back, and its answer checked',
    only: 'connection',
    async run(caller) {
      const { client } = caller.connect();
      equal(await client.ask(callback(async (text) => `${text} yes`)), 'well? yes');
      await rejects(client.ask(callback((() => 7) as never)), { code: 'INVALID_ARGUMENTS' });
    },
  },
  {
    name: 'over requests there are no subscriptions, and no functions',
    only: 'http',
    async run(caller) {
      const { client } = caller.connect();
      try {
        subscribe(client);
      } catch (error) {
        check(error instanceof TypeError, 'It is no TypeError');
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
      throw new Error('It was subscribed to');
    },
  },
  {
    name: 'a capability is called before it is there, and later',
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
    name: 'whom nobody has named is nobody',
    isShared: true,
    async run({ standing }) {
      equal(await standing.whoCalls(), 'nobody');
    },
  },
];
