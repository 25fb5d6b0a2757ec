/** Tests the hooks for React in pages of Chromium. The object is in the same page, behind a port. */
import { expect, test } from 'vitest';
import { sharedBrowser } from '../../harness/shared-browser.mjs';
import { bundle } from './bundle.mjs';

const browser = sharedBrowser();

test('components share a subscription while one is mounted, also in strict mode', async () => {
  const { shown, press, sent } = await open(SHARED);
  await expect.poll(shown).toEqual(['0', '0']);
  await press('Fewer');
  await expect.poll(shown).toEqual(['0']);
  await press('Increment');
  await expect.poll(shown).toEqual(['1']);
  expect([await sent('subscribe'), await sent('unsubscribe')]).toEqual([1, 0]);
  await press('Fewer');
  await expect.poll(() => sent('unsubscribe')).toBe(1);
  expect(await sent('subscribe')).toBe(1);
});

test('an inline function subscribes again only if it selects another value', async () => {
  const { shown, press, sent, log } = await open(INLINE);
  await expect.poll(shown).toEqual(['of ann: 0']);
  for (let count = 1; count <= 3; count++) {
    await press('Render');
    await press('Increment');
    await expect.poll(shown).toEqual([`of ann: ${count}`]);
  }
  expect([await sent('subscribe'), await sent('unsubscribe')]).toEqual([1, 0]);
  await press('Other argument');
  await expect.poll(shown).toEqual(['of bob: 0']);
  await expect.poll(() => sent('unsubscribe')).toBe(1);
  await press('Other method');
  await expect.poll(shown).toEqual(['total: 3']);
  await press('Other client');
  await expect.poll(shown).toEqual(['elsewhere: 0']);
  await press('First');
  await expect.poll(shown).toEqual(['of ann: 3']);
  // No render shows a value of the earlier selection.
  expect(await log()).toEqual([
    'of ann: ',
    'of ann: 0',
    'of ann: 1',
    'of ann: 2',
    'of ann: 3',
    'of bob: ',
    'of bob: 0',
    'total: ',
    'total: 3',
    'elsewhere: ',
    'elsewhere: 0',
    'of ann: ',
    'of ann: 3',
  ]);
  expect([await sent('subscribe'), await sent('unsubscribe')]).toEqual([5, 4]);
});

test('an error is shown beside the last value, and the next component to mount tries again', async () => {
  const { shown, press } = await open(ERRORS);
  await expect.poll(shown).toEqual(['0, none']);
  await press('Break');
  await expect.poll(shown).toEqual(['0, RangeError: It is broken']);
  // Another selection shows nothing of it.
  await press('Other client');
  await expect.poll(shown).toEqual(['0, none']);
  await press('First client');
  await expect.poll(shown).toEqual(['undefined, RangeError: It is broken']);
  await press('Mend');
  await press('Another');
  await expect.poll(shown).toEqual(['2, none', '2, none']);
});

test('the newest function that combines events receives the next event', async () => {
  const { shown, press, sent } = await open(COMBINED);
  await expect.poll(shown).toEqual(['a0']);
  await press('Increment');
  await expect.poll(shown).toEqual(['a0, a1']);
  await press('Other letter');
  await press('Increment');
  await expect.poll(shown).toEqual(['a0, a1, b2']);
  expect(await sent('subscribe')).toBe(1);
  // Without the function, only the newest event is shown.
  await press('Alone');
  await expect.poll(shown).toEqual(['2']);
  await press('Combined');
  await expect.poll(shown).toEqual(['b2']);
  await press('Increment');
  await expect.poll(shown).toEqual(['b2, b3']);
  // Another subscription begins again.
  await press('Other client');
  await expect.poll(shown).toEqual(['b0']);
  await press('First client');
  await expect.poll(shown).toEqual(['b3']);
});

test('in a list whose rows have keys, only changed rows are rendered', async () => {
  const { shown, press, log } = await open(ROWS);
  await expect.poll(shown).toEqual(['a0', 'b0', 'c0']);
  await press('Change b');
  await expect.poll(shown).toEqual(['a0', 'b1', 'c0']);
  await press('Move c');
  await expect.poll(shown).toEqual(['c0', 'a0', 'b1']);
  await press('Change b');
  await expect.poll(shown).toEqual(['c0', 'a0', 'b2']);
  expect(await log()).toEqual(['a0', 'b0', 'c0', 'b1', 'b2']);
});

test('every component that reads a value shows a change, and only its own component shows combined events', async () => {
  const { shown, press, sent, log } = await open(OPTIMISTIC);
  await expect.poll(shown).toEqual(['0', '0', '0']);
  await press('Increment');
  await expect.poll(shown).toEqual(['1', '1', '0, 1']);
  await press('Combined');
  await expect.poll(shown).toEqual(['2', '2', '0, 1, 2']);
  await press('Break');
  await expect.poll(log).toEqual([
    ['0', '1', '2', '3', '2'],
    ['0', '1', '2', '3', '2'],
    ['0', '0, 1', '0, 1, 2'],
  ]);
  expect(await sent('subscribe')).toBe(2);
});

test('the state of the connection is shown, also by a component that mounts later', async () => {
  const { shown, press } = await open(STATES);
  await expect.poll(shown).toEqual(['not connected']);
  await press('Increment');
  await expect.poll(shown).toEqual(['open']);
  await press('Another');
  await expect.poll(shown).toEqual(['open', 'open']);
  await press('Close');
  await expect.poll(shown).toEqual(['closed, Client closed', 'closed, Client closed']);
});

test('a server renders without a connection, and the page continues from its output', async () => {
  const { page, shown, sent } = await open(SERVED);
  expect(await page.evaluate('html')).toBe('<output>nothing, not connected</output>');
  expect(await page.evaluate('sentByServer')).toBe(0);
  await expect.poll(shown).toEqual(['0, open']);
  expect(await sent('subscribe')).toBe(1);
});

/**
 * Opens a page with a script. The page must report no errors.
 *
 * @param {string} script
 */
async function open(script) {
  const page = await browser.newPage();
  /** @type {string[]} */
  const errors = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await page.setContent('<!doctype html><title>Hooks</title>');
  await page.addScriptTag({ content: await bundle(script) });
  return {
    page,
    shown: async () => {
      expect(errors).toEqual([]);
      return page.locator('output').allTextContents();
    },
    press: (/** @type {string} */ name) => page.getByRole('button', { name, exact: true }).click(),
    /** Returns how often the page has sent a kind of message. */
    sent: async (/** @type {string} */ kind) =>
      (await page.evaluate('sent.join()')).split(`["${kind}"`).length - 1,
    /** Returns the rendered texts, without immediate repetitions. */
    log: () => page.evaluate('log'),
  };
}

/** The client of an object in the page, which records the messages that it sends. */
const SETUP = `import { messagePortTransport } from 'lumenize-rpc/client';
import { compileContract, live, servePort } from 'lumenize-rpc/server';
import * as Type from 'lumenize-rpc/typebox';

class Counter {
  #value = 0;
  #isBroken = false;

  increment(): void {
    this.#value++;
  }

  break(isBroken: boolean): void {
    this.#isBroken = isBroken;
    this.#value++;
  }

  getValue(): number {
    if (this.#isBroken) throw new RangeError('It is broken');
    return this.#value;
  }

  of(name: string): number {
    return name === 'ann' ? this.#value : 0;
  }

  #rows = ['a', 'b', 'c'].map((id) => ({ id, changes: 0 }));

  rows() {
    return this.#rows;
  }

  change(id: string): void {
    for (const row of this.#rows) if (row.id === id) row.changes++;
  }

  first(id: string): void {
    this.#rows.sort((one) => (one.id === id ? -1 : 0));
  }
}

const contract = compileContract({
  increment: [],
  break: [Type.Boolean()],
  getValue: live(),
  of: live([Type.String()]),
  rows: live([], { key: 'id' }),
  change: [Type.String()],
  first: [Type.String()],
});
const sent: unknown[] = [];
const log: string[] = [];
Object.assign(globalThis, { sent, log });

function clientOf(name: string) {
  const { port1, port2 } = new MessageChannel();
  servePort(port2, new Counter(), contract);
  const transport = messagePortTransport(port1);
  return createRpcClient<Counter>('COUNTER', name, {
    transport: {
      ...transport,
      send(frame) {
        sent.push(frame);
        transport.send(frame);
      },
    },
  });
}

const counter = clientOf('one');`;

const IMPORTS = `import { memo, StrictMode, useLayoutEffect, useState } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { createRpcClient } from 'lumenize-rpc/client';
import { useConnectionState, useLive, useOptimisticLive } from 'lumenize-rpc/react';
${SETUP}
const show = (page: React.ReactNode) =>
  createRoot(document.body.appendChild(document.createElement('div'))).render(page);
`;

const SHARED = `${IMPORTS}
const Value = () => <output>{useLive(counter, (methods) => methods.getValue()).value}</output>;

function Page() {
  const [count, setCount] = useState(2);
  return (
    <>
      {Array.from({ length: count }, (_, index) => <Value key={index} />)}
      <button onClick={() => setCount(count - 1)}>Fewer</button>
      <button onClick={() => void counter.increment()}>Increment</button>
    </>
  );
}

show(<StrictMode><Page /></StrictMode>);
`;

const INLINE = `${IMPORTS}
const elsewhere = clientOf('elsewhere');

function Value({ name }: { name: string }) {
  const { value } = useLive(name === 'elsewhere' ? elsewhere : counter, (methods) =>
    name.startsWith('of ') ? methods.of(name.slice(3)) : methods.getValue(),
  );
  const text = \`\${name}: \${value ?? ''}\`;
  if (log.at(-1) !== text) log.push(text);
  return <output>{text}</output>;
}

function Page() {
  const [name, setName] = useState('of ann');
  const [, setCount] = useState(0);
  return (
    <>
      <Value name={name} />
      <button onClick={() => setCount((count) => count + 1)}>Render</button>
      <button onClick={() => void counter.increment()}>Increment</button>
      <button onClick={() => setName('of bob')}>Other argument</button>
      <button onClick={() => setName('total')}>Other method</button>
      <button onClick={() => setName('elsewhere')}>Other client</button>
      <button onClick={() => setName('of ann')}>First</button>
    </>
  );
}

show(<StrictMode><Page /></StrictMode>);
`;

const ERRORS = `${IMPORTS}
const elsewhere = clientOf('elsewhere');

function Value({ client }: { client: typeof counter }) {
  const { value, error } = useLive(client, (methods) => methods.getValue());
  return <output>{\`\${value}, \${error ?? 'none'}\`}</output>;
}

function Page() {
  const [count, setCount] = useState(1);
  const [client, setClient] = useState(counter);
  return (
    <>
      {Array.from({ length: count }, (_, index) => <Value key={index} client={client} />)}
      <button onClick={() => void counter.break(true).catch(() => {})}>Break</button>
      <button onClick={() => void counter.break(false)}>Mend</button>
      <button onClick={() => setCount(count + 1)}>Another</button>
      <button onClick={() => setClient(elsewhere)}>Other client</button>
      <button onClick={() => setClient(counter)}>First client</button>
    </>
  );
}

show(<Page />);
`;

const COMBINED = `${IMPORTS}
const elsewhere = clientOf('elsewhere');

interface Chosen {
  client: typeof counter;
  letter: string;
  combines: boolean;
}

function Value({ client, letter, combines }: Chosen) {
  const add = (all: string[] = [], value: number) => [...all, letter + value];
  const { value } = useLive<Counter, number, unknown>(
    client,
    (methods) => methods.getValue(),
    combines ? add : undefined,
  );
  return <output>{Array.isArray(value) ? value.join(', ') : String(value ?? '')}</output>;
}

function Page() {
  const [letter, setLetter] = useState('a');
  const [combines, setCombines] = useState(true);
  const [client, setClient] = useState(counter);
  return (
    <>
      <Value client={client} letter={letter} combines={combines} />
      <button onClick={() => void counter.increment()}>Increment</button>
      <button onClick={() => setLetter('b')}>Other letter</button>
      <button onClick={() => setCombines(false)}>Alone</button>
      <button onClick={() => setCombines(true)}>Combined</button>
      <button onClick={() => setClient(elsewhere)}>Other client</button>
      <button onClick={() => setClient(counter)}>First client</button>
    </>
  );
}

show(<StrictMode><Page /></StrictMode>);
`;

const ROWS = `${IMPORTS}
const Row = memo(({ row }: { row: { id: string; changes: number } }) => {
  const text = row.id + row.changes;
  log.push(text);
  return <output>{text}</output>;
});

function Page() {
  const { value = [] } = useLive(counter, (methods) => methods.rows());
  return (
    <>
      {value.map((row) => <Row key={row.id} row={row} />)}
      <button onClick={() => void counter.change('b')}>Change b</button>
      <button onClick={() => void counter.first('c')}>Move c</button>
    </>
  );
}

show(<Page />);
`;

const OPTIMISTIC = `${IMPORTS}
const seen: string[][] = [[], [], []];
Object.assign(globalThis, { log: seen });

/** Records what a component has in the page, each text once in a row. */
function Shown({ index, text }: { index: number; text: string }) {
  useLayoutEffect(() => {
    if (text && seen[index].at(-1) !== text) seen[index].push(text);
  });
  return <output>{text}</output>;
}

const Plain = () => (
  <Shown index={0} text={String(useLive(counter, (methods) => methods.getValue()).value ?? '')} />
);

function Page() {
  const [{ value }, optimistic] = useOptimisticLive(counter, (methods) => methods.getValue());
  const [{ value: all = [] }, optimisticAll] = useOptimisticLive(
    counter,
    (methods) => methods.getValue(),
    (all: number[] = [], value: number) => [...all, value],
  );
  const plusOne = (value: number) => value + 1;
  return (
    <>
      <Plain />
      <Shown index={1} text={String(value ?? '')} />
      <Shown index={2} text={all.join(', ')} />
      <button onClick={() => void optimistic(counter.increment(), plusOne)}>Increment</button>
      <button
        onClick={() => {
          const call = counter.increment();
          void optimisticAll(call, (all) => [...all, (all.at(-1) ?? 0) + 1]);
          void optimistic(call, plusOne);
        }}
      >
        Combined
      </button>
      <button
        onClick={() => void optimistic(counter.break('no' as never), plusOne).catch(() => {})}
      >
        Break
      </button>
    </>
  );
}

show(<StrictMode><Page /></StrictMode>);
`;

const STATES = `${IMPORTS}
function State() {
  const { state = 'not connected', reason } = useConnectionState(counter);
  return <output>{reason ? \`\${state}, \${reason}\` : state}</output>;
}

function Page() {
  const [count, setCount] = useState(1);
  return (
    <>
      {Array.from({ length: count }, (_, index) => <State key={index} />)}
      <button onClick={() => void counter.increment()}>Increment</button>
      <button onClick={() => setCount(count + 1)}>Another</button>
      <button onClick={() => counter.close()}>Close</button>
    </>
  );
}

show(<StrictMode><Page /></StrictMode>);
`;

const SERVED = `import { renderToString } from 'react-dom/server';
${IMPORTS}
function Page() {
  const { value = 'nothing' } = useLive(counter, (methods) => methods.getValue());
  const { state = 'not connected' } = useConnectionState(counter);
  return <output>{\`\${value}, \${state}\`}</output>;
}

const html = renderToString(<Page />);
Object.assign(globalThis, { html, sentByServer: sent.length });
const root = document.body.appendChild(document.createElement('div'));
root.innerHTML = html;
hydrateRoot(root, <Page />);
`;
