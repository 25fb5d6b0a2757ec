/** Tests the hook that returns a client for a name, in pages of Chromium, with a real Worker. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '../setup/outside.mjs';
import { bundle } from './bundle.mjs';
import { servedRooms } from './rooms.mjs';

const rooms = servedRooms();

test('components that name one object share its client, also in strict mode', async () => {
  const { shown, press, sockets, page } = await rooms.open(SHARED, { hasClock: true });
  await expect.poll(shown).toEqual(['none', 'none']);
  expect(sockets).toEqual({ opened: 1, open: 1 });
  await press('Toggle first');
  await expect.poll(shown).toEqual(['none']);
  await page.clock.runFor(3_000);
  await press('Tea');
  await expect.poll(shown).toEqual(['Tea']);
  expect(sockets).toEqual({ opened: 1, open: 1 });
});

test('a client is closed soon after the last component has unmounted, and not before', async () => {
  using observer = rooms.client('shared');
  const { shown, press, sockets, page } = await rooms.open(SHARED, { hasClock: true });
  await expect.poll(async () => (await shown()).length).toBe(2);
  await expect.poll(() => observer.guests()).toEqual(['nobody', 'nobody']);
  await press('Toggle first');
  await press('Toggle second');
  await expect.poll(shown).toEqual([]);
  await page.clock.runFor(900);
  // Another component names the object in time.
  await press('Toggle first');
  await page.clock.runFor(3_000);
  await expect.poll(async () => (await shown()).length).toBe(1);
  expect(sockets).toEqual({ opened: 1, open: 1 });
  await press('Toggle first');
  await expect.poll(shown).toEqual([]);
  await page.clock.runFor(1_100);
  await expect.poll(() => sockets).toEqual({ opened: 1, open: 0 });
  await expect.poll(() => observer.guests()).toEqual(['nobody']);
  // A component that names the object later gets another client.
  await press('Toggle first');
  await expect.poll(async () => (await shown()).length).toBe(1);
  expect(sockets).toEqual({ opened: 2, open: 1 });
});

test('another name gives another client: nothing of the old room is shown, and the old client is closed', async () => {
  using one = rooms.client('one');
  using other = rooms.client('other');
  await one.setTopic('of one');
  await other.setTopic('of other');
  const { shown, press, sockets, page } = await rooms.open(NAMED, { hasClock: true });
  // Without a name, there is nothing to read.
  await expect.poll(shown).toEqual(['no client: , not connected']);
  expect(sockets.opened).toBe(0);
  for (const name of ['one', 'other', 'one']) {
    await press(`Name ${name}`);
    await expect.poll(shown).toEqual([`${name}: of ${name}, open`]);
  }
  await page.clock.runFor(1_100);
  await expect.poll(() => sockets.open).toBe(1);
  await press('No name');
  await expect.poll(shown).toEqual(['no client: , not connected']);
  await page.clock.runFor(1_100);
  await expect.poll(() => sockets.open).toBe(0);
  // No render shows a topic of another room.
  const log = /** @type {string[]} */ (await page.evaluate('log'));
  const topics = log.map((text) => /^(.*): of (.*),/.exec(text)).filter((match) => match !== null);
  expect(topics.length).toBeGreaterThan(2);
  for (const [, name, topic] of topics) expect(topic).toBe(name);
});

test('a component that suspends calls through one client, which is closed if the component never appears', async () => {
  using client = rooms.client('suspended');
  const { shown, press, sockets, page } = await rooms.open(SUSPENDED, { hasClock: true });
  await expect.poll(() => client.release('call')).toBe(true);
  // React shows a fallback for a minimum time.
  await page.clock.runFor(500);
  await expect.poll(shown).toEqual(['call was released']);
  expect(sockets).toEqual({ opened: 1, open: 1 });
  await press('Remove');
  await page.clock.runFor(1_100);
  await expect.poll(() => sockets.open).toBe(0);
  await press('Suspend');
  await expect.poll(() => sockets.open).toBe(1);
  await press('Remove');
  // The client stays open, because its call waits for an answer.
  await page.clock.runFor(3_000);
  expect(sockets).toEqual({ opened: 2, open: 1 });
  await expect.poll(() => client.release('never')).toBe(true);
  await expect.poll(() => page.evaluate('answers.join()')).toBe('never was released');
  await page.clock.runFor(2_100);
  await expect.poll(() => sockets.open).toBe(0);
  expect(await shown()).toEqual([]);
});

test('a call is answered although its component has unmounted', async () => {
  using client = rooms.client('leaving');
  const { shown, press, sockets, page } = await rooms.open(LEAVING, { hasClock: true });
  await press('Call and leave');
  await expect.poll(() => page.getByRole('button').count()).toBe(0);
  await page.clock.runFor(3_000);
  expect(sockets.open).toBe(1);
  await expect.poll(() => client.release('leaving')).toBe(true);
  await expect.poll(() => page.evaluate('answers.join()')).toBe('leaving was released');
  await page.clock.runFor(2_100);
  await expect.poll(() => sockets.open).toBe(0);
  await shown();
});

test('options are compared by value, and the newest functions are called', async () => {
  using observer = rooms.client('options');
  const guests = async () => (await observer.guests()).toSorted();
  const { shown, press, sockets, page } = await rooms.open(OPTIONS, { hasClock: true });
  await expect.poll(shown).toEqual(['Ada', 'Ada']);
  for (let render = 0; render < 3; render++) await press('Render');
  await page.clock.runFor(3_000);
  expect(sockets).toEqual({ opened: 1, open: 1 });
  await press('Other user');
  await press('Reconnect');
  await expect.poll(guests).toEqual(['Bob', 'nobody']);
  expect(sockets).toEqual({ opened: 2, open: 1 });
  // Different values give another client.
  await press('Other options');
  await expect.poll(guests).toEqual(['Bob', 'Bob', 'nobody']);
  await page.clock.runFor(3_000);
  expect(sockets).toEqual({ opened: 3, open: 2 });
  await shown();
});

test('a component that was hidden for long gets a client again when it is shown', async () => {
  const { shown, press, sockets, page } = await rooms.open(HIDDEN, { hasClock: true });
  await expect.poll(shown).toEqual(['none']);
  await press('Hide');
  await page.clock.runFor(3_000);
  await expect.poll(() => sockets).toEqual({ opened: 1, open: 0 });
  using observer = rooms.client('hidden');
  await observer.setTopic('Tea');
  await press('Show');
  await expect.poll(shown).toEqual(['Tea']);
  expect(sockets).toEqual({ opened: 2, open: 1 });
});

test('a feed continues after the cursor that came with the state', async () => {
  using room = rooms.client('after');
  await room.say('before');
  const { shown, press } = await rooms.open(AFTER);
  await expect.poll(shown).toEqual(['loading']);
  await press('Load');
  await expect.poll(shown).toEqual(['before']);
  await room.say('after');
  await expect.poll(shown).toEqual(['before, after']);
  // After a reload, the feed begins again.
  await press('Load');
  await expect.poll(shown).toEqual(['after']);
  await room.say('later');
  await expect.poll(shown).toEqual(['after, later']);
});

test('a server that renders a page shares no client, does not connect, and can exit', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rendered-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'render.cjs');
  writeFileSync(file, await bundle(ON_SERVER, { platform: 'node' }));
  const { out } = await run('node', [file], { cwd: folder, env: process.env });
  const html = '<output>nothing, not connected</output>';
  expect(out).toBe(`${html}\n${html}\n2 clients\n`);
});

const IMPORTS = `import { StrictMode, Suspense, Activity, use, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { useConnectionState, useLive, useRpcClient } from 'lumenize-rpc/react';
import type { Room } from './e2e/frameworks/rooms-worker.ts';

const log: string[] = [];
const answers: unknown[] = [];
Object.assign(globalThis, { log, answers });
const show = (page: React.ReactNode) =>
  createRoot(document.getElementById('root')!).render(<StrictMode>{page}</StrictMode>);
`;

const SHARED = `${IMPORTS}
function Topic() {
  const room = useRpcClient<Room>('ROOM', 'shared');
  const { value } = useLive(room, (methods) => methods.topic());
  return value !== undefined && <output onClick={() => void room.setTopic('Tea')}>{value}</output>;
}

function Tea() {
  const room = useRpcClient<Room>('ROOM', 'shared');
  return <button onClick={() => void room.setTopic('Tea')}>Tea</button>;
}

function Page() {
  const [[first, second], setShown] = useState([true, true]);
  return (
    <>
      {first && <Topic />}
      {second && <><Topic /><Tea /></>}
      <button onClick={() => setShown([!first, second])}>Toggle first</button>
      <button onClick={() => setShown([first, !second])}>Toggle second</button>
    </>
  );
}

show(<Page />);
`;

const NAMED = `${IMPORTS}
function Topic({ name }: { name: string | undefined }) {
  const room = useRpcClient<Room>('ROOM', name);
  const { value = '' } = useLive(room, (methods) => methods.topic());
  const { state = 'not connected' } = useConnectionState(room);
  const text = \`\${room ? name : 'no client'}: \${value}, \${state}\`;
  if (log.at(-1) !== text) log.push(text);
  return <output>{text}</output>;
}

function Page() {
  const [name, setName] = useState<string>();
  return (
    <>
      <Topic name={name} />
      <button onClick={() => setName('one')}>Name one</button>
      <button onClick={() => setName('other')}>Name other</button>
      <button onClick={() => setName(undefined)}>No name</button>
    </>
  );
}

show(<Page />);
`;

const SUSPENDED = `${IMPORTS}
const calls = new Map<string, Promise<string>>();

function Held({ name }: { name: string }) {
  const room = useRpcClient<Room>('ROOM', 'suspended');
  let call = calls.get(name);
  if (!call) {
    call = (async () => await room.hold(name))();
    if (name === 'never') void call.then((answer) => answers.push(answer));
    calls.set(name, call);
  }
  return <output>{use(call)}</output>;
}

function Page() {
  const [name, setName] = useState('call');
  return (
    <>
      <Suspense fallback="…">{name && <Held name={name} />}</Suspense>
      <button onClick={() => setName('')}>Remove</button>
      <button onClick={() => setName('never')}>Suspend</button>
    </>
  );
}

show(<Page />);
`;

const LEAVING = `${IMPORTS}
function Button({ leave }: { leave: () => void }) {
  const room = useRpcClient<Room>('ROOM', 'leaving');
  const press = () => {
    room.hold('leaving').then((answer) => answers.push(answer), (error) => answers.push(error));
    leave();
  };
  return <button onClick={press}>Call and leave</button>;
}

function Page() {
  const [isThere, setIsThere] = useState(true);
  return isThere && <Button leave={() => setIsThere(false)} />;
}

show(<Page />);
`;

const OPTIONS = `${IMPORTS}
function Guests({ user, timeout }: { user: string; timeout: number }) {
  const room = useRpcClient<Room>('ROOM', 'options', {
    reconnect: { maxDelay: 2_000, minDelay: 10 },
    timeout,
    protocols: async () => [\`user.\${user}\`],
    fetch: (...args) => fetch(...args),
    onStateChange: () => {},
  });
  const { value = [] } = useLive(room, (methods) => methods.guests());
  return (
    <>
      <output>{value.filter((guest) => guest !== 'nobody').join(', ')}</output>
      <button onClick={() => room.reconnect()}>{timeout === 1_000 ? 'Reconnect' : 'Reconnect other'}</button>
    </>
  );
}

function Same({ user }: { user: string }) {
  const room = useRpcClient<Room>('ROOM', 'options', {
    onStateChange: () => {},
    protocols: async () => [\`user.\${user}\`],
    fetch: window.fetch,
    timeout: 1_000,
    heartbeat: undefined,
    reconnect: { minDelay: 10, maxDelay: 2_000 },
  });
  const { value = [] } = useLive(room, (methods) => methods.guests());
  return <output>{value.filter((guest) => guest !== 'nobody').join(', ')}</output>;
}

function Page() {
  const [user, setUser] = useState('Ada');
  const [hasOther, setHasOther] = useState(false);
  const [, setCount] = useState(0);
  return (
    <>
      <Guests user={user} timeout={1_000} />
      <Same user={user} />
      {hasOther && <Guests user={user} timeout={2_000} />}
      <button onClick={() => setCount((count) => count + 1)}>Render</button>
      <button onClick={() => setUser('Bob')}>Other user</button>
      <button onClick={() => setHasOther(true)}>Other options</button>
    </>
  );
}

show(<Page />);
`;

const HIDDEN = `${IMPORTS}
function Topic() {
  const room = useRpcClient<Room>('ROOM', 'hidden');
  const { value } = useLive(room, (methods) => methods.topic());
  return value !== undefined && <output>{value}</output>;
}

const topic = <Topic />;

function Page() {
  const [isShown, setIsShown] = useState(true);
  return (
    <>
      <Activity mode={isShown ? 'visible' : 'hidden'}>{topic}</Activity>
      <button onClick={() => setIsShown(false)}>Hide</button>
      <button onClick={() => setIsShown(true)}>Show</button>
    </>
  );
}

show(<Page />);
`;

const AFTER = `${IMPORTS}
function Messages() {
  const room = useRpcClient<Room>('ROOM', 'after');
  const [page, setPage] = useState<{ text: string; cursor: string }>();
  const { value } = useLive(
    page && room,
    (methods) => methods.messages(),
    (all: string[] = [page?.text ?? ''], text) => [...all, text],
    { after: page?.cursor },
  );
  return (
    <>
      <output>{(value ?? (page ? [page.text] : ['loading'])).join(', ')}</output>
      <button onClick={() => void room.latest().then(setPage)}>Load</button>
    </>
  );
}

show(<Messages />);
`;

const ON_SERVER = `import { renderToString } from 'react-dom/server';
import { useConnectionState, useLive, useRpcClient } from 'lumenize-rpc/react';
import type { Room } from './e2e/frameworks/rooms-worker.ts';

const clients = new Set<unknown>();

function Topic() {
  const room = useRpcClient<Room>('ROOM', 'served', { baseUrl: 'http://127.0.0.1:9' });
  clients.add(room);
  const { value = 'nothing' } = useLive(room, (methods) => methods.topic());
  const { state = 'not connected' } = useConnectionState(room);
  return <output>{\`\${value}, \${state}\`}</output>;
}

for (let page = 0; page < 2; page++) console.log(renderToString(<Topic />));
console.log(\`\${clients.size} clients\`);
`;
