/** The worker under test: an object that takes and returns bytes in every possible way. */
import { DurableObject } from 'cloudflare:workers';
import * as Type from '../../../src/typebox.ts';
import {
  bytes,
  callback,
  capability,
  events,
  feed,
  type Feed,
  live,
  lumenizeRpcDO,
  read,
  routeDORequest,
  rows,
  stream,
  streamOf,
} from '../../../src/server.ts';

/** An event of the feed of changes. */
export interface Change {
  name: string;
  bytes: ArrayBuffer;
}

class FolderImpl {
  readonly #files: FilesImpl;

  constructor(files: FilesImpl, _name: string) {
    this.#files = files;
  }

  echo(value: unknown): unknown {
    return this.#files.echo(value);
  }
}

const Folder = capability(FolderImpl, [Type.String()], {
  echo: read([Type.Unknown()]),
});

class FilesImpl extends DurableObject {
  #current = new ArrayBuffer(0);
  readonly #held = new Uint8Array(4_096);
  readonly #life = crypto.randomUUID();

  echo(value: unknown): unknown {
    return value;
  }

  async echoLater(value: unknown, ms = 1): Promise<unknown> {
    await scheduler.wait(ms);
    return value;
  }

  /** Returns the value, and how often the method has run. The journal keeps the answer. */
  storeAndEcho(value: unknown): unknown {
    const { kv } = this.ctx.storage;
    const runs = (kv.get<number>('runs') ?? 0) + 1;
    kv.put('runs', runs);
    return { runs, value };
  }

  async storeAndEchoLater(value: unknown): Promise<unknown> {
    await scheduler.wait(1);
    return this.storeAndEcho(value);
  }

  runs(): number {
    return this.ctx.storage.kv.get<number>('runs') ?? 0;
  }

  async hash(value: ArrayBuffer | ArrayBufferView): Promise<string> {
    const digest = await crypto.subtle.digest('SHA-256', value as BufferSource);
    return new Uint8Array(digest).reduce(
      (text, byte) => text + byte.toString(16).padStart(2, '0'),
      '',
    );
  }

  /** Returns bytes, each of which is its index. */
  make(length: number): ArrayBuffer {
    return Uint8Array.from({ length }, (_, place) => place).buffer;
  }

  /** Returns bytes that the object changes later. */
  held(first: number): Uint8Array {
    this.#held.fill(first);
    return this.#held;
  }

  throwBytes(length: number): string {
    throw Object.assign(new Error('with bytes'), { bytes: this.make(length) });
  }

  open(name: string): InstanceType<typeof Folder> {
    return new Folder(this, name);
  }

  changes(): Feed<Change> {
    return feed(this, 'changes');
  }

  seats(): Feed<Change> {
    const snapshot = (): Change => ({ name: 'all', bytes: this.make(3_000) });
    return feed(this, 'seats', { snapshot });
  }

  change(name: string, all: ArrayBuffer[]): void {
    this.changes().append(...all.map((one) => ({ name, bytes: one })));
  }

  current(): ArrayBuffer {
    return this.#current;
  }

  setCurrent(value: ArrayBuffer): void {
    this.#current = value;
  }

  /** Changes the bytes of the current value in place. */
  fillCurrent(byte: number): void {
    new Uint8Array(this.#current).fill(byte);
  }

  live(_name: unknown): ArrayBuffer {
    return this.#current;
  }

  /** Yields a piece for each length. */
  *pieces(lengths: number[]): Iterable<Uint8Array> {
    for (const length of lengths) yield new Uint8Array(this.make(length));
  }

  download(lengths: number[]): ReadableStream<Uint8Array> {
    return new Blob([...this.pieces(lengths)]).stream();
  }

  /** Yields a row for each length. */
  *rows(lengths: number[], after = -1): Iterable<{ place: number; bytes: ArrayBuffer }> {
    for (const [place, length] of lengths.entries()) {
      if (place > after) yield { place, bytes: this.make(length) };
    }
  }

  async upload(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
    const all: Uint8Array[] = [];
    for await (const piece of pieces) all.push(piece);
    return all;
  }

  ask(question: (value: unknown) => Promise<unknown>, value: unknown): Promise<unknown> {
    return question(value);
  }

  /** Returns an id that is new in each life of the object. */
  life(): string {
    return this.#life;
  }
}

const any = Type.Unknown();
const buffer = Type.Unsafe<ArrayBuffer>(Type.Unknown());

const contract = {
  echo: read([any]),
  echoLater: read([any, Type.Optional(Type.Integer())]),
  storeAndEcho: [any],
  storeAndEchoLater: [any],
  runs: read(),
  hash: read([buffer]),
  make: read([Type.Integer()]),
  held: read([Type.Integer()]),
  throwBytes: read([Type.Integer()]),
  open: { input: [Type.String()], returns: Folder },
  changes: events(),
  seats: events(),
  change: [Type.String(), Type.Array(buffer)],
  current: live(),
  setCurrent: [buffer],
  fillCurrent: [Type.Integer()],
  live: live([any]),
  pieces: stream([Type.Array(Type.Integer())], { readonly: true }),
  download: stream([Type.Array(Type.Integer())], { readonly: true }),
  rows: rows('place', [Type.Array(Type.Integer()), Type.Optional(Type.Integer())]),
  upload: [streamOf(Type.Unsafe<Uint8Array>(any))],
  ask: [callback([any], any), any],
  life: read(),
} as const;

export const Files = lumenizeRpcDO(FilesImpl, contract, {
  exposeErrorDetails: true,
  use: [bytes],
});
export const Resident = lumenizeRpcDO(FilesImpl, contract, { hibernate: false, use: [bytes] });
export const Small = lumenizeRpcDO(FilesImpl, contract, {
  limits: { frameSize: 100_000 },
  use: [bytes],
});
export const Plain = lumenizeRpcDO(FilesImpl, contract);
export type Files = InstanceType<typeof Files>;

export default {
  async fetch(request: Request, env: Record<string, unknown>): Promise<Response> {
    const response = await routeDORequest(request, env, { prefix: '/__rpc' });
    return response ?? new Response('Not found', { status: 404 });
  },
};
