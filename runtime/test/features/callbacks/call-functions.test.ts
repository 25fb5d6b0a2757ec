/** Functions of clients, frame by frame: how their answers are checked, and how stored functions are dropped. */
import * as Type from '../../../src/typebox.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  callback,
  callbackAt,
  capability,
  compileContract,
  dropCallback,
  read,
  tokenOf,
} from '../../../src/server.ts';
import { CallResourceMap } from '../../../src/server/calls/call-resources.ts';
import { CallbackArguments } from '../../../src/features/callbacks/server/callback-arguments.ts';
import { DEFAULT_LIMITS } from '../../../src/server/base/limits.ts';
import { ClientConnection } from '../../../src/server/connections/client-connection.ts';
import { ofKind } from '../../support/messages.ts';
import { openPort } from '../../support/open-port.ts';
import type { RawConnection } from '../../support/raw-connection.ts';

type Ask = (...args: unknown[]) => Promise<unknown>;

class TicketImpl {
  readonly #number: number;

  constructor(_desk: object, number: number) {
    this.#number = number;
  }

  number(): number {
    return this.#number;
  }
}

const Ticket = capability(TicketImpl, [Type.Integer()], {
  number: read(),
});

class Desk {
  readonly #gate = Promise.withResolvers<void>();
  readonly addresses: string[] = [];
  #kept: Ask | undefined;

  ask(ask: Ask): Promise<unknown> {
    return ask();
  }

  /** Its function may answer without a value. */
  maybe(ask: Ask): Promise<unknown> {
    return ask();
  }

  give(ask: Ask): Promise<unknown> {
    return ask(new Ticket(this, 7));
  }

  ticket(): InstanceType<typeof Ticket> {
    return new Ticket(this, 7);
  }

  /** Returns the names of the properties, and the type of each. */
  look(options: Record<string, unknown> | undefined, _ask: Ask): unknown {
    return options && Object.entries(options).map(([key, value]) => [key, typeof value]);
  }

  /** Keeps the function, and ends when the gate opens. */
  async keepAndWait(ask: Ask): Promise<void> {
    this.keep(ask);
    await this.#gate.promise;
  }

  keep(ask: Ask): void {
    this.#kept = ask;
    this.addresses.push(tokenOf(ask));
  }

  /** Calls the function that was kept last. */
  callKept(): Promise<unknown> {
    return (this.#kept as Ask)();
  }

  open(): void {
    this.#gate.resolve();
  }

  one(): number {
    return 1;
  }
}

const any = callback([], Type.Unknown());
const options = Type.Optional(
  Type.Object({
    ask: Type.Optional(any),
    each: Type.Optional(Type.Array(any)),
    on: Type.Optional(Type.Object({ ask: any })),
    text: Type.Optional(Type.String()),
  }),
);

const contract = compileContract({
  ask: [callback([], Type.Boolean())],
  maybe: [callback([], Type.Optional(Type.Boolean()) as Type.TSchema)],
  give: [any],
  ticket: { input: [], returns: Ticket, readonly: true },
  look: [options, any],
  keepAndWait: [any],
  keep: [any],
  callKept: [],
  open: [],
  one: read(),
});

let desk: Desk;
let raw: RawConnection;

beforeEach(() => {
  desk = new Desk();
  raw = openPort(desk, contract);
});

const FUNCTION = '["Function",1]';
const call = (id: number, method: string): string =>
  `[${id},"${method}","rich",[[[[1]]],${FUNCTION}]]`;

const isAnswer = ([id]: unknown[]): boolean => id === 1;

/** Makes a method call its function. @returns the number of the call */
async function called(method: string): Promise<unknown> {
  const [[, k] = []] = ofKind(await raw.exchange(call(1, method)), 'call');
  return k;
}

describe('an answer', () => {
  test.each(['"again",true', '"rich",[true],1', '"error",["x"],1', 'true,1', 'true,1,2,3'])(
    'with the elements %s is rejected',
    async (parts) => {
      const k = await called('ask');
      const [refused] = await raw.exchange(`["return",${k},${parts}]`);
      expect(JSON.stringify(refused)).toMatch(/^\["error",.*"BAD_MESSAGE"/);
      // The object still waits for the answer.
      raw.sendMessages(`["return",${k},true]`);
      expect(await raw.until(isAnswer)).toEqual([[1, true]]);
    },
  );

  test.each([
    ['a result', ''],
    ['an error', '"error",'],
  ])('that is %s counts against the limits', async (_, form) => {
    const limits = { ...DEFAULT_LIMITS, valueCount: 10, valueDepth: 5 };
    const limited = openPort(desk, { ...contract, limits });
    for (const [id, value] of [
      [1, JSON.stringify(Array.from({ length: 11 }, () => 1))],
      [1001, `${'[1,'.repeat(7)}1${']'.repeat(7)}`],
    ] as const) {
      const [[, k] = []] = ofKind(await limited.exchange(call(id, 'give')), 'call');
      const answer = form ? `"error",[${value}]` : value;
      limited.sendMessages(`["return",${k},${answer}]`);
      const heard = await limited.until(([first]) => first === id);
      expect(JSON.stringify(heard)).toContain('"LIMIT_EXCEEDED"');
    }
  });

  test('may be without a value where its schema is optional, and only there', async () => {
    raw.sendMessages(`["return",${await called('maybe')}]`);
    expect(await raw.until(isAnswer)).toEqual([[1]]);
    const other = openPort(desk, contract);
    const [[, k] = []] = ofKind(await other.exchange(call(1, 'ask')), 'call');
    other.sendMessages(`["return",${k}]`);
    expect(JSON.stringify(await other.until(isAnswer))).toContain('INVALID_ARGUMENTS');
  });
});

test('a capability is sent to a function as it is sent in a result', async () => {
  const [[, , , , given] = []] = ofKind(await raw.exchange(call(1, 'give')), 'call');
  const [[, , result] = []] = await raw.exchange('[1001,"ticket"]');
  const reference = (list: unknown): unknown => (list as unknown[][]).at(-1);
  expect(reference(given)).toEqual(reference(result));
});

describe('beside a function', () => {
  // In the list of a message, `[]` is nothing and `[[]]` is an empty array.
  test.each<[given: string, seen: unknown]>([
    ['[]', undefined],
    ['{}', []],
    ['{"text":"x"}', [['text', 'string']]],
    ['{"ask":[]}', [['ask', 'undefined']]],
    ['{"each":[]}', [['each', 'undefined']]],
    ['{"on":[]}', [['on', 'undefined']]],
    ['{"each":[[]]}', [['each', 'object']]],
  ])('an argument without a function stays as it is: %s', async (given, seen) => {
    const message = `[1,"look","rich",[[${given},[1]],${FUNCTION}]]`;
    expect(await raw.exchange(message)).toEqual([seen === undefined ? [1] : [1, seen]]);
  });
});

describe('a function that is kept', () => {
  test('is dropped for its client alone, even if another client has a function of the same number', async () => {
    const other = openPort(desk, contract);
    await raw.exchange(call(1, 'keepAndWait'));
    await other.exchange(call(1, 'keepAndWait'));
    dropCallback(desk, desk.addresses[0] as string);
    desk.open();
    const fromAnswer = (messages: unknown[][]): unknown[][] =>
      messages.slice(messages.findIndex(isAnswer));
    expect(fromAnswer(await raw.until(isAnswer))).toEqual([[1]]);
    expect(fromAnswer(await other.until(isAnswer))).toEqual([[1], ['keep', 1, '.keepAndWait[0]']]);
  });

  test('and dropped after its call is still called at its client, which reports that it is dropped', async () => {
    await raw.exchange(call(1, 'keep'));
    dropCallback(desk, desk.addresses[0] as string);
    expect(ofKind(await raw.exchange('[1001,"callKept"]'), 'call')).toHaveLength(1);
    void callbackAt(desk, desk.addresses[0] as string)();
    expect(ofKind(await raw.exchange(), 'call')).toHaveLength(1);
  });
});

test('tokenOf() throws for a function of a client without an id', () => {
  const peer = new ClientConnection({}, { send() {}, storeState() {}, isOpen: true });
  const scope = new CallResourceMap({ instance: desk, contract }, peer, 1);
  const functions = scope.add(
    'callbacks',
    new CallbackArguments({ instance: desk, contract }, peer),
  );
  const method = contract.methods.get('keep') as NonNullable<
    ReturnType<typeof contract.methods.get>
  >;
  const [ask] = method.bind?.([functions.take([1])], desk, scope) ?? [];
  expect(() => tokenOf(ask as Ask)).toThrow(
    new TypeError(
      'The client has no id, so its callbacks cannot be stored: call by createRpcClient',
    ),
  );
});
