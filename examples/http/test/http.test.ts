/** Tests plain HTTP as programs in other languages use it. */
import { exports } from 'cloudflare:workers';
import { expect, test } from 'vitest';

const COUNTER = 'https://example.com/__rpc/COUNTER';

test('a call with a key runs once, however often it is sent', async () => {
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': crypto.randomUUID() };
  const send = (): Promise<Response> =>
    exports.default.fetch(`${COUNTER}/plain-http/increment`, {
      method: 'POST',
      headers,
      body: '[5]',
    });
  const first = await send();
  expect([first.status, await first.json()]).toEqual([200, 5]);
  expect(first.headers.has('Idempotency-Replayed')).toBe(false);
  const again = await send();
  expect([again.status, await again.json()]).toEqual([200, 5]);
  expect(again.headers.get('Idempotency-Replayed')).toBe('true');
});

test('a call that the contract does not allow gets a problem document', async () => {
  const headers = { 'Content-Type': 'application/json' };
  const url = `${COUNTER}/plain-http-invalid/increment`;
  const response = await exports.default.fetch(url, { method: 'POST', headers, body: '["five"]' });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: 'INVALID_ARGUMENTS', path: '[0]' });
});
