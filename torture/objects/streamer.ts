/**
 * An object that returns and receives streams of each kind, and reports the open streams.
 */
import { DurableObject } from 'cloudflare:workers';
import * as Type from '../../runtime/src/typebox.ts';
import { read, rows, stream, streamOf } from '../../runtime/src/server.ts';
import { checksum } from './checksum.ts';

/** Bytes, and their checksum. */
export interface Piece {
  number: number;
  bytes: Uint8Array;
  sum: number;
}

/** The state of an upload. */
export interface Upload {
  runs: number;
  count: number;
  /** True if its items were the numbers from 1 on. */
  isDense: boolean;
}

/** The maximum number of bytes of a piece. */
const MOST = 9_000;

export class StreamerImpl extends DurableObject<Env> {
  /** The numbers of streams whose generator or reader has not reached its `finally`, by name. */
  readonly #open = new Map<string, number>();

  /** Returns numbers from 1 on, without pauses. */
  *numbers(name: string, count: number): Generator<number> {
    this.#opened(name);
    try {
      for (let number = 1; number <= count; number++) yield number;
    } finally {
      this.#ended(name);
    }
  }

  /** Returns numbers from 1 on, with pauses. */
  async *slowly(name: string, count: number): AsyncGenerator<number> {
    for (const number of this.numbers(name, count)) {
      if (number % 50 === 0) await scheduler.wait(5);
      yield number;
    }
  }

  /** Returns numbers from 1 on, by a method that is not `readonly`. */
  *changing(name: string, count: number): Generator<number> {
    const key = `changes:${name}`;
    for (const number of this.numbers(name, count)) {
      this.ctx.storage.kv.put(key, (this.ctx.storage.kv.get<number>(key) ?? 0) + 1);
      yield number;
    }
  }

  *pieces(name: string, count: number): Generator<Piece> {
    for (const number of this.numbers(name, count)) {
      const bytes = new Uint8Array((number * 631) % MOST).map((_, index) => number * 7 + index);
      yield { number, bytes, sum: checksum(bytes) };
    }
  }

  *rows(count: number, after = 0): Generator<{ number: number; text: string }> {
    for (let number = after + 1; number <= count; number++) {
      yield { number, text: 'x'.repeat(number % 100) };
    }
  }

  /** Receives the numbers from 1 on. */
  async take(name: string, numbers: AsyncIterable<number>): Promise<number> {
    const upload: Upload = { runs: this.taken(name).runs + 1, count: 0, isDense: true };
    this.#opened(name);
    try {
      for await (const number of numbers) {
        upload.isDense &&= number === ++upload.count;
        this.ctx.storage.kv.put(`taken:${name}`, upload);
      }
      return upload.count;
    } finally {
      this.#ended(name);
    }
  }

  taken(name: string): Upload {
    return this.ctx.storage.kv.get<Upload>(`taken:${name}`) ?? { runs: 0, count: 0, isDense: true };
  }

  changes(name: string): number {
    return this.ctx.storage.kv.get<number>(`changes:${name}`) ?? 0;
  }

  /** Returns the names of streams that have not ended. */
  open(): string[] {
    return [...this.#open.keys()];
  }

  #opened(name: string): void {
    this.#open.set(name, (this.#open.get(name) ?? 0) + 1);
  }

  #ended(name: string): void {
    const left = (this.#open.get(name) ?? 0) - 1;
    if (left > 0) this.#open.set(name, left);
    else this.#open.delete(name);
  }
}

const numbered = stream([Type.String(), Type.Integer()], { readonly: true });

export const streamerContract = {
  numbers: numbered,
  slowly: numbered,
  changing: stream([Type.String(), Type.Integer()]),
  pieces: numbered,
  rows: rows('number', [Type.Integer(), Type.Optional(Type.Integer())]),
  take: [Type.String(), streamOf(Type.Integer())],
  taken: read([Type.String()]),
  changes: read([Type.String()]),
  open: read(),
} as const;
