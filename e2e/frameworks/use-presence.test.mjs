/** Tests the hook for presence, and the option for gaps of volatile feeds, in pages of Chromium, with a real Worker. */
import { expect, onTestFinished, test } from 'vitest';
import { Proxy as NetworkProxy } from '../../harness/network-proxy.ts';
import { servedRooms } from './rooms.mjs';

const rooms = servedRooms();

test('three pages see the newest data of each other', async () => {
  const pages = [];
  for (const name of ['ann', 'bob', 'cat']) pages.push(await rooms.open(pageOf('three', name)));
  const [ann, bob, cat] = pages;
  await expect.poll(() => ann?.shown()).toEqual(['bob 0', 'cat 0']);
  await expect.poll(() => bob?.shown()).toEqual(['ann 0', 'cat 0']);
  await expect.poll(() => cat?.shown()).toEqual(['ann 0', 'bob 0']);
  for (let move = 1; move <= 10; move++) await ann?.press('Move');
  for (const page of [bob, cat])
    await expect.poll(async () => (await page?.shown())?.[0]).toBe('ann 10');
  await ann?.press('Hush');
  await expect.poll(() => bob?.shown()).toEqual(['cat 0']);
  await ann?.press('Move');
  await expect.poll(() => bob?.shown()).toEqual(['ann 11', 'cat 0']);
});

test('the other pages no longer see a page that is closed, left, or hidden', async () => {
  const ann = await rooms.open(pageOf('leave', 'ann'));
  const bob = await rooms.open(pageOf('leave', 'bob'));
  const cat = await rooms.open(pageOf('leave', 'cat'));
  await expect.poll(ann.shown).toEqual(['bob 0', 'cat 0']);
  await bob.page.close();
  await expect.poll(ann.shown).toEqual(['cat 0']);
  await cat.press('Toggle');
  await expect.poll(ann.shown).toEqual([]);
  // Another component of the page does not send data for the component that has unmounted.
  await cat.press('Toggle');
  await expect.poll(cat.shown).toEqual(['ann 0']);
  await expect.poll(ann.shown).toEqual(['cat 0']);
  await cat.page.goto('about:blank');
  await expect.poll(ann.shown).toEqual([]);
});

test('in strict mode it subscribes once, and two components of a page count once', async () => {
  const ann = await rooms.open(pageOf('strict', 'ann'));
  const bob = await rooms.open(pageOf('strict', 'bob'));
  await expect.poll(ann.shown).toEqual(['bob 0']);
  await bob.press('Second');
  await bob.press('Move');
  await expect.poll(ann.shown).toEqual(['bob 1']);
  await expect.poll(bob.shown).toEqual(['ann 0', 'ann 0']);
  expect(await bob.page.evaluate('subscriptions')).toBe(1);
  await bob.press('Second');
  await bob.press('Move');
  await expect.poll(ann.shown).toEqual(['bob 2']);
  expect([ann.sockets, bob.sockets]).toEqual([
    { opened: 1, open: 1 },
    { opened: 1, open: 1 },
  ]);
});

test('`update` keeps its identity, and so does the data of a client that has not changed', async () => {
  const ann = await rooms.open(pageOf('same', 'ann'));
  const bob = await rooms.open(pageOf('same', 'bob'));
  const cat = await rooms.open(pageOf('same', 'cat'));
  await expect.poll(ann.shown).toEqual(['bob 0', 'cat 0']);
  await ann.page.evaluate('rendered.length = 0');
  for (let move = 1; move <= 3; move++) {
    await bob.press('Move');
    await expect.poll(ann.shown).toEqual([`bob ${move}`, 'cat 0']);
  }
  expect([...new Set(await rendered(ann.page))]).toEqual(['bob 1', 'bob 2', 'bob 3']);
  expect(await ann.page.evaluate('updates.size')).toBe(1);
  await cat.page.close();
});

test('a page whose connection is lost keeps its list, and sends its data again', async () => {
  const proxy = await new NetworkProxy(Number(new URL(rooms.url()).port)).listen();
  onTestFinished(() => proxy.close());
  const ann = await rooms.open(pageOf('lost', 'ann'));
  const bob = await rooms.open(pageOf('lost', 'bob'), { proxy });
  await expect.poll(ann.shown).toEqual(['bob 0']);
  await bob.press('Move');
  await expect.poll(ann.shown).toEqual(['bob 1']);
  proxy.silence('up', 'down');
  proxy.cutAll('reset');
  await expect.poll(ann.shown).toEqual([]);
  // The page moves while it is disconnected.
  await bob.press('Move');
  await ann.press('Move');
  expect(await bob.shown()).toEqual(['ann 0']);
  proxy.resume();
  await expect.poll(ann.shown).toEqual(['bob 2']);
  await expect.poll(bob.shown).toEqual(['ann 1']);
});

test('all pages are present again after the object was stopped, and none twice', async () => {
  const ann = await rooms.open(pageOf('stopped', 'ann'));
  const bob = await rooms.open(pageOf('stopped', 'bob'));
  await expect.poll(ann.shown).toEqual(['bob 0']);
  await expect.poll(bob.shown).toEqual(['ann 0']);
  await stop('stopped');
  await bob.press('Move');
  await expect.poll(ann.shown).toEqual(['bob 1']);
  await ann.press('Move');
  await expect.poll(bob.shown).toEqual(['ann 1']);
});

test('an error is shown beside the last list, and the other pages no longer see the page', async () => {
  const ann = await rooms.open(pageOf('refused', 'ann'));
  const bob = await rooms.open(pageOf('refused', 'bob'));
  await expect.poll(bob.shown).toEqual(['ann 0']);
  await bob.press('Nowhere');
  await expect.poll(bob.shown).toEqual(['ann 0', 'RangeError: There is no such place']);
  await expect.poll(ann.shown).toEqual([]);
});

test('another room has another list, and no render mixes the two', async () => {
  const ann = await rooms.open(pageOf('first', 'ann'));
  const bob = await rooms.open(pageOf('first', 'bob'));
  const cat = await rooms.open(pageOf('second', 'cat'));
  await expect.poll(bob.shown).toEqual(['ann 0']);
  await bob.page.evaluate('rendered.length = 0');
  await bob.press('Second room');
  await expect.poll(bob.shown).toEqual(['cat 0']);
  await expect.poll(cat.shown).toEqual(['bob 0']);
  await expect.poll(ann.shown).toEqual([]);
  expect([...new Set(await rendered(bob.page))]).toEqual(['cat 0']);
});

test('the newest function of a component is called once for a gap in a volatile feed', async () => {
  using room = rooms.client('gaps');
  const { shown, press, page } = await rooms.open(GAPS);
  await expect.poll(() => page.evaluate('isThere')).toBe(true);
  await room.react('a');
  await expect.poll(shown).toEqual(['a', '0']);
  await press('Other');
  await stop('gaps');
  await expect.poll(shown).toEqual(['a', '100']);
  await room.react('b');
  await expect.poll(shown).toEqual(['a b', '100']);
});

/**
 * Stops a room, which loses its memory.
 *
 * @param {string} name
 */
async function stop(name) {
  await (await fetch(`${rooms.url()}/stop?name=${name}`)).text();
}

/**
 * @param {import('playwright-core').Page} page
 * @returns {Promise<string[]>} the rendered names, in order
 */
const rendered = async (page) => /** @type {string[]} */ (await page.evaluate('rendered'));

const IMPORTS = `import { memo, StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { useLive, usePresence, useRpcClient } from 'lumenize-rpc/react';
import type { Room } from './e2e/frameworks/rooms-worker.ts';

const show = (page: React.ReactNode) =>
  createRoot(document.getElementById('root')!).render(<StrictMode>{page}</StrictMode>);
`;

/**
 * Returns the script of a page that takes part.
 *
 * @param {string} room
 * @param {string} name
 */
const pageOf = (room, name) => `${IMPORTS}
const rendered: string[] = [];
const updates = new Set<unknown>();
Object.assign(globalThis, { rendered, updates, subscriptions: 0 });

const { prototype } = WebSocket;
const { send } = prototype;
prototype.send = function (data) {
  if (String(data).includes('["subscribe"')) (globalThis as any).subscriptions++;
  send.call(this, data);
};

const Other = memo(({ one }: { one: { value: string } }) => {
  rendered.push(one.value);
  return <output>{one.value}</output>;
});

function Others({ name }: { name: string }) {
  const room = useRpcClient<Room>('ROOM', name);
  const { value = [], error, update } = usePresence(room, (room) => room.cursors());
  const [moves, setMoves] = useState(0);
  updates.add(update);
  useEffect(() => update(\`${name} \${moves}\`), [update, moves]);
  return (
    <>
      {value
        .toSorted((one, other) => (one.value < other.value ? -1 : 1))
        .map((one) => <Other key={one.key} one={one} />)}
      {error !== undefined && <output>{String(error)}</output>}
      <button onClick={() => setMoves(moves + 1)}>Move</button>
      <button onClick={() => update()}>Hush</button>
      <button onClick={() => update('nowhere')}>Nowhere</button>
    </>
  );
}

function Second({ name }: { name: string }) {
  const room = useRpcClient<Room>('ROOM', name);
  const { value = [] } = usePresence(room, (room) => room.cursors());
  return value.map(({ key, value }) => <output key={key}>{value}</output>);
}

function Page() {
  const [name, setName] = useState('${room}');
  const [isThere, setThere] = useState(true);
  const [hasSecond, setSecond] = useState(false);
  return (
    <>
      {isThere && <Others name={name} />}
      {hasSecond && <Second name={name} />}
      <button onClick={() => setThere(!isThere)}>Toggle</button>
      <button onClick={() => setSecond(!hasSecond)}>Second</button>
      <button onClick={() => setName('second')}>Second room</button>
    </>
  );
}

show(<Page />);
`;

const GAPS = `${IMPORTS}
function Page() {
  const room = useRpcClient<Room>('ROOM', 'gaps');
  const [gaps, setGaps] = useState(0);
  const [step, setStep] = useState(1);
  const { value = [] } = useLive(
    room,
    (room) => room.reactions(),
    (all: string[] = [], text) => [...all, text],
    { onGap: () => setGaps((count) => count + step) },
  );
  useEffect(() => void room.topic().then(() => Object.assign(globalThis, { isThere: true })), [room]);
  return (
    <>
      <output>{value.join(' ')}</output>
      <output>{gaps}</output>
      <button onClick={() => setStep(100)}>Other</button>
    </>
  );
}

Object.assign(globalThis, { isThere: false });
show(<Page />);
`;
