/**
 * Tests optimistic changes in pages of Chromium, 300 ms away from a real Worker. A page shows only the old value and
 * the new value. A MutationObserver records each text that the page has had.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { Proxy as NetworkProxy } from '../../harness/network-proxy.ts';
import { servedRooms } from './rooms.mjs';

const rooms = servedRooms();
const folder = mkdtempSync(join(tmpdir(), 'optimistic-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The delay in each direction, in milliseconds. */
const DELAY = 150;

/** Records the texts of all outputs, also of outputs that are removed before anything is painted. */
const OBSERVER = `const seen = new Map<Element, string[]>();
const record = (node: Node | null, text: string | null) => {
  const output = (node instanceof Element ? node : node?.parentElement)?.closest('output');
  if (!output || !text) return;
  const texts = seen.get(output) ?? [];
  seen.set(output, texts);
  if (texts.at(-1) !== text) texts.push(text);
};
new MutationObserver((records) => {
  for (const { type, target, oldValue, addedNodes } of records) {
    if (type === 'characterData') record(target, oldValue);
    for (const node of addedNodes) {
      record(target, node.textContent);
      if (!(node instanceof Element)) continue;
      for (const output of [node, ...node.querySelectorAll('output')]) {
        record(output, output.textContent);
      }
    }
  }
  for (const output of seen.keys()) record(output, output.textContent);
}).observe(document.body, {
  subtree: true,
  childList: true,
  characterData: true,
  characterDataOldValue: true,
});
const name = decodeURIComponent(location.search.slice(1));
Object.assign(globalThis, {
  texts: () => [...seen].filter(([output]) => output.isConnected).map(([, texts]) => texts),
});`;

const CLIENT = `import { createRpcClient, liveStore, optimistic } from 'lumenize-rpc/client';
import type { Counter } from '../../template/src/counter.ts';

export const counter = createRpcClient<Counter>('COUNTER', name, { heartbeat: 1_000 });
`;

const REACT = `import { StrictMode, startTransition, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { useLive, useOptimisticLive } from 'lumenize-rpc/react';
${CLIENT}
const Value = () => <output>{useLive(counter, (methods) => methods.getValue()).value}</output>;

/** Keeps the page busy while it renders. */
function Slow({ steps }: { steps: number }) {
  const end = performance.now() + 20;
  while (performance.now() < end);
  return steps > 0 ? <Slow steps={steps - 1} /> : null;
}

function Page() {
  const [{ value }, optimistic] = useOptimisticLive(counter, (methods) => methods.getValue());
  const [hasMore, setHasMore] = useState(true);
  const [steps, setSteps] = useState(-1);
  const plusOne = (value: number) => value + 1;
  const count = () => void optimistic(counter.increment(), plusOne);
  return (
    <>
      <output>{value}</output>
      {hasMore && <Value />}
      {steps >= 0 && <Slow steps={steps} />}
      <button onClick={count}>Count</button>
      <button onClick={() => startTransition(count)}>Count in a transition</button>
      <button onClick={() => startTransition(() => setSteps(20))}>Render slowly</button>
      <button onClick={() => void optimistic(counter.increment(0), plusOne).catch(() => {})}>
        Refuse
      </button>
      <button onClick={() => void counter.increment(1_000)}>Add 1000</button>
      <button onClick={() => setHasMore(false)}>Fewer</button>
      <button onClick={() => setHasMore(true)}>More</button>
    </>
  );
}

createRoot(document.getElementById('root')!).render(<StrictMode><Page /></StrictMode>);
`;

const OWN_OF_REACT = `import { startTransition, StrictMode, useOptimistic } from 'react';
import { createRoot } from 'react-dom/client';
import { useLive } from 'lumenize-rpc/react';
${CLIENT}
const Value = () => <output>{useLive(counter, (methods) => methods.getValue()).value}</output>;

function Page() {
  const { value = 0 } = useLive(counter, (methods) => methods.getValue());
  const [shown, add] = useOptimistic(value, (value, by: number) => value + by);
  const count = () =>
    startTransition(async () => {
      add(1);
      await counter.increment();
    });
  return (
    <>
      <output>{shown}</output>
      <Value />
      <button onClick={count}>Count</button>
      <button onClick={() => void counter.increment(1_000)}>Add 1000</button>
    </>
  );
}

createRoot(document.getElementById('root')!).render(<StrictMode><Page /></StrictMode>);
`;

/** The actions of the components and of the page without a framework. */
const ACTIONS = `
export const value = liveStore(counter, (methods) => methods.getValue());
const plusOne = (value: number) => value + 1;
export const actions: Record<string, () => void> = {
  Count: () => void optimistic(counter.increment(), value, plusOne),
  Refuse: () => void optimistic(counter.increment(0), value, plusOne).catch(() => {}),
  'Add 1000': () => void counter.increment(1_000),
};
`;

const PLAIN = `${CLIENT}${ACTIONS}
const root = document.getElementById('root')!;
const output = root.appendChild(document.createElement('output'));
value.subscribe(({ value }) => (output.textContent = String(value ?? '')));
for (const [name, run] of Object.entries(actions)) {
  const button = root.appendChild(document.createElement('button'));
  button.append(name);
  button.addEventListener('click', run);
}
`;

const COMPONENTS = {
  'actions.ts': `const name = decodeURIComponent(location.search.slice(1));\n${CLIENT}${ACTIONS}`,
  'Page.svelte': `<script lang="ts">
  import { actions, value } from './actions.ts';
</script>
<output>{$value.value ?? ''}</output>
{#each Object.entries(actions) as [name, run]}<button onclick={run}>{name}</button>{/each}`,
  'Page.vue': `<script setup lang="ts">
import { onUnmounted, shallowRef } from 'vue';
import { actions, value } from './actions.ts';
const live = shallowRef(value.get());
onUnmounted(value.subscribe((newest) => (live.value = newest)));
</script>
<template>
  <output>{{ live.value ?? '' }}</output>
  <button v-for="(run, name) in actions" :key="name" @click="run()">{{ name }}</button>
</template>`,
};

/**
 * @typedef {object} Case
 * @property {string} name
 * @property {string[]} presses - the names of the buttons
 * @property {(proxy: NetworkProxy) => unknown} [lose] - what happens to the connection then
 * @property {number[]} shown - the values after the first value, which is 0
 */

/** @type {Case[]} */
const CASES = [
  { name: 'a call', presses: ['Count'], shown: [1] },
  { name: 'several calls', presses: ['Count', 'Count', 'Count'], shown: [1, 2, 3] },
  { name: 'a call that is rejected', presses: ['Refuse'], shown: [1, 0] },
  {
    name: 'a call that is rejected beside others',
    presses: ['Count', 'Refuse', 'Count'],
    shown: [1, 2, 3, 2],
  },
  {
    name: 'a connection that is cut',
    presses: ['Count', 'Count'],
    lose: (proxy) => proxy.cutAll('reset'),
    shown: [1, 2],
  },
  {
    name: 'a connection that is cut before the answer',
    presses: ['Count', 'Count'],
    lose: (proxy) => proxy.cutAfter(0, 'down', 'reset'),
    shown: [1, 2],
  },
  {
    name: 'a rejection that is lost',
    presses: ['Refuse'],
    lose: (proxy) => proxy.cutAfter(0, 'down', 'reset'),
    shown: [1, 0],
  },
];

describe('in React, two components', () => {
  test.each(CASES)('$name', async ({ presses, lose, shown, name }) => {
    const { proxy, press, texts, shownNow } = await open(REACT, `react ${name}`);
    await expect.poll(shownNow).toEqual(['0', '0']);
    for (const button of presses) await press(button);
    await lose?.(proxy);
    await expect.poll(shownNow).toEqual(Array(2).fill(`${shown.at(-1)}`));
    await settled(press, shownNow, 2);
    const all = [0, ...shown, 1_000 + (shown.at(-1) ?? 0)].map(String);
    expect(await texts()).toEqual([all, all]);
  });

  test('while a transition renders slowly', async () => {
    const { press, texts, shownNow } = await open(REACT, 'react slow');
    await expect.poll(shownNow).toEqual(['0', '0']);
    await press('Render slowly');
    await press('Count in a transition');
    await press('Count');
    await expect.poll(shownNow).toEqual(['2', '2']);
    await settled(press, shownNow, 2);
    const all = ['0', '1', '2', '1002'];
    expect(await texts()).toEqual([all, all]);
  });

  test('a component that mounts during a change shows the change', async () => {
    const { press, texts, shownNow } = await open(REACT, 'react mounted');
    await expect.poll(shownNow).toEqual(['0', '0']);
    await press('Count');
    await press('Fewer');
    await press('More');
    await settled(press, shownNow, 2);
    expect(await texts()).toEqual([
      ['0', '1', '1001'],
      ['1', '1001'],
    ]);
  });
});

describe('elsewhere', () => {
  const PAGES = {
    'no framework': PLAIN,
    Svelte: `import { mount } from 'svelte';
import Page from './Page.svelte';
mount(Page, { target: document.getElementById('root')! });`,
    Vue: `import { createApp } from 'vue';
import Page from './Page.vue';
createApp(Page).mount('#root');`,
  };
  for (const [file, text] of Object.entries(COMPONENTS)) writeFileSync(join(folder, file), text);

  test.each(Object.entries(PAGES))('%s', async (name, script) => {
    const { proxy, press, texts, shownNow } = await open(script, name);
    await expect.poll(shownNow).toEqual(['0']);
    await press('Count');
    await press('Refuse');
    await expect.poll(shownNow).toEqual(['1']);
    await press('Count');
    void proxy.cutAfter(0, 'down', 'reset');
    await settled(press, shownNow, 1);
    expect(await texts()).toEqual([['0', '1', '2', '1', '2', '1002']]);
  });
});

// `docs/decisions/optimistic-values.md` gives the reason for an own hook.
test("React's own hook shows values that never existed, and only in one component", async () => {
  const { press, texts, shownNow } = await open(OWN_OF_REACT, 'own of react');
  await expect.poll(shownNow).toEqual(['0', '0']);
  for (let count = 0; count < 3; count++) await press('Count');
  await expect.poll(shownNow).toEqual(['3', '3']);
  await settled(press, shownNow, 2);
  const [shown = [], other] = await texts();
  expect(shown.map(Number).filter((value) => value > 3 && value < 1_000)).not.toEqual([]);
  expect(other).toEqual(['0', '1', '2', '3', '1003']);
});

/**
 * Makes a call without a change. Its answer comes after the answers of all earlier calls.
 *
 * @param {(name: string) => Promise<void>} press
 * @param {() => Promise<string[]>} shownNow
 * @param {number} outputs
 */
async function settled(press, shownNow, outputs) {
  await press('Add 1000');
  await expect
    .poll(async () => (await shownNow()).map((text) => Number(text) >= 1_000))
    .toEqual(Array(outputs).fill(true));
}

/**
 * Opens a page behind a slow network. Its script has the `name` of its counter.
 *
 * @param {string} script
 * @param {string} name
 */
async function open(script, name) {
  const proxy = await new NetworkProxy(Number(new URL(rooms.url()).port)).listen();
  onTestFinished(() => proxy.close());
  const { page, shown, press } = await rooms.open(`${OBSERVER}\n${script}`, {
    folder,
    path: `/?${encodeURIComponent(name)}`,
    proxy,
  });
  proxy.delay = DELAY;
  return {
    proxy,
    press,
    shownNow: shown,
    /**
     * @returns {Promise<string[][]>} the texts that each output has had, each text once in a row
     */
    texts: () => page.evaluate('texts()'),
  };
}
