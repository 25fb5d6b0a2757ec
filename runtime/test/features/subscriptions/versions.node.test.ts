/** A client without subscriptions pays nothing for them. The frames of subscriptions are as documented. */
import { describe, expect, test } from 'vitest';
import { subscribe } from '../../../src/features/subscriptions/client/subscribe.ts';
import { Loop } from './broadcaster/loops.ts';
import { serve } from './broadcaster/serve.ts';

const worker = await serve();

describe('a client that subscribes to nothing', () => {
  test('sends and receives only its calls and their answers', async () => {
    const { client, sockets } = worker.watch('bytes');
    using other = worker.connect('bytes');
    const events = new Loop(subscribe(other).events());
    const topics = new Loop(subscribe(other).getTopic());
    await topics.has(1);
    await client.sayOne('a');
    await Promise.all([client.setTopic('b'), client.notLive()]);
    await expect(client.sayAndThrow('c')).rejects.toThrow('after the event');
    await client.saySoon('d');
    await Promise.all([events.has(3), topics.has(2)]);
    await client.lives();
    const [socket] = sockets;
    expect(socket?.sent).toEqual([
      '[[1,"sayOne",["a"]]]',
      '[[2,"setTopic",["b"]],[3,"notLive"]]',
      '[[4,"sayAndThrow",["c"]]]',
      '[[5,"saySoon",["d"]]]',
      '[[6,"lives"]]',
    ]);
    expect(socket?.received).toEqual([
      '[[1,1]]',
      '[[2],[3,1]]',
      expect.stringMatching(/^\[\[4,"error",/),
      '[[5,"d"]]',
      '[[6,1]]',
    ]);
    client.close();
  });

  test('gets no messages, and the object stores nothing for it', async () => {
    using raw = await worker.raw('told nothing');
    using other = worker.connect('told nothing');
    for (let round = 0; round < 5; round++) {
      await other.sayOne(round);
      await other.setTopic(`${round}`);
    }
    expect(await raw.exchange()).toEqual([]);
    expect((await other.runs())['getTopic']).toBeUndefined();
  });
});

test('a subscription writes no row, and neither does a live value', async () => {
  using client = worker.connect('rows');
  await client.sayOne('first');
  await client.setTopic('first');
  const before = await client.rowsWritten();
  const events = new Loop(subscribe(client).events());
  const topics = new Loop(subscribe(client).getTopic());
  await topics.has(1);
  expect(await client.rowsWritten()).toBe(before);
  const rowsOf = async (write: () => Promise<unknown>): Promise<number> => {
    const start = await client.rowsWritten();
    for (let round = 0; round < 50; round++) await write();
    return (await client.rowsWritten()) - start;
  };
  let round = 0;
  const listened = await rowsOf(() => client.setTopic(`${++round}`));
  await events.has(0);
  topics.leave();
  await client.setTopic('leave');
  await topics.ended;
  expect(await rowsOf(() => client.setTopic(`${++round}`))).toBe(listened);
});

describe('frames are as documented', () => {
  test('of a feed', async () => {
    const { client, sockets } = worker.watch('feed frames');
    const loop = new Loop(subscribe(client).events());
    await client.sayOne({ from: 'ann', text: 'hi' });
    await loop.has(1);
    await client.sayAll(Array.from({ length: 40 }, (_, index) => index));
    await loop.has(41);
    loop.leave();
    await client.sayOne('last');
    await loop.ended;
    await client.lives();
    const [{ sent, received } = { sent: [], received: [] }] = sockets;
    const epoch = /"epoch",1,0,"(\w+)"/.exec(received.join())?.[1];
    expect(sent).toEqual([
      '[["subscribe",1,null,"events"]]',
      '[[1,"sayOne",[{"from":"ann","text":"hi"}]]]',
      expect.stringMatching(/^\[\[2,"sayAll",/),
      '[["ack",1,32]]',
      '[[3,"sayOne",["last"]]]',
      '[["unsubscribe",1]]',
      '[[4,"lives"]]',
    ]);
    expect(received.slice(0, 2)).toEqual([
      '[["subscribed",1,"0."]]',
      `[[1,1],["epoch",1,0,"${epoch}"],["next",1,1,{"from":"ann","text":"hi"}]]`,
    ]);
    expect(received[2]).toMatch(/^\[\[2,40\],\["next",1,2,0\],\["next",1,3,1\],/);
    client.close();
  });

  test('of a live value, and of a feed that goes on', async () => {
    const { client, sockets } = worker.watch('live frames');
    const topics = new Loop(subscribe(client).getTopic());
    await topics.has(1);
    await client.setTopic('tea');
    await topics.has(2);
    const events = subscribe(client, { after: '0.' }).inbox('ann');
    const letters = new Loop(events);
    await client.write('ann', 'hi');
    await letters.has(1);
    const after = events.cursor as string;
    const later = new Loop(subscribe(client, { after }).inbox('ann'));
    await client.write('ann', 'ho');
    await later.has(1);
    const [{ sent, received } = { sent: [], received: [] }] = sockets;
    expect(sent[0]).toBe('[["subscribe",1,null,"getTopic"]]');
    expect(received.slice(0, 2)).toEqual([
      '[["subscribed",1],["value",1,""]]',
      '[[1],["value",1,"tea"]]',
    ]);
    expect(sent).toContain('[["subscribe",2,"0.","inbox",["ann"]]]');
    expect(sent).toContain(`[["subscribe",3,"${after}","inbox",["ann"]]]`);
    expect(received).toContain(`[["subscribed",3,"${after}"]]`);
    client.close();
  });
});
