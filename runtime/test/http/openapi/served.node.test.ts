/** The OpenAPI document that the door serves. */
import { expect, test } from 'vitest';
import { ask, post, serve } from '../serve.ts';

const worker = await serve();

test('the document is served', async () => {
  const answer = await ask(worker, 'openapi.json');
  expect(answer).toMatchObject({ status: 200, type: 'application/json' });
  expect(answer.body).toMatchObject({ openapi: '3.1.1', info: { title: 'Shop' } });
  const { paths } = answer.body as { paths: object };
  expect(Object.keys(paths)).toContain('/__rpc/SHOP/{instance}/increment');
  expect(Object.keys(paths).join()).not.toContain('HIDDEN');
});

test('the hook guards the document', async () => {
  const headers = { Authorization: 'Bearer nobody' };
  expect(await ask(worker, 'openapi.json', { headers })).toMatchObject({ status: 401, body: 'No' });
});

test('a page of another origin reads it only if cors allows it', async () => {
  const statusFor = async (Origin: string): Promise<number> =>
    (await ask(worker, 'openapi.json', { headers: { Origin } })).status;
  expect(await statusFor('https://friend.example')).toBe(200);
  expect(await statusFor('https://stranger.example')).toBe(403);
});

test('the document can only be read', async () => {
  const answer = await post(worker, 'openapi.json', []);
  expect(answer.status).toBe(405);
  expect(answer.headers.get('Allow')).toBe('GET, HEAD, OPTIONS');
});

test('a router without the option openapi has no document', async () => {
  const answer = await ask(worker, 'openapi.json', {}, '/other-order');
  expect(answer).toMatchObject({ status: 404, body: 'Not found by any router' });
});

test('a document that cannot be made is reported as a problem', async () => {
  expect(await ask(worker, 'openapi.json', {}, '/broken')).toMatchObject({
    status: 500,
    body: { detail: 'The OpenAPI document could not be made: see the log of the Worker' },
  });
});
