/** What the compiler accepts and refuses of streams as arguments. Nothing here runs. */
import { DurableObject } from 'cloudflare:workers';
import { Type } from 'typebox';
import { expectTypeOf, test } from 'vitest';
import type { RpcClient } from '../../runtime/src/client.ts';
import { capability, items, lumenizeRpcDO } from '../../runtime/src/server.ts';

class Files extends DurableObject<Env> {
  // oxlint-disable-next-line durable-object/no-idle-async -- the types of one that returns a promise
  async upload(name: string, lines: AsyncIterable<string>): Promise<number> {
    void lines;
    return name.length;
  }

  rows(rows: AsyncIterable<{ id: number; tags?: string[] }>): void {
    void rows;
  }

  stream(bytes: ReadableStream<Uint8Array>): void {
    void bytes;
  }

  maybe(lines?: AsyncIterable<string>): void {
    void lines;
  }

  text(text: string): void {
    void text;
  }
}

const row = Type.Object({ id: Type.Integer(), tags: Type.Optional(Type.Array(Type.String())) });

const Wrapped = lumenizeRpcDO(Files, {
  upload: [Type.String(), items(Type.String())],
  rows: { input: [items(row)], readonly: true },
});
type Wrapped = InstanceType<typeof Wrapped>;

test('a contract that disagrees with its class does not compile', () => {
  // @ts-expect-error: no items()
  lumenizeRpcDO(Files, { upload: [Type.String(), Type.String()] });
  // @ts-expect-error: items of another type
  lumenizeRpcDO(Files, { upload: [Type.String(), items(Type.Number())] });
  // @ts-expect-error: items where there is no stream
  lumenizeRpcDO(Files, { text: [items(Type.String())] });
  // @ts-expect-error: items that lack a property
  lumenizeRpcDO(Files, { rows: [items(Type.Object({}))] });
  // @ts-expect-error: the method is given an AsyncIterable
  lumenizeRpcDO(Files, { stream: [items(Type.Unsafe<Uint8Array>({}))] });
  // @ts-expect-error: not of part of an argument
  lumenizeRpcDO(Files, { rows: [Type.Array(items(row))] });
  // @ts-expect-error: a schema too few
  lumenizeRpcDO(Files, { upload: [items(Type.String())] });
  // @ts-expect-error: a stream that may be left out
  lumenizeRpcDO(Files, { maybe: [items(Type.String())] });
});

test('of a capability too', () => {
  class FolderImpl {
    readonly files: Files;
    constructor(files: Files) {
      this.files = files;
    }
    upload(lines: AsyncIterable<string>): void {
      void lines;
    }
  }
  capability(FolderImpl, [], { upload: [items(Type.String())] });
  // @ts-expect-error: items of another type
  capability(FolderImpl, [], { upload: [items(Type.Number())] });
});

test('a client passes whatever gives the items', () => {
  type Upload = RpcClient<Wrapped>['upload'];
  async function* lines(): AsyncGenerator<string> {
    yield 'a';
  }
  expectTypeOf<Upload>().returns.resolves.toEqualTypeOf<number>();
  expectTypeOf<Upload>().toBeCallableWith('a', lines());
  expectTypeOf<Upload>().toBeCallableWith('a', ['a', 'b']);
  expectTypeOf<Upload>().toBeCallableWith('a', new Set(['a']));
  expectTypeOf<Upload>().toBeCallableWith('a', ['a'].values());
  expectTypeOf<Upload>().toBeCallableWith('a', {} as ReadableStream<string>);
  void ((client: RpcClient<Wrapped>) => {
    // @ts-expect-error: a text is no stream
    void client.upload('a', 'text');
    // @ts-expect-error: items of another type
    void client.upload('a', [1]);
    // @ts-expect-error: a stream of another type
    void client.upload('a', {} as ReadableStream<Uint8Array>);
    // @ts-expect-error: an argument is missing
    void client.upload('a');
    void client.rows([{ id: 1 }, { id: 2, tags: ['a'] }]);
    // @ts-expect-error: items that lack a property
    void client.rows([{}]);
  });
  interface Bytes {
    store(bytes: AsyncIterable<Uint8Array>): void;
  }
  expectTypeOf<RpcClient<Bytes>['store']>().toBeCallableWith({} as ReadableStream<Uint8Array>);
});
