/** Tests a match, and relays that copy it. */
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { routeDORequest, withCaller } from 'lumenize-rpc/server';
import { subscribe } from 'lumenize-rpc/client';
import { collect, connect } from 'lumenize-rpc/testing';
import type { Match } from '../src/match.ts';
import { ban, connectTo, type MatchRelay } from '../src/match-relay.ts';
import { relayFor, relaysOf } from '../src/relays.ts';

interface Bindings {
  MATCH: DurableObjectNamespace<Match>;
  MATCH_RELAY: DurableObjectNamespace<MatchRelay>;
}

const bindings = env as object as Bindings;

/** A match that is listed in relays.ts. */
const FINAL = 'final';

/** Returns a Worker that treats all requests as requests of one user on one continent. */
function workerOf(continent: string, user = 'ann') {
  return {
    fetch: (request: Request) =>
      routeDORequest(new Request(request, { cf: { continent } } as RequestInit), env, {
        bindings: ['MATCH'],
        onBeforeConnect: (upgrade) => withCaller(upgrade, { user }),
        connectTo: connectTo(bindings),
      }),
  };
}

test('followers of relays receive each report once, and the score', async () => {
  using match = connect<Match>('MATCH', FINAL, { transport: 'http' });
  await match.report('Kick-off');
  const clients = ['EU', 'EU', 'NA', 'AS'].map((continent) =>
    connect<Match>('MATCH', FINAL, { worker: workerOf(continent) }),
  );
  const reports = clients.map((client) => collect(subscribe(client).reports()));
  const scores = clients.map((client) => collect(subscribe(client).getScore()));
  for (const all of reports) await expect.poll(() => all).toEqual([{ recent: ['Kick-off'] }]);
  await match.report('Goal');
  await match.setScore({ home: 1, guests: 0 });
  for (const all of reports) {
    await expect.poll(() => all).toEqual([{ recent: ['Kick-off'] }, { text: 'Goal' }]);
  }
  for (const all of scores) await expect.poll(() => all.at(-1)).toEqual({ home: 1, guests: 0 });
  expect(await clients[0]?.getScore()).toEqual({ home: 1, guests: 0 });
  // A relay has no other method.
  await expect(clients[0]?.report('forged')).rejects.toMatchObject({ code: 'METHOD_NOT_FOUND' });
  for (const client of clients) client.close();
});

test('a follower continues at another relay, and at the match', async () => {
  using match = connect<Match>('MATCH', FINAL);
  using one = connect<Match>('MATCH', FINAL, { worker: workerOf('EU') });
  const begun = subscribe(one).reports();
  const all = collect(begun);
  // A relay with a snapshot begins with it, and continues with the later reports.
  await expect.poll(() => all.length).toBeGreaterThan(0);
  await match.report('1');
  await expect.poll(() => all.at(-1)).toEqual({ text: '1' });
  const after = begun.cursor;
  await match.report('2');
  using other = connect<Match>('MATCH', FINAL, { worker: workerOf('OC') });
  for (const feed of [
    subscribe(other, { after }).reports(),
    subscribe(match, { after }).reports(),
  ]) {
    const reports = collect(feed);
    await expect.poll(() => reports[0]).toEqual({ text: '2' });
  }
});

test('a banned user receives no more reports, also not through a relay', async () => {
  const followers = ['ann', 'bob'].map((user) =>
    connect<Match>('MATCH', FINAL, { worker: workerOf('EU', user) }),
  );
  for (const follower of followers) expect(await follower.getScore()).toBeDefined();
  await ban(bindings, FINAL, 'ann');
  await expect(followers[0]?.getScore()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  expect(await followers[1]?.getScore()).toBeDefined();
  for (const follower of followers) follower.close();
});

test('a name that a client invents has no relay', async () => {
  const upgrade = (client: string, continent?: string): Request =>
    new Request('https://example.com', {
      headers: { 'Sec-WebSocket-Protocol': client },
      ...(continent && { cf: { continent } }),
    });
  const names = Array.from(
    { length: 400 },
    (_, id) => relayFor(FINAL, upgrade(`${id}`, 'NA'))?.name,
  );
  expect(new Set(names).size).toBe(4);
  const all = relaysOf(FINAL).map(({ name }) => name);
  expect(all).toEqual(expect.arrayContaining([...new Set(names)]));
  expect(relayFor(FINAL, upgrade('a'))).toEqual(relayFor(FINAL, upgrade('a', 'T1')));
  for (const name of ['other', 'final/EU', 'final/EU/0', ...all]) {
    expect(relayFor(name, upgrade('a'))).toBeUndefined();
    expect(relaysOf(name)).toEqual([]);
  }
  const [relay = ''] = all;
  for (const binding of ['MATCH', 'MATCH_RELAY']) {
    const url = `https://example.com/__rpc/${binding}/${encodeURIComponent(relay)}/call`;
    const response = await routeDORequest(new Request(url, { method: 'POST', body: '[]' }), env);
    expect(response?.status).toBe(400);
  }
});
