/** Tests the components for TanStack Query of its page, in Chromium, with a real Worker. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { apply, blocksOf, GUIDES } from '../guides/blocks.mjs';
import { servedRooms } from './rooms.mjs';

const rooms = servedRooms();
const folder = mkdtempSync(join(tmpdir(), 'tanstack-test-'));
afterAll(() => rmSync(folder, { recursive: true }));
for (const page of ['frameworks', 'tanstack-query']) {
  for (const block of blocksOf(`${GUIDES}${page}.md`)) {
    if (block.file?.startsWith('src/')) apply({ ...block, place: undefined }, folder);
  }
}

/** Two components show one counter, until the name of the first changes. */
const FILES = {
  'Pair.svelte': `<script lang="ts">
  import { QueryClient, QueryClientProvider } from '@tanstack/svelte-query';
  import CounterQuery from './src/CounterQuery.svelte';
  const client = new QueryClient();
  let name = $state('svelte-1');
</script>
<QueryClientProvider {client}>
  <CounterQuery {name} />
  <CounterQuery name="svelte-1" />
</QueryClientProvider>
<input bind:value={name} />`,
  'Pair.vue': `<script setup lang="ts">
import { ref } from 'vue';
import CounterQuery from './src/CounterQuery.vue';
const name = ref('vue-1');
</script>
<template>
  <CounterQuery :name="name" />
  <CounterQuery name="vue-1" />
  <input v-model="name" />
</template>`,
};
for (const [file, text] of Object.entries(FILES)) {
  apply({ guide: '', line: 0, language: '', text, file, place: undefined }, folder);
}

/** @type {Record<string, string>} */
const PAGES = {
  React: `import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { CounterQuery } from './src/counter-query.tsx';

function Pair() {
  const [name, setName] = useState('react-1');
  return (
    <QueryClientProvider client={client}>
      <CounterQuery name={name} />
      <CounterQuery name="react-1" />
      <input value={name} onChange={(event) => setName(event.target.value)} />
    </QueryClientProvider>
  );
}

const client = new QueryClient();
const root = createRoot(document.getElementById('root')!);
root.render(<StrictMode><Pair /></StrictMode>);
Object.assign(globalThis, { remove: () => root.unmount() });`,
  Svelte: `import { mount, unmount } from 'svelte';
import Pair from './Pair.svelte';
const page = mount(Pair, { target: document.getElementById('root')! });
Object.assign(globalThis, { remove: () => void unmount(page) });`,
  Vue: `import { VueQueryPlugin } from '@tanstack/vue-query';
import { createApp } from 'vue';
import Pair from './Pair.vue';
const page = createApp(Pair).use(VueQueryPlugin);
page.mount('#root');
Object.assign(globalThis, { remove: () => page.unmount() });`,
  Solid: `import { createComponent, createEffect, createSignal, onCleanup } from 'solid-js';
import { insert, render } from 'solid-js/web';
import { QueryClient, QueryClientProvider, useMutation, useQuery } from '@tanstack/solid-query';
import { clientStore } from 'lumenize-rpc/client';
import { liveOptions, mutationOptions } from 'lumenize-rpc/tanstack';
import type { CounterApi } from './src/counter-api.ts';

function CounterQuery(props: { name: string }) {
  const [counter, setCounter] = createSignal(clientStore<CounterApi>('COUNTER', props.name).get());
  createEffect(() => {
    const store = clientStore<CounterApi>('COUNTER', props.name);
    onCleanup(store.subscribe((client) => setCounter(() => client)));
  });
  const value = useQuery(() => liveOptions(counter()).getValue());
  const increment = useMutation(() => mutationOptions(counter()).increment());
  const button = document.createElement('button');
  button.onclick = () => increment.mutate(1);
  insert(button, () => String(value.error ?? value.data ?? 'None yet'));
  return button;
}

function Pair() {
  const [name, setName] = createSignal('solid-1');
  const input = document.createElement('input');
  input.value = name();
  input.oninput = () => setName(input.value);
  return [
    createComponent(CounterQuery, { get name() { return name(); } }),
    createComponent(CounterQuery, { name: 'solid-1' }),
    input,
  ];
}

const client = new QueryClient();
const remove = render(
  () => createComponent(QueryClientProvider, { client, get children() { return createComponent(Pair, {}); } }),
  document.getElementById('root')!,
);
Object.assign(globalThis, { remove });`,
};

test.each(Object.entries(PAGES))(
  '%s: components follow a value, share it by name, and leave nothing open',
  async (name, script) => {
    const plain = name.toLowerCase();
    const { page, sockets, shown } = await rooms.open(script, { folder, hasClock: true });
    // Timers of the page wait for its clock, which stands still.
    const values = async () => {
      await page.clock.runFor(1);
      await shown();
      return page.locator('button').allTextContents();
    };
    await expect.poll(values).toEqual(['0', '0']);
    await page.locator('button').first().dispatchEvent('click');
    await expect.poll(values).toEqual(['1', '1']);
    expect(sockets).toEqual({ opened: 1, open: 1 });
    await page.locator('input').fill(`${plain}-2`, { force: true });
    await expect.poll(values).toEqual(['0', '1']);
    await page.locator('button').first().dispatchEvent('click');
    await expect.poll(values).toEqual(['1', '1']);
    await page.locator('button').last().dispatchEvent('click');
    await expect.poll(values).toEqual(['1', '2']);
    await page.locator('input').fill(`${plain}-1`, { force: true });
    await expect.poll(values).toEqual(['2', '2']);
    await page.clock.runFor(1_100);
    await expect.poll(() => sockets).toEqual({ opened: 2, open: 1 });
    await page.evaluate('remove()');
    await expect.poll(values).toEqual([]);
    await page.clock.runFor(1_100);
    await expect.poll(() => sockets).toEqual({ opened: 2, open: 0 });
  },
);

describe('React', () => {
  test('with Suspense, and a key that changes', async () => {
    const { shown, press } = await rooms.open(SUSPENDED);
    await expect.poll(shown).toEqual(['suspense-1: 0']);
    await press('Count');
    await expect.poll(shown).toEqual(['suspense-1: 1']);
    await press('Other');
    await expect.poll(shown).toEqual(['suspense-2: 0']);
    await press('Count');
    await expect.poll(shown).toEqual(['suspense-2: 1']);
  });

  test('a page that was rendered on a server shows its value, and follows it', async () => {
    const room = rooms.client('hydrated');
    await room.setTopic('as rendered');
    const { page, shown } = await rooms.open(HYDRATED);
    await expect.poll(() => page.evaluate('globalThis.html')).toBe('<output>as rendered</output>');
    await expect.poll(shown).toEqual(['as rendered']);
    await room.setTopic('newer');
    await expect.poll(shown).toEqual(['newer']);
    room.close();
  });

  test('a feed goes on while components unmount and mount again', async () => {
    const room = rooms.client('fed');
    const { shown, press } = await rooms.open(FEED);
    await expect.poll(shown).toEqual(['']);
    // No event arrives before the object has the subscription.
    await expect
      .poll(async () => {
        await room.say('a');
        return (await shown())[0]?.length;
      })
      .toBeGreaterThan(0);
    const [before = ''] = await shown();
    await press('Toggle');
    await expect.poll(shown).toEqual([]);
    await room.say('b');
    await press('Toggle');
    await expect.poll(async () => (await shown())[0]?.replaceAll('a', '')).toBe('b');
    await room.say('c');
    await expect.poll(async () => (await shown())[0]?.replaceAll('a', '')).toBe('bc');
    expect((await shown())[0]?.startsWith(before)).toBe(true);
    room.close();
  });
});

const IMPORTS = `import { StrictMode, Suspense, useState } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import {
  dehydrate, HydrationBoundary, QueryClient, QueryClientProvider, useMutation, useQuery, useSuspenseQuery,
} from '@tanstack/react-query';
import { createRpcClient } from 'lumenize-rpc/client';
import { useRpcClient } from 'lumenize-rpc/react';
import { feedOptions, liveOptions, mutationOptions } from 'lumenize-rpc/tanstack';
import type { Room } from './e2e/frameworks/rooms-worker.ts';
import type { Counter } from './template/src/counter.ts';

const client = new QueryClient();
const root = document.getElementById('root')!;
`;

const SUSPENDED = `${IMPORTS}
const counters = {
  'suspense-1': createRpcClient<Counter>('COUNTER', 'suspense-1'),
  'suspense-2': createRpcClient<Counter>('COUNTER', 'suspense-2'),
};

function Value({ name }: { name: keyof typeof counters }) {
  const { data } = useSuspenseQuery(liveOptions(counters[name]).getValue());
  const { mutate } = useMutation(mutationOptions(counters[name]).increment());
  return (
    <>
      <output>{\`\${name}: \${data}\`}</output>
      <button onClick={() => mutate(1)}>Count</button>
    </>
  );
}

function Page() {
  const [name, setName] = useState<keyof typeof counters>('suspense-1');
  return (
    <QueryClientProvider client={client}>
      <Suspense fallback="Wait">
        <Value name={name} />
      </Suspense>
      <button onClick={() => setName('suspense-2')}>Other</button>
    </QueryClientProvider>
  );
}

createRoot(root).render(<StrictMode><Page /></StrictMode>);
`;

const HYDRATED = `${IMPORTS}
function Topic() {
  const room = useRpcClient<Room>('ROOM', 'hydrated');
  const { data } = useQuery(liveOptions(room).topic());
  return <output>{data ?? 'nothing'}</output>;
}

const Page = ({ cache, state }: { cache: QueryClient; state: unknown }) => (
  <QueryClientProvider client={cache}>
    <HydrationBoundary state={state}><Topic /></HydrationBoundary>
  </QueryClientProvider>
);

async function start() {
  const server = new QueryClient();
  const room = createRpcClient<Room>('ROOM', 'hydrated', { transport: 'http' });
  await server.prefetchQuery(liveOptions(room).topic());
  const state = JSON.parse(JSON.stringify(dehydrate(server)));
  const html = renderToString(<Page cache={server} state={state} />);
  root.innerHTML = html;
  hydrateRoot(root, <Page cache={client} state={state} />);
  Object.assign(globalThis, { html });
}

void start();
`;

const FEED = `${IMPORTS}
function Messages() {
  const room = useRpcClient<Room>('ROOM', 'fed');
  const { data = [] } = useQuery(feedOptions(room).messages());
  return <output>{data.join('')}</output>;
}

function Page() {
  const [isOpen, setOpen] = useState(true);
  return (
    <QueryClientProvider client={client}>
      {isOpen && <Messages />}
      <button onClick={() => setOpen(!isOpen)}>Toggle</button>
    </QueryClientProvider>
  );
}

createRoot(root).render(<StrictMode><Page /></StrictMode>);
`;
