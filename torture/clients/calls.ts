/**
 * Makes the calls of one client, of every kind that programs make, and records each call as evidence.
 */
import { randomUUID } from 'node:crypto';
import type { RpcClient } from '../../runtime/src/client.ts';
import { sleep } from '../../harness/waiting.mjs';
import { checksum } from '../objects/checksum.ts';
import { type CallEvidence, now } from './evidence.ts';
import type { Ledger } from '../objects/worker.ts';

export type LedgerClient = RpcClient<Ledger>;

/** The methods of every client, also of clients with which the harness tests itself. */
export interface Incrementer {
  increment(token: string): PromiseLike<number>;
  close(): void;
}

/** The pause after a rejection, in milliseconds. It prevents that a client which rejects at once fills its memory. */
const REST = 20;

/** A client and its evidence. Its methods resolve when their calls have ended, with an answer or an error. */
export class Caller {
  readonly calls: CallEvidence[] = [];
  readonly #client: Incrementer;
  readonly #name = randomUUID().slice(0, 13);

  constructor(client: Incrementer) {
    this.#client = client;
  }

  increment(): Promise<void> {
    const call = this.begin(false);
    return this.settle(call, this.#client.increment(call.token));
  }

  close(): void {
    this.#client.close();
  }

  protected begin(late: boolean): CallEvidence {
    const call = { token: `${this.#name}.${this.calls.length}`, late, begun: now() };
    this.calls.push(call);
    return call;
  }

  protected async settle(call: CallEvidence, answer: PromiseLike<number>): Promise<void> {
    try {
      call.value = await answer;
      call.ended = now();
    } catch (error) {
      const { code = String(error), maybeExecuted = true } = Object(error);
      Object.assign(call, { ended: now(), code, maybeExecuted });
      await sleep(REST);
    }
  }
}

/** A client that makes every kind of call. */
export class LedgerCaller extends Caller {
  readonly #ledger: LedgerClient;
  readonly #newVisitor: () => LedgerClient;

  /** @param newVisitor - makes a client for one request */
  constructor(ledger: LedgerClient, newVisitor: () => LedgerClient) {
    super(ledger);
    this.#ledger = ledger;
    this.#newVisitor = newVisitor;
  }

  /** Calls an asynchronous method that continues in another turn of the event loop. */
  incrementLate(milliseconds: number): Promise<void> {
    const call = this.begin(true);
    return this.settle(call, this.#ledger.incrementLate(call.token, milliseconds));
  }

  /** Makes calls in one tick, each with the results of earlier calls as its arguments. */
  async chain(length: number, late: boolean): Promise<void> {
    const first = this.begin(late);
    const addend = late
      ? this.#ledger.incrementLate(first.token, 1)
      : this.#ledger.increment(first.token);
    let sum = addend;
    const links = [first];
    const ends = [this.settle(first, addend)];
    while (links.length < length) {
      const link = this.begin(late);
      sum = this.#ledger.add(link.token, sum, addend);
      links.push(link);
      ends.push(this.settle(link, sum));
    }
    await Promise.all(ends);
    for (const [index, { value: before }] of links.entries()) {
      const link = links[index + 1];
      if (link?.value === undefined || before === undefined || first.value === undefined) continue;
      if (link.value !== before + first.value) link.value = Number.NaN;
    }
  }

  /** Sends bytes, and checks the bytes that come back. */
  echo(bytes: Uint8Array): Promise<void> {
    const call = this.begin(false);
    const sum = checksum(bytes);
    const returned = this.#ledger.echo(call.token, bytes).then((same) => {
      return checksum(same) === sum ? sum : Number.NaN;
    });
    return this.settle(call, returned);
  }

  /** Creates a client for one request. */
  async visit(): Promise<void> {
    const call = this.begin(false);
    using visitor = this.#newVisitor();
    await this.settle(call, visitor.increment(call.token));
  }
}
