/** Good messages about subscriptions, damaged in many ways: the object goes on, and others with it. */
import { expect, test } from 'vitest';
import { type Json, Mutator } from '../../support/mutator.ts';
import { Place } from './place.ts';

const place = await Place.forTests();

const FRAMES = [
  '[["subscribe",1,null,"events"]]',
  '[["subscribe",2,"0.","events"],["ack",2,1]]',
  '[["subscribe",3,"1.abc","inbox",["ann"]],["unsubscribe",3]]',
  '[["subscribe",4,null,"getTopic"],["ack",4,8]]',
  '[["subscribe",5,null,"repeat","rich",[[[["Map",[-1],[-2]]]]]]]',
  '[["subscribe",6,null,"seats"],["subscribe",6,null,"small"]]',
  '[["ack",1,1],["ack",2,2],["ack",4,1]]',
  '[["unsubscribe",1],["unsubscribe",2],["unsubscribe",4]]',
];
const PARSED = FRAMES.map((text): Json => JSON.parse(text));

/** More that cannot be read would end the connection. */
const FRAMES_EACH = 200;

test.each([
  ['characters', (mutator: Mutator) => mutator.damageText(mutator.pick(FRAMES))],
  ['tokens', (mutator: Mutator) => mutator.damageTokens(mutator.pick(FRAMES))],
  ['parts', (mutator: Mutator) => mutator.damageTree(mutator.pick(PARSED), PARSED)],
] as const)('with other %s', async (name, damage) => {
  const mutator = new Mutator(20_261_122);
  using bystander = await place.subscriber(name);
  await bystander.exchange('[["subscribe",1,null,"inbox",["bystander"]]]');
  using client = place.connect(name);
  const rounds = 4;
  for (let round = 1; round <= rounds; round++) {
    using raw = await place.subscriber(name);
    const frames = Array.from({ length: FRAMES_EACH }, () => damage(mutator));
    await raw.exchange(...frames);
    await client.write('bystander', `${round}`);
    await client.sayOne(round);
    expect((await raw.exchange('[["subscribe",99,"0.","events"]]')).length).toBeGreaterThan(0);
  }
  const messages = await bystander.exchange();
  const texts = messages.filter(([kind]) => kind === 'next').map(([, , , text]) => text);
  expect(texts).toEqual(Array.from({ length: rounds }, (_, index) => `${index + 1}`));
  expect(await client.lives()).toBe(1);
});
