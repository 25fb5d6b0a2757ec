/**
 * Sends messages in which one element has another type to a client with each feature, over real
 * sockets. The action of the client ends with a value or an `RpcError`, or goes on. Other calls are
 * answered, the client sends no malformed message and does not send without end, and no error stays
 * unhandled.
 */
import { describe, expect, test, vi } from 'vitest';
import { bytes, callback, RpcError, type RpcClientOptions } from '../../../src/client.ts';
import { debug } from '../../../src/debug.ts';
import { isId } from '../../../src/wire/messages.ts';
import { LAST, MORE, wholeFrame } from '../../../src/wire/pieces.ts';
import { unhandledDuring } from '../../calls/unhandled.ts';
import { CLIENT_CASES, type ClientCase } from './client-cases.ts';
import { type Json, replacedIn } from './replaced.ts';
import { ScriptedObject } from './scripted-object.ts';

/** A message counts as handled after this number of answered calls. */
const EXCHANGES = 2;

/**
 * Stands for the number of the client's message until it is known. No other part of a message has
 * this value.
 */
const NUMBER = 7_777;

/**
 * Returns true if a message of the client has the form of the protocol, apart from parts that came
 * from the object.
 */
function isProper([kind, first, second]: unknown[]): boolean {
  if (isId(kind)) {
    return [first]
      .flat()
      .slice(0, 3)
      .every((one) => typeof one === 'string');
  }
  if (kind === 'ack') return isId(first) && isId(second);
  return kind === 'bytes' || kind === 'awaits' || isId(first);
}

/**
 * Answers a client. It sends the message of a case between the answers of two calls, and answers
 * further calls at once.
 */
class Answers {
  readonly #case: ClientCase;
  /** The replaced message as JSON, with `NUMBER`. */
  readonly #replaced: string;
  readonly #calls: number[] = [];
  #number: number | undefined;

  constructor(one: ClientCase, replaced: string) {
    this.#case = one;
    this.#replaced = replaced;
  }

  readonly to = ([kind, second]: unknown[], object: ScriptedObject): void => {
    const { answers } = this.#case;
    if (isId(kind) && second === 'one') {
      if (this.#calls.push(kind) > 2) object.send(`[[${kind},1]]`);
      else this.#answer(object);
    } else if (answers === (isId(kind) ? second : kind)) {
      this.#number = isId(kind) ? kind : Number(second);
      // The client sends no call before its offer is answered.
      if (answers === 'bytes') object.send(`[${this.#replaced}]`);
      if (answers === 'bytes') this.end(object);
      else this.#answer(object);
    } else if (isId(kind) && answers === 'bytes') object.send(`[[${kind},1]]`);
  };

  /** Sends the messages that end the case. */
  end(object: ScriptedObject): void {
    const { last } = this.#case;
    if (this.#number !== undefined) object.send(JSON.stringify(last(this.#number)));
  }

  #answer(object: ScriptedObject): void {
    const { first, after, length } = this.#case;
    const [one, other] = this.#calls;
    const n = this.#number;
    // All these messages share a frame.
    if (n === undefined || other === undefined) return;
    const textOf = (messages: Json[][] = []): string[] =>
      messages.map((message) => JSON.stringify(message));
    const messages = [
      ...textOf(first?.(n)),
      ...(length ? [`["bytes",${length}]`] : []),
      this.#replaced.replaceAll(`${NUMBER}`, `${n}`),
      ...textOf(after?.(n)),
    ];
    const text = `[${[`[${one},1]`, ...messages, `[${other},1]`].join()}]`;
    object.send(length ? withBytes(text, length) : text);
  }
}

/** Returns a binary frame. */
function withBytes(text: string, length: number): ArrayBuffer {
  const head = new TextEncoder().encode(`${text}\0`);
  const frame = new Uint8Array(head.length + length);
  frame.set(head);
  return frame.buffer;
}

/** @returns the value or the reason of a promise. A rejection counts as handled. */
async function settled(
  promise: PromiseLike<unknown>,
): Promise<{ result: unknown } | { thrown: unknown }> {
  try {
    return { result: await promise };
  } catch (thrown) {
    return { thrown };
  }
}

/** @returns the outcome of the client's action, see `settled` */
async function check(
  one: ClientCase,
  replaced: string,
  options: RpcClientOptions = {},
): Promise<object> {
  const answers = new Answers(one, replaced);
  const hasBytes = one.length !== undefined || one.answers === 'bytes';
  using object = new ScriptedObject(answers.to, { ...(hasBytes && { bytes }), ...options });
  const { client } = object;
  // The rejection of a frame rejects all waiting calls.
  const isRejection = replaced.startsWith('["error",');
  const checkCall = async (call: PromiseLike<unknown>): Promise<void> => {
    const ended = await settled(call);
    if (!isRejection || 'result' in ended) expect(ended, replaced).toEqual({ result: 1 });
  };
  const exchange = async (): Promise<void> => {
    for (let count = 0; count < EXCHANGES; count++) await checkCall(client.one());
  };
  const before = checkCall(client.one());
  const outcome = settled(one.run(client));
  await Promise.all([before, checkCall(client.one())]);
  await exchange();
  answers.end(object);
  await exchange();
  expect(await client.one(), replaced).toBe(1);
  // The client would also wait for these answers without the message.
  client.close();
  const ended = await outcome;
  // A method can throw any value, so the message may contain the thrown value.
  if ('thrown' in ended && ended.thrown instanceof Error) {
    expect(ended.thrown, replaced).toBeInstanceOf(RpcError);
  }
  expect(object.isFlooded, replaced).toBe(false);
  expect(object.malformed, replaced).toEqual([]);
  expect(
    object.messages.filter((message) => !isProper(message)),
    replaced,
  ).toEqual([]);
  return ended;
}

function caseOf(name: string): ClientCase {
  return CLIENT_CASES.find((one) => one.name === name) as ClientCase;
}

describe('a client', () => {
  test.each(CLIENT_CASES)('gets $name', async (one) => {
    const complaints = vi.spyOn(console, 'error').mockImplementation(() => {});
    const unhandled = await unhandledDuring(async () => {
      for (const replaced of replacedIn(one.message(NUMBER))) await check(one, replaced);
    });
    expect(unhandled).toEqual([]);
    expect(complaints.mock.calls).toEqual([]);
    complaints.mockRestore();
  });

  test.each([
    ['answer: undefined', `[${NUMBER},["text"],5]`],
    ['answer: undefined', `[${NUMBER},"json",5]`],
    ['subscription: to a live value', `["subscribed",${NUMBER},40.5]`],
    ['subscription: next ["a"]', `["next",${NUMBER},1,"error",[5]]`],
    ['subscription: next ["a"]', `["next",${NUMBER},"1","a"]`],
    ['subscription: next ["a"]', `["value",${NUMBER},"a"]`],
    ['subscription: rows', `["next",${NUMBER},1,"text"]`],
    ['subscription: rows', `["next",${NUMBER},1,[{"place":null}]]`],
    ['subscription: its end', `["complete",${NUMBER},5]`],
  ])('rejects with BAD_MESSAGE if the answer of %s is %s', async (name, message) => {
    expect(await check(caseOf(name), message)).toMatchObject({ thrown: { code: 'BAD_MESSAGE' } });
  });

  test.each(['text', 5, {}, null])('calls no function if its arguments are %j', async (args) => {
    const run = vi.fn<() => void>();
    using object = new ScriptedObject(([id], own) => {
      if (isId(id)) own.send(JSON.stringify([['call', 9, 1, args]]));
      else own.send('[[1,1]]');
    });
    await object.client.ask(callback(run) as never);
    expect(object.messages.at(-1)?.slice(0, 3)).toEqual(['return', 9, 'error']);
    expect(run).not.toHaveBeenCalled();
  });

  test('with the option debug handles all messages', async () => {
    const shown = vi.spyOn(console, 'log').mockImplementation(() => {});
    for (const name of ['subscription: next ["a"]', 'answer: an error', 'call [[50]]']) {
      const one = caseOf(name);
      for (const text of replacedIn(one.message(NUMBER))) await check(one, text, { debug });
    }
    shown.mockRestore();
  });
});

describe('pieces', () => {
  const OTHERS = ['', 'x', '1000000000', MORE, LAST, new ArrayBuffer(0), new ArrayBuffer(1)];
  const TEXT = [MORE, '[["od', LAST, 'd"]]'];
  const BYTES = [MORE, new Uint8Array([91, 93]).buffer, LAST, new ArrayBuffer(1)];

  test.each([
    ['text', false, TEXT],
    ['bytes', false, BYTES],
    ['text', true, TEXT],
    ['bytes', true, BYTES],
  ])('of %s, with bytes: %s, each replaced or left out', async (_, hasBytes, messages) => {
    for (let index = 0; index < messages.length; index++) {
      const replaced = OTHERS.map((other) => messages.with(index, other));
      for (const all of [messages, messages.toSpliced(index, 1), ...replaced]) {
        using object = new ScriptedObject(
          ([id], own) => {
            // The last piece ends the frame in every state.
            for (const message of [...all, LAST, 'x', `[[${id},1]]`]) own.send(message);
          },
          hasBytes ? { bytes } : {},
        );
        expect(await object.client.one()).toBe(1);
      }
    }
  });

  test('of mixed text and bytes are no frame: a text is not the length of a buffer', () => {
    expect(wholeFrame(['1000000000', new ArrayBuffer(1)])).toBe('');
    expect(wholeFrame([new ArrayBuffer(1), '1000000000'])).toBe('');
  });
});
