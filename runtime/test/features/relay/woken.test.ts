/** A relay that wakes under its subscribers: it connects without any message of theirs. */
import { evictDurableObject, runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { Match } from '../../../../examples/relay/src/match.ts';
import { subscribe } from '../../../src/client.ts';
import { relay } from '../../../src/relay.ts';
import { collect, connect } from '../../../src/testing.ts';
import type { TestEnv } from '../../worker.ts';
import type { WokenRelay } from './woken.ts';

test.each([{ keep: 0 }, { window: 1.5 }])('%j is no number of events', (options) => {
  const copy = relay<Match>(
    { ctx: { getWebSockets: () => [] } },
    () => env.MATCH.getByName('x'),
    options,
  );
  expect(() => copy.feed('reports')).toThrow(
    /^(keep|window) of feed reports is .*: write a positive integer$/,
  );
});

test('subscribers from before hibernation go on', async () => {
  using match = connect<Match>('MATCH', 'woken', { transport: 'http' });
  using client = connect<WokenRelay>('WOKEN_RELAY', 'woken');
  const begun = subscribe(client).reports();
  const reports = collect(begun);
  await expect.poll(() => begun.cursor).toBeDefined();
  await client.beRelay();
  const stub = (env as TestEnv).WOKEN_RELAY.getByName('woken');
  await evictDurableObject(stub);
  await match.report('Kick-off');
  expect(reports).toEqual([]);
  expect(await runDurableObjectAlarm(stub)).toBe(true);
  await expect.poll(() => reports).toEqual([{ text: 'Kick-off' }]);
  await match.report('Goal');
  await expect.poll(() => reports.at(-1)).toEqual({ text: 'Goal' });
});
