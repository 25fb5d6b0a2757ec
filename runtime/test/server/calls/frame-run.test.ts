/**
 * Tests the errors that a client receives for rejected messages, and for results that cannot be
 * sent.
 */
import * as Type from '../../../src/typebox.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { compileContract, type ContractOptions } from '../../../src/server.ts';
import { openPort } from '../../support/open-port.ts';
import type { RawConnection } from '../../support/raw-connection.ts';

class Things {
  echo(value: unknown): unknown {
    return value;
  }

  throwText(): never {
    throw 'text';
  }

  nested(kind: string): unknown {
    const generated = (function* generate() {
      yield 1;
    })();
    return { in: [kind === 'stream' ? new ReadableStream() : generated] };
  }
}

const entries = { echo: [Type.Unknown()], throwText: [], nested: [Type.String()] };

const serve = (options?: ContractOptions): RawConnection =>
  openPort(new Things(), compileContract(entries, options));

afterEach(() => void vi.restoreAllMocks());

const NO_MESSAGE = 'A message must begin with the id of its call, or with the name of its kind';
const INSTEAD =
  ': return the stream itself, from a method that the contract lists by stream([…]), or collect its items in an array';

test.each([
  ['["odd"]', 'BAD_MESSAGE', NO_MESSAGE],
  ['["awaits"]', 'BAD_MESSAGE', 'A message "awaits" must have the ids of calls'],
  ['x', 'BAD_MESSAGE', 'Malformed frame'],
  ['[2,"echo",[1]],[1,"echo",[1]]', 'BAD_MESSAGE', 'Call ids must ascend within a frame'],
  ['[1,"echo","rich",[{"length":0}]]', 'BAD_MESSAGE', 'Arguments must be an array'],
  ['[1,"echo",[{"__proto__":1}]]', 'BAD_MESSAGE', 'A property must not have the name __proto__'],
  [
    '[1,"echo","rich",[[[[1]]],["Call",9]]]',
    'BAD_MESSAGE',
    'Call 1 uses the result of call 9, which is not before it in the frame',
  ],
  [
    '["resent",1],[1,"echo",[1]]',
    'DISCONNECTED',
    'Call 1 may have run, but its answer is not stored',
  ],
  [
    '[1,"nested",["stream"]]',
    'UNSERIALIZABLE',
    `nested: Cannot send an instance of ReadableStream at .in[0]${INSTEAD}`,
  ],
  [
    '[1,"nested",["generator"]]',
    'UNSERIALIZABLE',
    `nested: Cannot send an instance of Generator at .in[0]${INSTEAD}`,
  ],
])('%s: %s', async (messages, code, message) => {
  const answer = await serve().ask(messages);
  expect(answer).toContain(`"RpcError",${JSON.stringify(message)},[],{"code":"${code}"`);
});

test.each<[string, ContractOptions['onError'], unknown]>([
  ['nothing', () => undefined, '"text"'],
  ['null', () => null, 'null'],
  ['another', (error, { method }) => `${String(error)} of ${method}`, '"text of throwText"'],
])('onError replaces an error with: %s', async (_, onError, thrown) => {
  expect(await serve({ onError }).ask('[1,"throwText"]')).toBe(`[[1,"error",[${thrown}]]]`);
});

test('the console shows an error that onError throws', async () => {
  const report = vi.spyOn(console, 'error').mockImplementation(() => {});
  const failure = new Error('a secret');
  const onError = (): never => {
    throw failure;
  };
  expect(await serve({ onError }).ask('[1,"throwText"]')).not.toContain('secret');
  expect(report.mock.calls).toEqual([[failure]]);
});
