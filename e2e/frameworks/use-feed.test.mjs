/** Tests the hook that shows a feed and loads older pages, in pages of Chromium, with a real Worker. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '../setup/outside.mjs';
import { bundle } from './bundle.mjs';
import { servedRooms } from './rooms.mjs';

const rooms = servedRooms();

/**
 * @param {string} name
 * @param {number} last
 */
async function roomWith(name, last) {
  const room = rooms.client(name);
  onTestFinished(() => room.close());
  for (let number = 1; number <= last; number++) await room.say(`${number}`);
  return room;
}

test('shows the newest page and later events, and older pages above, in strict mode', async () => {
  const room = await roomWith('paged', 8);
  const { shown, press, sockets, page } = await rooms.open(pageOf('paged'));
  await expect.poll(shown).toEqual(['6', '7', '8']);
  // React keeps the existing elements, because their keys stay the same.
  await page.locator('output').evaluateAll((all) => {
    for (const element of /** @type {any[]} */ (all)) element.isMarked = true;
  });
  await room.say('9');
  await expect.poll(shown).toEqual(['6', '7', '8', '9']);
  await press('Older');
  await expect.poll(shown).toEqual(['3', '4', '5', '6', '7', '8', '9']);
  await press('Older');
  await expect.poll(shown).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9']);
  expect(await page.getByRole('button', { name: 'Older' }).count()).toBe(0);
  const marked = await page
    .locator('output')
    .evaluateAll((all) => /** @type {any[]} */ (all).map(({ isMarked }) => isMarked === true));
  const [isNew, isKept] = [false, true];
  expect(marked).toEqual([isNew, isNew, isNew, isNew, isNew, isKept, isKept, isKept, isNew]);
  expect(sockets).toEqual({ opened: 1, open: 1 });
});

test('continues after lost connections', async () => {
  const room = await roomWith('lost', 5);
  const { shown, press, sockets } = await rooms.open(pageOf('lost'));
  await expect.poll(shown).toEqual(['3', '4', '5']);
  const all = ['3', '4', '5'];
  for (let number = 6; number <= 10; number++) {
    await press('Reconnect');
    await room.say(`${number}`);
    all.push(`${number}`);
    // If a socket closes before it has opened, the browser reports an error of the page.
    await expect.poll(async () => (await shown()).at(-1)).toBe(`${number}`);
  }
  await press('Older');
  await expect.poll(shown).toEqual(['1', '2', ...all]);
  expect(sockets.opened).toBeGreaterThan(2);
});

test('a hidden component keeps its events, and continues after them', async () => {
  const room = await roomWith('hidden', 5);
  const { shown, press } = await rooms.open(pageOf('hidden'));
  await expect.poll(shown).toEqual(['3', '4', '5']);
  await press('Older');
  await expect.poll(shown).toEqual(['1', '2', '3', '4', '5']);
  await press('Hide');
  await room.say('6');
  await press('Show');
  await expect.poll(shown).toEqual(['1', '2', '3', '4', '5', '6']);
});

test('for another room it begins again: no render shows events of the first room', async () => {
  await roomWith('one', 2);
  const other = rooms.client('another');
  onTestFinished(() => other.close());
  for (const text of ['a', 'b', 'c', 'd']) await other.say(text);
  const { shown, press, page } = await rooms.open(pageOf('one'));
  await expect.poll(shown).toEqual(['1', '2']);
  await press('Another room');
  await expect.poll(shown).toEqual(['b', 'c', 'd']);
  await press('No room');
  await expect.poll(shown).toEqual([]);
  await press('Another room');
  await expect.poll(shown).toEqual(['b', 'c', 'd']);
  const log = /** @type {string[]} */ (await page.evaluate('log'));
  for (const text of log) {
    if (!text.startsWith('one: ')) expect(text).not.toMatch(/\d/);
  }
});

test('an error is shown, and disappears when loading works again', async () => {
  const room = await roomWith('closed', 5);
  await room.setTopic('closed');
  const { shown, press, page } = await rooms.open(pageOf('closed'));
  const alert = () => page.getByRole('alert').allTextContents();
  await expect.poll(alert).toEqual(['RangeError: The room is closed']);
  expect(await shown()).toEqual([]);
  await room.setTopic('open');
  await press('Older');
  await expect.poll(shown).toEqual(['3', '4', '5']);
  expect(await alert()).toEqual([]);
  await room.setTopic('closed');
  await press('Older');
  await expect.poll(alert).toEqual(['RangeError: The room is closed']);
  await room.say('6');
  await expect.poll(shown).toEqual(['3', '4', '5', '6']);
  await room.setTopic('open');
  await press('Older');
  await expect.poll(shown).toEqual(['1', '2', '3', '4', '5', '6']);
  expect(await alert()).toEqual([]);
});

test('a server that renders a page loads nothing, and can exit', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rendered-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'render.cjs');
  writeFileSync(file, await bundle(ON_SERVER, { platform: 'node' }));
  const { out } = await run('node', [file], { cwd: folder, env: process.env });
  expect(out).toBe('<p>0 events, loading</p>\n');
});

/** @param {string} name - the name of the first room */
const pageOf = (name) => `import { Activity, StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { useFeed, useRpcClient } from 'lumenize-rpc/react';
import type { Room } from './e2e/frameworks/rooms-worker.ts';

const log: string[] = [];
Object.assign(globalThis, { log });

function Messages({ name }: { name: string | undefined }) {
  const room = useRpcClient<Room>('ROOM', name, { reconnect: { minDelay: 10 } });
  const { events, hasOlder, loadOlder, isLoading, error } = useFeed(
    room,
    (methods) => methods.messages(),
    (methods, before) => methods.history(before),
  );
  log.push(\`\${name}: \${events.map(({ event }) => event)}\`);
  return (
    <>
      {hasOlder && <button onClick={loadOlder} disabled={isLoading}>Older</button>}
      {events.map(({ cursor, event }) => <output key={cursor}>{event}</output>)}
      {error ? <p role="alert">{String(error)}</p> : null}
      <button onClick={() => room?.reconnect()}>Reconnect</button>
    </>
  );
}

function Page() {
  const [name, setName] = useState<string | undefined>('${name}');
  const [isShown, setIsShown] = useState(true);
  return (
    <>
      <Activity mode={isShown ? 'visible' : 'hidden'}><Messages name={name} /></Activity>
      <button onClick={() => setIsShown(false)}>Hide</button>
      <button onClick={() => setIsShown(true)}>Show</button>
      <button onClick={() => setName('another')}>Another room</button>
      <button onClick={() => setName(undefined)}>No room</button>
    </>
  );
}

createRoot(document.getElementById('root')!).render(<StrictMode><Page /></StrictMode>);
`;

const ON_SERVER = `import { renderToString } from 'react-dom/server';
import { useFeed, useRpcClient } from 'lumenize-rpc/react';
import type { Room } from './e2e/frameworks/rooms-worker.ts';

function Messages() {
  const room = useRpcClient<Room>('ROOM', 'served', { baseUrl: 'http://127.0.0.1:9' });
  const { events, isLoading } = useFeed(
    room,
    (methods) => methods.messages(),
    (methods, before) => methods.history(before),
  );
  return <p>{\`\${events.length} events, \${isLoading ? 'loading' : 'loaded'}\`}</p>;
}

console.log(renderToString(<Messages />));
`;
