/** Tests a page with a client for each route of React Router, in Chromium, with a real Worker. */
import { expect, test } from 'vitest';
import { blocksOf, GUIDES } from '../guides/blocks.mjs';
import { servedRooms } from './rooms.mjs';

const rooms = servedRooms();

test('each route has a client, which is closed soon after the user has left the route', async () => {
  const { page, shown, press, sockets } = await rooms.open(PAGE, { path: '/counters/tea' });
  await expect.poll(shown).toEqual(['tea: 0']);
  await press('Count');
  await expect.poll(shown).toEqual(['tea: 1']);
  const links = { tea: page.getByText('Tea'), cake: page.getByText('Cake') };
  for (const name of /** @type {const} */ (['cake', 'tea', 'cake'])) {
    await links[name].click();
    await expect.poll(shown).toEqual([name === 'tea' ? 'tea: 1' : 'cake: 0']);
  }
  // Only the visible counter stays connected.
  await expect.poll(() => sockets.open).toBe(1);
  await page.goBack();
  await expect.poll(shown).toEqual(['tea: 1']);
  await expect.poll(() => sockets.open).toBe(1);
  await page.getByText('Home').click();
  await expect.poll(() => sockets.open).toBe(0);
  expect(await shown()).toEqual([]);
  await links.cake.click();
  await press('Count');
  await expect.poll(shown).toEqual(['cake: 1']);
  await expect.poll(() => sockets.open).toBe(1);
});

test('a route that is loaded later keeps the client of the route before it', async () => {
  const { page, shown, sockets } = await rooms.open(LAZY, { path: '/rooms/lazy' });
  await expect.poll(shown).toEqual(['lazy: none']);
  await page.getByText('Details').click();
  await expect.poll(shown).toEqual(['details of none']);
  expect(sockets).toEqual({ opened: 1, open: 1 });
});

const block = blocksOf(`${GUIDES}frameworks.md`).find(({ file }) => file === 'src/app.tsx');
if (!block) throw new Error('The page on frameworks has no src/app.tsx');

const PAGE = `${block.text}
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
createRoot(document.getElementById('root')!).render(<StrictMode><App /></StrictMode>);
`;

const LAZY = `import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter, Link, RouterProvider, useParams } from 'react-router';
import { useLive, useRpcClient } from 'lumenize-rpc/react';
import type { Room } from './e2e/frameworks/rooms-worker.ts';

function useTopic() {
  const { name } = useParams();
  const room = useRpcClient<Room>('ROOM', name);
  return [name, useLive(room, (methods) => methods.topic()).value] as const;
}

function RoomPage() {
  const [name, topic] = useTopic();
  return (
    <>
      {topic && <output>{name}: {topic}</output>}
      <Link to="details">Details</Link>
    </>
  );
}

function Details() {
  const [, topic] = useTopic();
  return topic && <output>details of {topic}</output>;
}

const router = createBrowserRouter([
  { path: '/rooms/:name', Component: RoomPage },
  {
    path: '/rooms/:name/details',
    lazy: async () => {
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      return { Component: Details };
    },
  },
]);
createRoot(document.getElementById('root')!).render(
  <StrictMode><RouterProvider router={router} /></StrictMode>,
);
`;
