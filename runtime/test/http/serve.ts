/** Serves the worker behind the door for plain HTTP. */
import { TestWorker } from '../support/test-worker.ts';
import type { Shop } from './worker.ts';

/** The Durable Object classes, by the names of their bindings. */
const BINDINGS = {
  SHOP: 'Shop',
  UNJOURNALED: 'Unjournaled',
  HIDDEN: 'Hidden',
  BARE: 'Bare',
  OTHER: 'Bare',
} as const;

export type ShopWorker = TestWorker<Shop, keyof typeof BINDINGS>;

export const serve = (): Promise<ShopWorker> => TestWorker.forTests(import.meta.dirname, BINDINGS);

/** A response of the door. */
export interface Answer {
  readonly status: number;
  readonly type: string | null;
  readonly headers: Headers;
  /** The body, parsed if it is JSON. */
  readonly body: unknown;
}

/** Sends a request to the door. */
export async function ask(
  { runtime }: ShopWorker,
  path: string,
  init: RequestInit = {},
  prefix = '/__rpc',
): Promise<Answer> {
  const response = await fetch(`${runtime.url}${prefix}/${path}`, init);
  const text = await response.text();
  const type = response.headers.get('Content-Type');
  const body: unknown = text && type?.endsWith('json') ? JSON.parse(text) : text;
  return { status: response.status, type, headers: response.headers, body };
}

/** Sends a POST of JSON. */
export function post(
  worker: ShopWorker,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return ask(worker, path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}
