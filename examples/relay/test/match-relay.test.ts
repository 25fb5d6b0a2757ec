/** Tests of a match, and of relays that copy it. */
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { routeDORequest } from 'lumenize-rpc/server';
import { subscribe } from 'lumenize-rpc/client';
import { collect, connect } from 'lumenize-rpc/testing';
import type { Match } from '../src/match.ts';
import { connectTo, type MatchRelay } from '../src/match-relay.ts';
import { originOf, placeOf, relayFor } from '../src/relays.ts';

test('followers of relays get each report once, and the score', async () => {
  using match = connect<Match>('MATCH', 'final', { transport: 'http' });
  await match.report('Kick-off');
  const relays = ['final/EU/0', 'final/EU/1', 'final/NA/0'];
  const clients = relays.map((name) => connect<MatchRelay>('MATCH_RELAY', name));
  const reports = clients.map((client) => collect(subscribe(client).reports()));
  const scores = clients.map((client) => collect(subscribe(client).getScore()));
  for (const all of reports) await expect.poll(() => all).toEqual([{ recent: ['Kick-off'] }]);
  await match.report('Goal');
  await match.setScore({ home: 1, guests: 0 });
  for (const all of reports) {
    await expect.poll(() => all).toEqual([{ recent: ['Kick-off'] }, { text: 'Goal' }]);
  }
  for (const all of scores) await expect.poll(() => all.at(-1)).toEqual({ home: 1, guests: 0 });
  for (const client of clients) client.close();
});

test('a follower goes on at another relay, and at the match', async () => {
  using match = connect<Match>('MATCH', 'moving');
  using one = connect<MatchRelay>('MATCH_RELAY', 'moving/EU/0');
  const begun = subscribe(one).reports();
  const all = collect(begun);
  await expect.poll(() => all).toEqual([{ recent: [] }]);
  await match.report('1');
  await expect.poll(() => all.at(-1)).toEqual({ text: '1' });
  const after = begun.cursor;
  await match.report('2');
  using other = connect<MatchRelay>('MATCH_RELAY', 'moving/AS/3');
  for (const feed of [
    subscribe(other, { after }).reports(),
    subscribe(match, { after }).reports(),
  ]) {
    const reports = collect(feed);
    await expect.poll(() => reports[0]).toEqual({ text: '2' });
  }
});

test('the router leads a WebSocket to a relay, and a POST to the match', async () => {
  const worker = {
    fetch: (request: Request) =>
      routeDORequest(request, env, { connectTo: connectTo(env as never) }),
  };
  using follower = connect<Match>('MATCH', 'routed', { worker });
  using reporter = connect<Match>('MATCH', 'routed', { worker, transport: 'http' });
  const reports = collect(subscribe(follower).reports());
  await reporter.report('Kick-off');
  await expect.poll(() => reports.at(-1)).toMatchObject({});
  await expect(follower.report('forged')).rejects.toMatchObject({ code: 'METHOD_NOT_FOUND' });
});

test('the name of a relay tells its origin and its place', () => {
  expect(originOf('final/EU/2')).toBe('final/EU');
  expect(originOf('final/EU')).toBe('final');
  expect(placeOf('final/EU/2')).toEqual({ locationHint: 'weur' });
  expect(placeOf('final/T1/2')).toEqual({});
  const upgrade = (client: string, continent?: string): Request =>
    new Request('https://example.com', {
      headers: { 'Sec-WebSocket-Protocol': client },
      ...(continent && { cf: { continent } }),
    });
  const names = Array.from({ length: 400 }, (_, id) =>
    relayFor('final', upgrade(`${id}`, 'NA'), 4),
  );
  expect(new Set(names)).toEqual(new Set([0, 1, 2, 3].map((relay) => `final/NA/${relay}`)));
  expect(relayFor('final', upgrade('a'), 4)).toBe(relayFor('final', upgrade('a'), 4));
  expect(relayFor('final', upgrade('a'), 0)).toBeUndefined();
});
