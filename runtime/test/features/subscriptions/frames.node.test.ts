/**
 * Messages about subscriptions that no client of this package sends. Each gets one answer, the connection and the
 * object go on, and other clients do not notice.
 */
import { describe, expect, test } from 'vitest';
import { type Json, Mutator } from '../../support/mutator.ts';
import { serve } from './broadcaster/serve.ts';

const worker = await serve();

/** These messages name no subscription or no event, so the object rejects their whole frame. */
const UNREADABLE = [
  ...[
    '',
    ',0',
    ',-1',
    ',1.5',
    ',1e300',
    ',9007199254740993',
    ',"1"',
    ',null',
    ',true',
    ',{}',
    ',[1]',
  ].flatMap((n) => [`["subscribe"${n}]`, `["ack"${n}]`, `["unsubscribe"${n}]`]),
  ...['0', '-1', '1.5', '1e300', '9007199254740993', '"1"', 'null', 'true', '{}', '[1]'].flatMap(
    (part) => [`["ack",1,${part}]`, `["ack",7,${part}]`],
  ),
  '["ack",1]',
  '["subscribed",1]',
  '["next",1,1,"x"]',
  '["value",1,5]',
  '["complete",1]',
  '["Subscribe",1,null,"events"]',
];

const TEXT = JSON.stringify('x'.repeat(1_000_000));

/** The contract does not list these methods, or lists them in a way that does not allow a subscription. */
const METHODS = [
  '__proto__ constructor toString hasOwnProperty then ctx env fetch alarm webSocketMessage native',
  'Events nope lives notLive keys',
].flatMap((names) => names.split(' '));

/** Each of these messages ends the subscription that it would begin. */
const REFUSED: [code: string, messages: string[]][] = [
  [
    'BAD_MESSAGE',
    [
      '',
      ',null',
      ',null,5',
      ',null,null',
      ',null,["events"]',
      ',null,{"toString":1}',
      ',null,"events",5',
      ',null,"events",{}',
      ',null,"events",null',
      ',null,"events","rich"',
      ',null,"events","poor",[[]]',
      ',null,"events",[],[]',
      ',null,"repeat","rich",5',
      ',null,"repeat","rich",[["NoSuchTag",1]]',
      ',null,"repeat","rich",[[[[1]]],["Call",1]]',
      ...['5', 'true', '{}', '["0."]', '1'].map((cursor) => `,${cursor},"events"`),
    ],
  ],
  [
    'METHOD_NOT_FOUND',
    [...METHODS, '', 'x'.repeat(100_000)].map((method) => `,null,${JSON.stringify(method)}`),
  ],
  [
    'INVALID_ARGUMENTS',
    [
      ',null,"inbox"',
      ',null,"inbox",[5]',
      ',null,"inbox",["ann","bob"]',
      ',null,"inbox",["12345678901"]',
      ',null,"events",[1]',
      ',null,"getTopic",[1]',
    ],
  ],
  ['CURSOR_EXPIRED', [`,${TEXT},"events"`, ',"__proto__","events"', ',"","events"']],
  ['LIMIT_EXCEEDED', [`,null,"repeat",[${TEXT}]`, `,null,"events",[${'1,'.repeat(50)}1]`]],
];

const refused = REFUSED.flatMap(([code, rests]) =>
  rests.map((rest) => ({ code, message: `["subscribe",7${rest}]`, name: rest.slice(0, 60) })),
);

/** These messages are valid, and have nothing to do. */
const IDLE = ['["ack",7,1]', '["ack",7,9007199254740991]', '["unsubscribe",7]'];

const refusal = ['error', expect.anything()];

/** These messages show that the connection works, and that its first subscription goes on. */
const AFTER = '[2001,"sayOne",["after"]],["subscribe",8,null,"getTopic"],["unsubscribe",8]';

let instances = 0;

/** Sends messages to an object with two subscribers. @returns the messages that arrive before those of `AFTER` */
async function exchange(messages: string): Promise<unknown[][]> {
  const instance = `frames ${++instances}`;
  using raw = await worker.raw(instance);
  using bystander = await worker.raw(instance);
  const begin = '["subscribe",1,null,"events"]';
  expect(await bystander.exchange(begin)).toEqual([['subscribed', 1, '0.']]);
  expect(await raw.exchange(begin)).toEqual([['subscribed', 1, '0.']]);
  const answers = await raw.exchange(messages);
  expect(await bystander.exchange()).toEqual([]);
  const event = [
    ['epoch', 1, 0, expect.anything()],
    ['next', 1, 1, 'after'],
  ];
  expect(await raw.exchange(AFTER)).toEqual([
    [2001, 1],
    ['subscribed', 8],
    ['value', 8, ''],
    ...event,
  ]);
  expect(await bystander.exchange()).toEqual(event);
  return answers;
}

test.each(UNREADABLE)('%s is rejected', async (message) => {
  const rest = '[1,"sayOne",["not run"]],["subscribe",2,null,"events"]';
  expect(await exchange(`${message},${rest}`)).toEqual([refusal]);
});

test.each(refused)('$name completes with $code', async ({ code, message }) => {
  const [complete, ...more] = await exchange(message);
  expect(complete?.slice(0, 3)).toEqual(['complete', 7, 'error']);
  expect(JSON.stringify(complete)).toContain(`"code":"${code}"`);
  expect(more).toEqual([]);
});

test.each(IDLE)('%s is ignored', async (message) => {
  expect(await exchange(message)).toEqual([]);
});

test('a method that is not readonly runs, and is rejected if it returns no stream', async () => {
  using raw = await worker.raw('not readonly');
  const [complete] = await raw.exchange('["subscribe",7,null,"sayAsStream",["x"]]');
  expect(JSON.stringify(complete)).toMatch(/^\["complete",7,"error",.*METHOD_NOT_FOUND/);
  // The method does not run at a further attempt, which a cursor marks.
  for (const cursor of ['0', '"1.abc"']) {
    const [again] = await raw.exchange(`["subscribe",7,${cursor},"sayAsStream",["x"]]`);
    expect(JSON.stringify(again)).toMatch(
      /^\["complete",7,"error",.*DISCONNECTED.*"maybeExecuted":true/,
    );
  }
  const [, , ...events] = await raw.exchange('["subscribe",7,"0.","events"]');
  expect(events).toEqual([['next', 7, 1, 'x']]);
});

test('a method that is listed as a call is rejected, and does not run', async () => {
  using raw = await worker.raw('a call');
  const [complete] = await raw.exchange('["subscribe",7,null,"sayOne",["x"]]');
  expect(JSON.stringify(complete)).toMatch(/^\["complete",7,"error",.*METHOD_NOT_FOUND/);
  expect(await raw.exchange('["subscribe",7,null,"events"]')).toEqual([['subscribed', 7, '0.']]);
});

test('the cursor 0 marks a further attempt, which begins a feed', async () => {
  using raw = await worker.raw('cursor 0');
  expect(await raw.exchange('["subscribe",7,0,"events"]')).toEqual([['subscribed', 7, '0.']]);
});

describe('over POST', () => {
  test.each([
    '["subscribe",1,null,"events"]',
    '["subscribe",1,null,"getTopic"]',
    '["subscribe",1,null,"nope"]',
    '["ack",1,1]',
    '["unsubscribe",1]',
    '["subscribe"]',
  ])('%s is rejected, and the calls before it are answered', async (message) => {
    const response = await fetch(worker.urlOf('post'), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: `[[1,"notLive"],${message},[2,"notLive"]]`,
    });
    expect(await response.json()).toEqual([[1, 1], refusal]);
  });
});

test('all these messages together leave the connection as it was', async () => {
  const frames = [...UNREADABLE, ...refused.map(({ message }) => message), ...IDLE];
  const small = frames.filter(({ length }) => length < 1_000).map((message) => `[${message}]`);
  using raw = await worker.raw('storm');
  await raw.exchange('["subscribe",1,null,"events"]');
  for (const frame of [...small, ...small, ...small]) raw.send(frame);
  await raw.exchange();
  const messages = await raw.exchange('[2001,"sayOne",["after"]]');
  expect(messages).toEqual([[2001, 1], expect.anything(), ['next', 1, 1, 'after']]);
});

/** Each of these frames is valid. */
const GOOD = [
  '[["subscribe",1,null,"events"]]',
  '[["subscribe",2,"0.","events"],["ack",2,1]]',
  '[["subscribe",3,"1.abc","inbox",["ann"]],["unsubscribe",3]]',
  '[["subscribe",4,null,"getTopic"],["ack",4,8]]',
  '[["subscribe",5,null,"repeat","rich",[[[["Map",[-1],[-2]]]]]]]',
  '[["subscribe",6,null,"seats"],["subscribe",6,null,"small"]]',
  '[["ack",1,1],["ack",2,2],["ack",4,1]]',
  '[["unsubscribe",1],["unsubscribe",2],["unsubscribe",4]]',
];
const PARSED = GOOD.map((text): Json => JSON.parse(text));

/** Further unreadable frames would end the connection. */
const DAMAGED_EACH = 200;

test.each([
  ['characters', (mutator: Mutator) => mutator.damageText(mutator.pick(GOOD))],
  ['tokens', (mutator: Mutator) => mutator.damageTokens(mutator.pick(GOOD))],
  ['parts', (mutator: Mutator) => mutator.damageTree(mutator.pick(PARSED), PARSED)],
] as const)(
  'the object and other clients go on after valid messages with damaged %s',
  async (name, damage) => {
    const mutator = new Mutator(20_261_122);
    using bystander = await worker.raw(name);
    await bystander.exchange('["subscribe",1,null,"inbox",["bystander"]]');
    using client = worker.connect(name);
    const rounds = 4;
    for (let round = 1; round <= rounds; round++) {
      using raw = await worker.raw(name);
      const frames = Array.from({ length: DAMAGED_EACH }, () => damage(mutator));
      for (const frame of frames) raw.send(frame);
      await raw.exchange();
      await client.write('bystander', `${round}`);
      await client.sayOne(round);
      expect((await raw.exchange('["subscribe",99,"0.","events"]')).length).toBeGreaterThan(0);
    }
    const messages = await bystander.exchange();
    const texts = messages.filter(([kind]) => kind === 'next').map(([, , , text]) => text);
    expect(texts).toEqual(Array.from({ length: rounds }, (_, index) => `${index + 1}`));
    expect(await client.lives()).toBe(1);
  },
);
