/** The client of the SDK, in both versions of the protocol: it lists, calls, reads, and listens to live values. */
import {
  Client,
  type McpSubscription,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { afterAll, describe, expect, test } from 'vitest';
import { until } from '../../../../harness/waiting.mjs';
import { endpoint, serve } from './serve.ts';

const worker = await serve();

const clients: Client[] = [];
afterAll(() => Promise.all(clients.map((client) => client.close())));

async function connect(
  instance: string,
  version: '2025-11-25' | '2026-07-28',
  token?: string,
): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { versionNegotiation: { mode: version === '2026-07-28' ? { pin: version } : 'legacy' } },
  );
  const headers = new Headers(token === undefined ? [] : [['Authorization', `Bearer ${token}`]]);
  await client.connect(
    new StreamableHTTPClientTransport(endpoint(worker, instance), { requestInit: { headers } }),
  );
  clients.push(client);
  return client;
}

describe.each(['2025-11-25', '2026-07-28'] as const)('version %s', (version) => {
  test('a client learns the name and the capabilities of the server', async () => {
    const client = await connect('info', version);
    expect(client.getServerVersion()).toMatchObject({
      name: 'shop',
      version: '2.0.0',
      title: 'The shop',
    });
    expect(client.getInstructions()).toBe('Sell what there is.');
    expect(client.getServerCapabilities()).toEqual({
      tools: {},
      resources: version === '2026-07-28' ? { subscribe: true } : {},
    });
  });

  test('a client lists and calls tools, whose results match their schemas', async () => {
    const client = await connect(`tools ${version}`, version, 'ada');
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(16);
    const result = (name: string, args?: Record<string, unknown>) =>
      client.callTool({ name, ...(args && { arguments: args }) });
    expect((await result('increment', { by: 2 })).structuredContent).toEqual({ result: 2 });
    expect((await result('increment')).structuredContent).toEqual({ result: 3 });
    const item = { sku: 'a', parts: [{ sku: 'b', parts: [] }] };
    expect((await result('buy', item)).structuredContent).toEqual(item);
    expect((await result('find', { sku: 'b' })).structuredContent).toEqual({});
    expect((await result('lend', { until: '2030-01-02' })).structuredContent).toEqual({
      until: '2030-01-02T00:00:00.000Z',
      fee: '12345678901234567890',
    });
    expect((await result('caller')).content).toEqual([{ type: 'text', text: '{"user":"ada"}' }]);
    expect(await result('fail')).toMatchObject({
      isError: true,
      structuredContent: { code: 'FORBIDDEN', path: '.owner' },
    });
    await expect(result('secret')).rejects.toMatchObject({ code: -32602 });
  });

  test('a client lists and reads live values', async () => {
    const client = await connect(`resources ${version}`, version);
    const { resources } = await client.listResources();
    expect(resources).toMatchObject([{ uri: 'live:stock', mimeType: 'application/json' }]);
    await client.callTool({ name: 'increment', arguments: { by: 5 } });
    expect((await client.readResource({ uri: 'live:stock' })).contents).toEqual([
      { uri: 'live:stock', mimeType: 'application/json', text: '5' },
    ]);
    expect((await client.listResourceTemplates()).resourceTemplates).toEqual([]);
  });

  test('a client that a hook rejects gets an error', async () => {
    await expect(connect('rejected', version, 'nobody')).rejects.toThrow();
  });
});

describe('a client that listens', () => {
  /** Listens, and records the notifications. */
  async function listen(
    client: Client,
    uris: string[],
  ): Promise<{ subscription: McpSubscription; updates: string[] }> {
    const updates: string[] = [];
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      updates.push(params.uri);
    });
    const subscription = await client.listen({ resourceSubscriptions: uris });
    return { subscription, updates };
  }

  test('is notified of each change, and no longer after it has left', async () => {
    const client = await connect('listens', '2026-07-28');
    const { subscription, updates } = await listen(client, ['live:stock', 'live:stock']);
    await until(() => updates.length === 1);
    for (const count of [2, 3]) {
      await client.callTool({ name: 'increment' });
      await until(() => updates.length === count);
    }
    // A change of another value causes no notification.
    await client.callTool({ name: 'clear' });
    await client.callTool({ name: 'increment' });
    await until(() => updates.length === 4);
    expect(updates).toEqual(Array.from({ length: 4 }, () => 'live:stock'));
    await subscription.close();
    await client.callTool({ name: 'increment' });
    expect(updates).toHaveLength(4);
  });

  test('leaves nothing in the object when it has gone', async () => {
    using other = worker.connect('leaves', { transport: 'http' });
    const client = await connect('leaves', '2026-07-28');
    const { updates } = await listen(client, ['live:stock']);
    await until(() => updates.length === 1);
    expect(await other.sockets()).toBe(1);
    // The client sends no message before it closes.
    await client.close();
    await until(async () => (await other.sockets()) === 0);
  });

  test('gets no notifications for an unknown resource', async () => {
    const client = await connect('deaf', '2026-07-28');
    const { subscription, updates } = await listen(client, ['live:above', 'live:__proto__']);
    expect(await subscription.closed).toBe('graceful');
    expect(updates).toEqual([]);
  });

  test('is notified of a change after the object was stopped', async () => {
    const client = await connect('stopped', '2026-07-28');
    const { updates } = await listen(client, ['live:stock']);
    await until(() => updates.length === 1);
    using other = worker.connect('stopped', { transport: 'http' });
    await other.abort().catch(() => {});
    await other.increment(1);
    await until(() => updates.length > 1);
  });
});
