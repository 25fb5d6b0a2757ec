/** Tests the components for Svelte and Vue of the page on frameworks, in Chromium, with a real Worker. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { apply, blocksOf, GUIDES } from '../guides/blocks.mjs';
import { servedRooms } from './rooms.mjs';

const rooms = servedRooms();
const folder = mkdtempSync(join(tmpdir(), 'stores-test-'));
afterAll(() => rmSync(folder, { recursive: true }));
for (const block of blocksOf(`${GUIDES}frameworks.md`)) {
  if (block.file?.startsWith('src/')) apply({ ...block, place: undefined }, folder);
}

/** Two components show one counter, until the name of the first changes. */
const PAGES = {
  Svelte: `import { mount, unmount } from 'svelte';
import Pair from './Pair.svelte';
const page = mount(Pair, { target: document.getElementById('root')! });
Object.assign(globalThis, { remove: () => void unmount(page) });`,
  Vue: `import { createApp } from 'vue';
import Pair from './Pair.vue';
const page = createApp(Pair);
page.mount('#root');
Object.assign(globalThis, { remove: () => page.unmount() });`,
};
const PAIRS = {
  'Pair.svelte': `<script lang="ts">
  import Counter from './src/Counter.svelte';
  let name = $state('svelte-1');
</script>
<Counter {name} />
<Counter name="svelte-1" />
<input bind:value={name} />`,
  'Pair.vue': `<script setup lang="ts">
import { ref } from 'vue';
import Counter from './src/Counter.vue';
const name = ref('vue-1');
</script>
<template>
  <Counter :name="name" />
  <Counter name="vue-1" />
  <input v-model="name" />
</template>`,
};
for (const [file, text] of Object.entries(PAIRS)) {
  apply({ guide: '', line: 0, language: '', text, file, place: undefined }, folder);
}

test.each(Object.entries(PAGES))('%s: components share a client by name', async (name, script) => {
  const plain = name.toLowerCase();
  const { page, sockets, shown } = await rooms.open(script, { folder, hasClock: true });
  const values = async () => {
    await shown();
    return page.locator('button').allTextContents();
  };
  await expect.poll(values).toEqual(['0', '0']);
  await page.locator('button').first().dispatchEvent('click');
  await expect.poll(values).toEqual(['1', '1']);
  expect(sockets).toEqual({ opened: 1, open: 1 });
  await page.locator('input').fill(`${plain}-2`, { force: true });
  await expect.poll(values).toEqual(['0', '1']);
  await page.locator('input').fill(`${plain}-3`, { force: true });
  await expect.poll(values).toEqual(['0', '1']);
  await page.clock.runFor(1_100);
  await expect.poll(() => sockets).toEqual({ opened: 3, open: 2 });
  await page.locator('input').fill(`${plain}-1`, { force: true });
  await expect.poll(values).toEqual(['1', '1']);
  await page.evaluate('remove()');
  await expect.poll(values).toEqual([]);
  await page.clock.runFor(1_100);
  await expect.poll(() => sockets).toEqual({ opened: 3, open: 0 });
});
