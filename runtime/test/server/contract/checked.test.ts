/**
 * Tests native Workers RPC with a wrapped class: its checks, and the live values that it changes.
 */
import { runInDurableObject } from 'cloudflare:test';
import { DurableObject, env as bindings } from 'cloudflare:workers';
import * as Type from '../../../src/typebox.ts';
import { expect, test } from 'vitest';
import { compileContract, live, lumenizeRpcDO, read } from '../../../src/server.ts';
import { openPort } from '../../support/open-port.ts';
import type { RawConnection } from '../../support/raw-connection.ts';
import type { TestEnv } from '../../worker.ts';

const env = bindings as TestEnv;

let checks = 0;
/** The number of runs of the live method. */
let runs = 0;

class BoardImpl extends DurableObject<Env> {
  write(text: string): void {
    this.ctx.storage.kv.put('text', text);
  }

  async writeLater(text: string): Promise<void> {
    await scheduler.wait(0);
    this.ctx.storage.kv.put('text', text);
  }

  async writeAndFail(text: string): Promise<never> {
    await scheduler.wait(0);
    this.ctx.storage.kv.put('text', text);
    throw new Error('written');
  }

  text(): string {
    runs++;
    return this.ctx.storage.kv.get<string>('text') ?? '';
  }

  length(): number {
    return (this.ctx.storage.kv.get<string>('text') ?? '').length;
  }
}

const text = Type.Refine(Type.String(), () => ++checks > 0);
const entries = {
  write: [text],
  writeLater: [Type.String()],
  writeAndFail: [Type.String()],
  text: live(),
  length: read(),
} as const;
const Board = lumenizeRpcDO(BoardImpl, entries);
const contract = compileContract(entries);

type Board = InstanceType<typeof Board>;

/** Runs a function with the object of a name in its Durable Object, and with a connection to it. */
function withBoard(name: string, work: (board: Board, port: RawConnection) => Promise<void>) {
  return runInDurableObject(env.HIBERNATING.getByName(name), async (_, state) => {
    const board = new Board(state, env);
    runs = 0;
    const port = openPort(board, contract);
    expect(await port.ask('["subscribe",1,null,"text"]')).toContain('["value",1,""]');
    await work(board, port);
  });
}

test.each(['write', 'writeLater', 'writeAndFail'] as const)(
  'a native call of %s makes the object send live values',
  (method) =>
    withBoard(`native ${method}`, async (board, port) => {
      await Promise.allSettled([board[method]('a')]);
      expect(await port.next()).toBe('[["value",1,"a"]]');
    }),
);

test('a native call of a readonly method runs no live method', () =>
  withBoard('native readonly', async (board, port) => {
    board.length();
    // This method is readonly, and is answered in a later turn.
    expect(await port.ask('[1,"length"]')).toBe('[[1,0]]');
    board.write('a');
    expect(await port.next()).toBe('[["value",1,"a"]]');
    expect(runs).toBe(2);
  }));

test('arguments are checked once for every caller', () =>
  withBoard('checks', async (board, port) => {
    checks = 0;
    board.write('a');
    expect(checks).toBe(1);
    await port.next();
    await port.ask('[1,"write",["b"]]');
    expect(checks).toBe(2);
  }));

test('a method can be replaced, as a test does', () =>
  withBoard('replaced', async (board, port) => {
    board.length = () => 7;
    expect(await port.ask('[1,"length"]')).toBe('[[1,7]]');
  }));
