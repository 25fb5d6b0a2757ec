/** A text reader asks for a position, and the object ends the subscription before the question arrives. */
import { expect, test } from 'vitest';
import {
  type TextListener,
  TextReader,
} from '../../../src/features/subscriptions/client/text-reader.ts';
import type { Reader } from '../../../src/features/subscriptions/client/reader.ts';
import { RpcError } from '../../../src/wire/errors.ts';
import { encodeThrown } from '../../../src/wire/values/thrown.ts';

const EXPIRED: unknown[] = JSON.parse(
  `["complete",1${encodeThrown(new RpcError('CURSOR_EXPIRED', 'gone'), false)}]`,
);

/** Returns a reader, and an object with the events 1 to 9 that answers in order. */
function exchange(snapshot: boolean) {
  const arriving: unknown[][] = [];
  const epochs = { now: 'a' };
  const answer = (messages: string): boolean => {
    for (const [kind, id, cursor] of JSON.parse(`[${messages}]`) as [string, number, unknown][]) {
      const [event = '', epoch] = String(cursor || '').split('.');
      if (kind !== 'subscribe') continue;
      if (epoch === epochs.now) {
        arriving.push(['subscribed', id, cursor]);
        for (let next = Number(event) + 1; next <= 9; next++)
          arriving.push(['next', id, next, next]);
      } else if (cursor && !snapshot) arriving.push(['complete', id, ...EXPIRED.slice(2)]);
      else arriving.push(['subscribed', id, `9.${epochs.now}`, 64, ...(snapshot ? ['all'] : [])]);
    }
    return true;
  };
  const heard: string[] = [];
  const listener: TextListener = {
    begun: (restarted) => void (restarted && heard.push(`begun ${restarted.position.event}`)),
    reconnected: () => {},
    answered: (isThere, { position }, events) =>
      void heard.push(`${isThere} ${position.event}, ${events.length} more`),
    take: ({ text }) => void heard.push(text),
    stop: (thrown) => void heard.push(`stop ${thrown}`),
  };
  const readers: Reader[] = [];
  const connection = {
    add: (reader: Reader) => readers.push(reader),
    begin: answer,
    tell: answer,
    resolve: undefined,
    leave: () => {},
  };
  const reader = new TextReader(connection, '"numbers"', listener);
  const arrive = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn++) {
      await undefined;
      for (const message of arriving.splice(0)) {
        readers[(message[1] as number) - 1]?.receive(structuredClone(message));
      }
    }
  };
  return { reader, arriving, epochs, heard, arrive };
}

test.each([true, false])(
  'a question is answered although its subscription has ended, with snapshots: %s',
  async (snapshot) => {
    const { reader, arriving, epochs, heard, arrive } = exchange(snapshot);
    reader.start();
    await arrive();
    expect(heard).toEqual(['begun 9']);
    const asked = reader.ask('3.a', () => true);
    await undefined;
    // The object has sent this message before the question arrived.
    arriving.unshift(EXPIRED);
    await arrive();
    expect(await asked).toBe(true);
    expect(heard.at(-1)).toBe('true 3, 6 more');
    expect(heard.some((one) => one.startsWith('stop'))).toBe(false);
    // The reader gets two messages which say that all its events are gone.
    epochs.now = 'b';
    const gone = reader.ask('5.a', () => true);
    await undefined;
    arriving.unshift(EXPIRED);
    await arrive();
    expect(await gone).toBe(false);
    expect(heard.filter((one) => one === 'begun 9').length).toBeGreaterThan(1);
    const there = reader.ask('7.b', () => true);
    await arrive();
    expect(await there).toBe(true);
    expect(heard.at(-1)).toBe('true 7, 2 more');
    expect(heard.some((one) => one.startsWith('stop'))).toBe(false);
  },
);
