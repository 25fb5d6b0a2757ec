/** Callbacks survive lost connections, restarts and sleep, and belong to their client alone. */
import { describe, expect, test } from 'vitest';
import { Proxy as NetworkProxy } from '../../../../harness/network-proxy.ts';
import { sleep, until } from '../../../../harness/waiting.mjs';
import type { Outcome } from './caller.ts';
import { withOptions } from '../../../src/client.ts';
import { callback } from '../../../src/features/callbacks/client/callback.ts';
import { holding } from '../../served/gates.ts';
import { type Client, serve } from './serve.ts';

const worker = await serve();

/** The runtime evicts an object that has been idle for some ten seconds. */
const IDLE = 12_500;

const away = { code: 'DISCONNECTED', maybeExecuted: false };
const lost = { code: 'DISCONNECTED', maybeExecuted: true };
const gone = { code: 'CLOSED', message: 'The client dropped this callback' };

/** Returns a function that records its arguments and answers with `true`. */
function listener(): { heard: string[]; ask: (text: string) => boolean } {
  const heard: string[] = [];
  return { heard, ask: (text) => heard.push(text) > 0 };
}

/** Returns a promise that never settles. */
function silent(): Promise<boolean> {
  return new Promise(() => {});
}

/** Connects a client that passes no functions, and only looks at the object. */
function observer(instance: string): Client {
  return worker.connect(instance);
}

describe('a lost connection', () => {
  test('a request on it rejects, and a later request takes the next connection', async () => {
    const { client, sockets } = worker.watch('reconnect');
    const { heard, ask } = listener();
    let answers = 0;
    const held = client.hold(
      'held',
      callback((text) => (answers++ === 0 ? silent() : ask(text))),
    );
    await holding(client, 'held');
    await client.release('held', false);
    await until(() => answers === 1);
    client.reconnect();
    await holding(client, 'held');
    await client.release('held', false);
    await holding(client, 'held');
    await client.release('held', true);
    expect(await held).toEqual([expect.objectContaining(lost), { result: true }]);
    expect(heard).toEqual(['held']);
    // The call that was sent again has its old number.
    const calls = sockets.map(
      ({ sent }) => /\[\d+,"hold",[^\]]*.*?"Function",\d+/.exec(sent.join())?.[0],
    );
    expect(calls).toHaveLength(2);
    expect(calls[0]).toMatch(/"Function",1$/);
    expect(calls[1]).toBe(calls[0]);
    client.close();
  });

  test('an answer without a connection does not affect the next connection', async () => {
    const states: string[] = [];
    using client = worker.connect('answered late', {
      onStateChange: (state) => states.push(state),
    });
    let answer: ((yes: boolean) => void) | undefined;
    const held = client.hold(
      'held',
      callback(() => new Promise<boolean>((resolve) => (answer = resolve))),
    );
    await holding(client, 'held');
    await client.release('held', false);
    await until(() => answer !== undefined);
    client.reconnect();
    answer?.(true);
    await holding(client, 'held');
    await client.release('held', true);
    expect(await held).toEqual([expect.objectContaining(lost)]);
    expect(states).toEqual(['connecting', 'open', 'connecting', 'open']);
  });

  test('a closed client is disconnected, and its unanswered requests reject', async () => {
    const client = worker.connect('closed');
    await client.onAlert('closed', callback(silent));
    using other = observer('closed');
    await other.alertSoon('closed');
    client.close();
    await until(async () => (await other.heard('closed')) !== undefined);
    expect(await other.heard('closed')).toMatchObject(lost);
    expect(await other.alert('closed')).toMatchObject({
      ...away,
      message: 'onAlert: the callback [1] belongs to a client that is not connected',
    });
  });

  test('a call that was given up leaves no function at the client', async () => {
    using client = worker.connect('given up');
    using other = observer('given up');
    const { heard, ask } = listener();
    const { signal, abort } = abortion();
    const held = withOptions(client, { signal }).hold('held', callback(ask));
    await holding(client, 'held');
    abort();
    await expect(held).rejects.toMatchObject({ code: 'ABORTED' });
    await other.release('held', false);
    await holding(other, 'held');
    expect(heard).toEqual([]);
    await other.release('held', true);
  });

  test('an object is killed while it waits: the call has maybe run, and its function is gone', async () => {
    using client = worker.connect('killed');
    let asked = 0;
    const asking = client.ask(
      '?',
      callback(() => {
        asked++;
        return silent();
      }),
    );
    const outcome = asking.catch((error: unknown) => error);
    await until(() => asked === 1);
    await worker.restart();
    expect(await outcome).toMatchObject(lost);
    expect(
      await client.ask(
        'again',
        callback(() => true),
      ),
    ).toBe(true);
  });

  test('a client that comes back ends its older connection, whose answers no longer count', async () => {
    using older = await worker.raw('older', { client: 'one-client' });
    older.send('[[1,"hold","rich",[[["held",[1]]],["Function",1]]]]');
    using other = observer('older');
    await holding(other, 'held');
    using newer = await worker.raw('older', { client: 'one-client' });
    expect(await older.next()).toMatch(/^closed 1000/);
    await other.release('held', false);
    const [, k] = /^\[\["call",(\d+),1,\["held"\]\]\]$/.exec(await newer.next()) ?? [];
    newer.send(`[["return",${k},true]]`);
    await holding(other, 'held');
    await other.release('held', true);
  });

  test('an older connection that does not answer the close ends, too: its requests reject at once', async () => {
    const proxy = await new NetworkProxy(worker.runtime.port).listen();
    const older = await worker.raw('mute', { client: 'mute-client', baseUrl: proxy.url });
    await older.ask('[1,"onAlert","rich",[[["mute",[1]]],["Function",1]]]');
    proxy.silence('down');
    using other = observer('mute');
    await other.alertSoon('mute');
    const newer = await worker.raw('mute', { client: 'mute-client' });
    await until(async () => (await other.heard('mute')) !== undefined);
    expect(await other.heard('mute')).toMatchObject(lost);
    older.close();
    newer.close();
    proxy.close();
  });
});

describe('a stored callback', () => {
  test('works after its call, and each function has one token', async () => {
    using client = worker.connect('kept');
    const { heard, ask } = listener();
    const address = await client.onAlert('kept', callback(ask));
    expect(await client.alert('kept')).toEqual({ result: true });
    expect(await client.onAlert('kept', callback(ask))).toBe(address);
    expect(await client.addressAgain('kept')).toBe(address);
    expect(await client.alert('kept')).toEqual({ result: true });
    expect(heard).toEqual(['alert', 'alert']);
  });

  test('works from an alarm', async () => {
    using client = worker.connect('alarm');
    const { heard, ask } = listener();
    await client.onAlert('alarm', callback(ask));
    await client.alertIn(0);
    await until(async () => (await client.heard('alarm')) !== undefined);
    expect(await client.heard('alarm')).toEqual({ result: true });
    expect(heard).toEqual(['alert']);
  });

  test('works after a reconnect, a restart and sleep', async () => {
    using client = worker.connect('lives');
    using other = worker.connect('lives', { transport: 'http' });
    const { heard, ask } = listener();
    await client.onAlert('lives', callback(ask));
    client.reconnect();
    await client.one();
    expect(await other.alert('lives')).toEqual({ result: true });
    await worker.restart();
    // The client reconnects by itself, without a call.
    await until(async () => (await other.alert('lives')).result === true);
    const lives = await other.lives();
    for (let wait = IDLE; (await other.lives()) === lives; wait *= 2) await sleep(wait);
    expect(await other.alert('lives')).toEqual({ result: true });
    expect(heard).toEqual(['alert', 'alert', 'alert']);
  });

  test('works until it is dropped', async () => {
    using client = worker.connect('dropped');
    const { heard, ask } = listener();
    await client.onAlert('dropped', callback(ask));
    await client.drop('dropped');
    expect(await client.alert('dropped')).toMatchObject(gone);
    await client.drop('dropped');
    // A function that was dropped gets a new number with its next call, and works.
    await client.onAlert('dropped', callback(ask));
    expect(await client.alert('dropped')).toEqual({ result: true });
    expect(heard).toEqual(['alert']);
  });

  test('can be dropped while its call waits', async () => {
    using client = worker.connect('dropped early');
    const { heard, ask } = listener();
    const waiting = client.onAlertAndWait('early', callback(ask));
    await holding(client, 'early');
    await client.drop('early');
    await client.release('early', true);
    await waiting;
    expect(await client.alert('early')).toMatchObject(gone);
    expect(heard).toEqual([]);
  });

  test('stays for another place where it was passed, if one place is dropped', async () => {
    using client = worker.connect('dropped once');
    const { heard, ask } = listener();
    await client.onAlert('once', callback(ask));
    const waiting = client.onAlertAndWait('again', callback(ask));
    await holding(client, 'again');
    await client.drop('once');
    await client.release('again', true);
    await waiting;
    expect(await client.alert('again')).toEqual({ result: true });
    await client.drop('again');
    expect(await client.alert('again')).toMatchObject(gone);
    expect(heard).toEqual(['alert']);
  });

  test('stays for another call that passed it, if it is dropped', async () => {
    using client = worker.connect('dropped in use');
    const { heard, ask } = listener();
    const held = client.hold('in use', callback(ask));
    await holding(client, 'in use');
    await client.onAlert('in use', callback(ask));
    await client.drop('in use');
    await client.release('in use', false);
    await until(() => heard.length > 0);
    await holding(client, 'in use');
    await client.release('in use', true);
    expect(await held).toEqual([{ result: true }]);
  });

  test('works even if its call throws, waits, or is given up', async () => {
    using client = worker.connect('throws');
    const { ask } = listener();
    await expect(client.onAlertAndThrow('throws', callback(ask))).rejects.toThrow(
      'after the address',
    );
    expect(await client.alert('throws')).toEqual({ result: true });
    const { signal, abort } = abortion();
    const waiting = withOptions(client, { signal }).onAlertAndWait(
      'waits',
      callback((text) => ask(text)),
    );
    await holding(client, 'waits');
    expect(await client.alert('waits')).toEqual({ result: true });
    abort();
    await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' });
    expect(await client.alert('waits')).toEqual({ result: true });
    await client.release('waits', true);
    expect(await client.alert('waits')).toEqual({ result: true });
  });

  test('works even if the answer of its call was lost, because it is announced again with the answer', async () => {
    const call = '[1,"onAlert","rich",[[["lost",[1]]],["Function",1]]]';
    const answer = /^\[\[1,"[^]*"\],\["keep",1,"\.onAlert\[1\]"\]\]$/;
    const first = await worker.raw('lost answer', { client: 'lost-answer' });
    expect(await first.ask(call)).toMatch(answer);
    first.close();
    using second = await worker.raw('lost answer', { client: 'lost-answer' });
    expect(await second.ask(`["resent",1,10],${call}`)).toMatch(answer);
    await worker.restart();
    using third = await worker.raw('lost answer', { client: 'lost-answer' });
    expect(await third.ask(`["resent",1,10],${call}`)).toMatch(answer);
    // Another call takes the token as an argument.
    const address = await third.ask('["awaits",1],[2,"alertAt","rich",[[[[1]]],["Call",1]]]');
    expect(address).toMatch(/^\[\["call",\d+,1,\["at"\]\]\]$/);
  });

  test('works for a method of a capability', async () => {
    using raw = await worker.raw('desk');
    const [desk] = /"Desk","[^"]+","ann"/.exec(await raw.ask('[1,"desk",["ann"]]')) ?? [];
    raw.send(`[[2,["onAlert",${desk}],"rich",[[[[1]]],["Function",9]]]]`);
    expect(await raw.next()).toBe('[[2],["keep",9,"Desk.onAlert[0]"]]');
    raw.send('[[3,"alert",["ann"]]]');
    const [, k] = /^\[\["call",(\d+),9,\["alert"\]\]\]$/.exec(await raw.next()) ?? [];
    expect(await raw.ask(`["return",${k},5]`)).toContain(
      'onAlert: the result of the callback at [0]()',
    );
    expect(await raw.ask('[4,"addressOfDesk",["ann"]]')).toBe(
      `[[4,${JSON.stringify(`[${desk}]`)}]]`,
    );
  });

  test('rejects with an invalid token, or with a token for a place that is gone', async () => {
    using client = worker.connect('addresses');
    const address = JSON.parse(
      await client.onAlert(
        'a',
        callback(() => true),
      ),
    ) as Record<string, unknown>;
    const at = (changes: object): Promise<Outcome> =>
      client.alertAt(JSON.stringify({ ...address, ...changes }));
    expect(await at({})).toEqual({ result: true });
    expect(await at({ functionId: 99 })).toMatchObject(gone);
    expect(await at({ client: 'nobody' })).toMatchObject(away);
    const none = {
      name: 'TypeError',
      message: 'This text is not the token of a callback: pass the result of tokenOf(callback)',
    };
    for (const changes of [
      { functionId: '1' },
      { functionId: -1 },
      { client: 1 },
      { method: null },
      { path: 0 },
    ]) {
      expect(await at(changes)).toMatchObject(none);
    }
    for (const text of ['', 'null', '[]', '"a"', '["Desk","x"]']) {
      expect(await client.alertAt(text)).toMatchObject(none);
    }
    const changed = { code: 'METHOD_NOT_FOUND', maybeExecuted: false };
    for (const changes of [
      { method: 'no' },
      { path: '[0]' },
      { on: 'Desk' },
      { on: '__proto__' },
    ]) {
      expect(await at(changes)).toMatchObject(changed);
    }
  });

  test('has its answers checked by the current contract', async () => {
    using client = worker.connect('changed', {}, 'CHANGED');
    const answers = [true, false];
    const address = await client.onAlert(
      'changed',
      callback(() => answers.shift() as boolean),
    );
    expect(await client.alertAt(address)).toEqual({ result: true });
    expect(await client.alertAt(address)).toMatchObject({ code: 'INVALID_ARGUMENTS' });
  });
});

describe('callbacks of several clients', () => {
  test('reach their own client', async () => {
    const clients = Array.from({ length: 5 }, () => worker.connect('many'));
    const listeners = clients.map(() => listener());
    await Promise.all(
      clients.map((client, index) =>
        client.onAlert(`${index}`, callback(listeners[index]?.ask ?? silent)),
      ),
    );
    using other = observer('many');
    for (const index of [3, 1, 1]) {
      expect(await other.alert(`${index}`)).toEqual({ result: true });
    }
    expect(listeners.map(({ heard }) => heard.length)).toEqual([0, 2, 0, 1, 0]);
    for (const client of clients) client.close();
  });

  test.each(['DEFAULT', 'RESIDENT'] as const)(
    '%s: are not given to another caller with the same client id, and the first connection stays open',
    async (binding) => {
      using ann = await worker.raw('owners', { binding, user: 'ann', client: 'shared-id' });
      expect(await ann.ask('[1,"onAlert","rich",[[["ann",[1]]],["Function",1]]]')).toContain(
        '["keep",1,".onAlert[1]"]',
      );
      using bob = await worker.raw('owners', { binding, user: 'bob', client: 'shared-id' });
      expect(await bob.ask('[1,"one"]')).toContain('"FORBIDDEN"');
      using other = worker.connect('owners', {}, binding);
      const alert = other.alert('ann');
      const [, k] = /^\[\["call",(\d+),1,\["alert"\]\]\]$/.exec(await ann.next()) ?? [];
      expect(await bob.ask(`["return",${k},false]`)).toContain('"FORBIDDEN"');
      ann.send(`[["return",${k},true]]`);
      expect(await alert).toEqual({ result: true });
      ann.close();
      await until(async () => (await other.alert('ann')).code === 'DISCONNECTED');
    },
  );

  test('do not affect functions that are passed by native Workers RPC', async () => {
    const response = await fetch(`${worker.runtime.url}/native?instance=native`);
    expect(await response.json()).toEqual({
      heard: ['native', 1, 2, 3],
      outcomes: [
        true,
        3,
        ['n', true, 1],
        'RpcError: ask: argument [1] must be function, got 5',
        'TypeError: tokenOf() takes a function that a client passed, or a capability of the contract',
      ],
    });
  });
});

function abortion(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
