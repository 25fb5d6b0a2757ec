/**
 * If the answers of a frame exceed what an object holds for a client, the rest of the frame waits
 * until the client has read.
 */
import * as Type from '../../../src/typebox.ts';
import { describe, expect, test } from 'vitest';
import { compileContract, read } from '../../../src/server.ts';
import { ClientConnection } from '../../../src/server/connections/client-connection.ts';
import { answerFrame } from '../../../src/server/calls/dispatch.ts';
import { sleep } from '../../../../harness/waiting.mjs';

const MB = 1_048_576;

class Texts {
  readonly ran: number[] = [];

  text(length: number): string {
    this.ran.push(length);
    return 'x'.repeat(length);
  }

  async late(): Promise<string> {
    return 'late';
  }
}

const contract = compileContract(
  { text: read([Type.Integer()]), late: read() },
  { limits: { memoryPerClient: 4 * MB } },
);

/** Opens a connection whose client reads only when it is told to. */
function connect() {
  const texts = new Texts();
  const answered: number[] = [];
  const pieces = { unsent: 0, end() {} };
  const link = {
    pieces,
    isOpen: true,
    closed: undefined as number | undefined,
    send(frame: string | ArrayBuffer): void {
      pieces.unsent += (frame as string).length;
      for (const [id] of JSON.parse(frame as string) as [number][]) answered.push(id);
    },
    close(code: number): void {
      link.closed = code;
    },
    storeState() {},
  };
  const connection = new ClientConnection({ client: 'one' }, link as never);
  connection.serve(texts, contract.limits);
  const target = { instance: texts, contract, journal: undefined };
  return {
    texts,
    answered,
    connection,
    send: (...messages: string[]): Promise<unknown> | undefined => {
      const frame = `[${messages.join()}]`;
      let late: Promise<unknown> | undefined;
      connection.inTurn(() => (late = answerFrame(frame, () => target, connection)), frame);
      return late;
    },
    async reads(): Promise<void> {
      connection.memory.release(0);
      pieces.unsent = 0;
      connection.drained();
      await sleep(5);
    },
  };
}

const calls = (count: number, length: number, first = 1): string[] =>
  Array.from({ length: count }, (_, index) => `[${first + index},"text",[${length}]]`);

describe('a client that reads', () => {
  test('gets every answer, in order, and later frames wait for the first', async () => {
    const { answered, send, reads, texts } = connect();
    send(...calls(20, MB + 1_000));
    // The fourth answer fills the account.
    expect(texts.ran.length).toBe(4);
    send('[30,"text",[1]]', '[31,"late"]');
    await sleep(5);
    expect(answered).toEqual([1, 2, 3, 4]);
    for (let round = 0; round < 10; round++) await reads();
    expect(answered).toEqual([...Array.from({ length: 20 }, (_, index) => index + 1), 30, 31]);
  });

  test('may receive small answers that together exceed what is held at once', async () => {
    const { answered, send, reads } = connect();
    send(...calls(5_000, 2_000));
    for (let round = 0; round < 10; round++) await reads();
    expect(answered).toHaveLength(5_000);
  });
});

describe('a client that does not read', () => {
  test('runs no further call, and holds no more', async () => {
    const { send, texts, connection } = connect();
    send(...calls(5_000, 100_000));
    await sleep(20);
    expect(texts.ran.length).toBe(41);
    expect(connection.isClosed).toBe(false);
  });

  test('and disconnects: the rest of its frame does not run, and nothing is held', async () => {
    const { send, texts, connection } = connect();
    const late = send(...calls(20, MB));
    send(...calls(1, 70_000, 50), `[51,"text",[1]]`);
    connection.leave();
    await late;
    await sleep(5);
    expect(texts.ran.length).toBe(4);
    expect(connection.memory.held).toBe(0);
  });
});

describe('a client with many rejected messages that does not read', () => {
  /**
   * Sends 120 calls of a method that does not exist, so that later frames of the client have to
   * wait.
   */
  const annoy = (send: (...messages: string[]) => unknown): void => {
    send(...Array.from({ length: 120 }, (_, index) => `[${index + 1},"unknown"]`));
  };

  test('receives the answers of each frame before those of the next frame', async () => {
    const { answered, send, reads } = connect();
    annoy(send);
    answered.length = 0;
    send(...calls(6, MB + 1_000, 1_000));
    send(...calls(6, MB + 1_000, 2_000));
    send(...calls(1, 1, 3_000));
    await sleep(5);
    for (let round = 0; round < 10; round++) await reads();
    expect(answered).toEqual([
      ...Array.from({ length: 6 }, (_, index) => 1_000 + index),
      ...Array.from({ length: 6 }, (_, index) => 2_000 + index),
      3_000,
    ]);
  });

  test('and sends more frames than may wait: no frame overtakes another', async () => {
    const { answered, send, reads } = connect();
    annoy(send);
    answered.length = 0;
    const firsts = Array.from({ length: 10 }, (_, index) => 1_000 * (index + 1));
    for (const first of firsts) send(...calls(5, MB + 1_000, first));
    await sleep(5);
    for (let round = 0; round < 40; round++) await reads();
    expect(answered).toEqual(
      firsts.flatMap((first) => Array.from({ length: 5 }, (_, index) => first + index)),
    );
  });

  test('and disconnects: no waiting frame runs, and nothing is held', async () => {
    const { send, texts, connection } = connect();
    annoy(send);
    for (let frame = 1; frame < 8; frame++) send(...calls(1, 1, 1_000 * frame));
    connection.leave();
    await sleep(5);
    expect(texts.ran).toEqual([]);
    expect(connection.memory.held).toBe(0);
  });
});
