/** Random edits of a board while its clients lose their connections. Each client checks the values that it gets. */
import { Proxy as NetworkProxy } from '../../../../../harness/network-proxy.ts';
import { sleep, until } from '../../../../../harness/waiting.mjs';
import { bytes, type RpcClientOptions, subscribe } from '../../../../src/client.ts';
import { randomNumbers } from '../../../../src/perf/measure/statistics.ts';
import { TestWorker } from '../../../support/test-worker.ts';
import type { Board } from './board.ts';
import { type Card, type Head, sumOf } from './cards.ts';

export const serve = (): Promise<TestWorker<Board, 'BOARD'>> =>
  TestWorker.forTests<Board, 'BOARD'>(import.meta.dirname, { BOARD: 'Board' });

type Value = (Card | Head)[] | Map<string, (Card | Head)[]> | null;

/** Follows a live value, and compares each value with its sum and with the value before. */
class Witness {
  /** The errors that the checks found. */
  readonly mistakes: string[] = [];
  /** The version of the newest value. */
  version = -1;
  values = 0;
  /** The number of rows that were the same objects as in the value before. */
  kept = 0;
  /** The error with which the loop has ended. It does not end by itself. */
  ended: unknown;
  #before = new Map<unknown, Card | Head>();

  constructor(values: AsyncIterable<Value>, isSlow: boolean) {
    void this.#follow(values, isSlow).catch((error: unknown) => (this.ended = error));
  }

  async #follow(values: AsyncIterable<Value>, isSlow: boolean): Promise<void> {
    for await (const value of values) {
      this.values++;
      if (value) this.#check(Array.isArray(value) ? value : [...value.values()].flat());
      if (isSlow) await sleep(20);
    }
  }

  #check(rows: readonly (Card | Head)[]): void {
    const head = rows.find((row) => row.id === 'head') as Head;
    if (head.version <= this.version) this.mistakes.push(`${head.version} after ${this.version}`);
    this.version = head.version;
    if (sumOf(rows) !== head.sum) this.mistakes.push(`another list in ${head.version}`);
    for (const row of rows) {
      const before = this.#before.get(row.id);
      if (row === before) this.kept++;
      else if (before?.version === row.version)
        this.mistakes.push(`${row.id} is another object in ${head.version}`);
    }
    this.#before = new Map(rows.map((row) => [row.id, row]));
  }
}

const CLIENTS: readonly { options?: RpcClientOptions; isSlow?: boolean; isCut?: boolean }[] = [
  {},
  { isCut: true },
  { isCut: true, isSlow: true },
  { isCut: true, options: { bytes } },
  { options: { protocols: ['as.ann'] }, isCut: true },
];

interface Edits {
  readonly edits: number;
  /** The number of times that the runtime is killed. */
  readonly kills: number;
  readonly seed: number;
}

/**
 * Makes random edits, while connections are cut and the runtime is killed.
 *
 * @returns the errors and the figures of each client
 */
export async function follow(
  worker: Awaited<ReturnType<typeof serve>>,
  { edits, kills, seed }: Edits,
): Promise<Witness[]> {
  const instance = `edits ${seed}`;
  const random = randomNumbers(seed);
  using writer = worker.connect(instance);
  const proxies: NetworkProxy[] = [];
  const closing: Disposable[] = [];
  const witnesses: Witness[] = [];
  for (const { options, isSlow = false, isCut } of CLIENTS) {
    const proxy = isCut && (await new NetworkProxy(worker.runtime.port).listen());
    if (proxy) proxies.push(proxy);
    const baseUrl = proxy ? { baseUrl: proxy.url, heartbeat: 1_000 } : {};
    const client = worker.connect(instance, { ...options, ...baseUrl });
    closing.push(client);
    const methods = subscribe(client);
    for (const values of [methods.cards(), methods.columns(), methods.own()])
      witnesses.push(new Witness(values as AsyncIterable<Value>, isSlow));
  }
  let version = 0;
  let nextKill = edits / (kills + 1);
  while (version < edits) {
    version = await writer.edit(1 + Math.floor(random() ** 3 * 30));
    if (random() < 0.1) {
      const proxy = proxies[Math.floor(random() * proxies.length)] as NetworkProxy;
      const ending = random() < 0.5 ? 'reset' : 'close';
      // The cut is anywhere in a frame, or between two frames.
      if (random() < 0.7) void proxy.cutAfter(Math.floor(random() * 4_000), 'down', ending);
      else proxy.cutAll(ending);
    }
    if (version > nextKill) {
      nextKill += edits / (kills + 1);
      await worker.restart();
    }
  }
  // A value without a list has no version, so the last value must have a list.
  while (version % 97 === 96) version = await writer.edit(1);
  await until(() => witnesses.every((one) => one.version === version || one.ended !== undefined));
  for (const one of closing) one[Symbol.dispose]();
  for (const proxy of proxies) proxy.close();
  return witnesses;
}
