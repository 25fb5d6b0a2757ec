/** Serves the worker whose objects are servers of MCP, and sends messages to it. */
import { TestWorker } from '../../support/test-worker.ts';
import type { Shop } from './worker.ts';

const BINDINGS = { SHOP: 'Shop', PLAIN: 'Plain', SUITE: 'Suite' } as const;

export type AgentsWorker = TestWorker<Shop, keyof typeof BINDINGS>;

export const serve = (): Promise<AgentsWorker> =>
  TestWorker.forTests(import.meta.dirname, BINDINGS);

/** Returns the address to which a client of MCP connects. */
export function endpoint({ runtime }: AgentsWorker, instance: string, binding = 'SHOP'): URL {
  return new URL(`${runtime.url}/__rpc/${binding}/${instance}/mcp`);
}

/** A response of the server. */
export interface Answer {
  readonly status: number;
  readonly type: string | null;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed message, which can be the data of an event. */
  readonly message: { readonly result?: unknown; readonly error?: unknown };
}

const HEADERS = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
  'MCP-Protocol-Version': '2025-11-25',
};

/** Sends a text as a client of MCP sends its messages. */
export async function send(url: URL, body: string, init: RequestInit = {}): Promise<Answer> {
  const headers = { ...HEADERS, ...(init.headers as Record<string, string>) };
  const response = await fetch(url, { method: 'POST', body, ...init, headers });
  const text = await response.text();
  const json = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  let message: Answer['message'] = {};
  try {
    message = JSON.parse(json) as Answer['message'];
  } catch {
    // This is a text of the router.
  }
  const type = response.headers.get('Content-Type');
  return { status: response.status, type, headers: response.headers, text, message };
}

/** Sends a request of MCP. */
export function request(
  url: URL,
  method: string,
  params: object = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  return send(url, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), { headers });
}

/** Calls a tool. */
export async function call(
  url: URL,
  name: string,
  args?: unknown,
  headers?: Record<string, string>,
): Promise<unknown> {
  const { message } = await request(url, 'tools/call', { name, arguments: args }, headers);
  return message.result ?? message.error;
}
