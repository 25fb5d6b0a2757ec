/**
 * The arguments of `hostile.test.ts`, by POST. The same code reads them with each transport.
 * Slow: `npm run test:slow` runs it.
 */
import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { post } from './raw-frames.ts';
import { tags } from './tags.ts';
import { values } from './values.ts';

const counter = env.COUNTER.getByName('arguments-by-post');

beforeAll(() => counter.increment(7));

test.each([...values, ...tags])('$name', async ({ frame, answers }) => {
  expect(await post('arguments-by-post', frame())).toEqual(answers);
});

test('so many have changed nothing', async () => {
  expect(await counter.getValue()).toBe(7);
});
