/** A relay that wakes under its subscribers: it connects without any message of theirs. */
import { evictDurableObject, runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import type { Match } from '../../../../examples/relay/src/match.ts';
import { subscribe } from '../../../src/client.ts';
import { collect, connect } from '../../../src/testing.ts';
import type { TestEnv } from '../../worker.ts';
import type { WokenRelay } from './woken.ts';

test('subscribers from before hibernation go on', async () => {
  using match = connect<Match>('MATCH', 'woken', { transport: 'http' });
  using relay = connect<WokenRelay>('WOKEN_RELAY', 'woken');
  const begun = subscribe(relay).reports();
  const reports = collect(begun);
  await expect.poll(() => begun.cursor).toBeDefined();
  await relay.beRelay();
  const stub = (env as TestEnv).WOKEN_RELAY.getByName('woken');
  await evictDurableObject(stub);
  await match.report('Kick-off');
  expect(reports).toEqual([]);
  expect(await runDurableObjectAlarm(stub)).toBe(true);
  await expect.poll(() => reports).toEqual([{ text: 'Kick-off' }]);
  await match.report('Goal');
  await expect.poll(() => reports.at(-1)).toEqual({ text: 'Goal' });
});
