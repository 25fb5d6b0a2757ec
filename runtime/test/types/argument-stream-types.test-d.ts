/**
 * Tests the types of streams as arguments. Nothing here runs: a test fails when it does not
 * compile.
 */
import { DurableObject } from 'cloudflare:workers';
import * as Type from '../../src/typebox.ts';
import { expectTypeOf, test } from 'vitest';
import { type RpcClient, stream } from '../../src/client.ts';
import { capability, lumenizeRpcDO, read, streamOf } from '../../src/server.ts';

class Files extends DurableObject<Env> {
  // oxlint-disable-next-line durable-object/no-idle-async -- its type is tested
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
  upload: [Type.String(), streamOf(Type.String())],
  rows: read([streamOf(row)]),
});
type Wrapped = InstanceType<typeof Wrapped>;

test('a contract that disagrees with its class does not compile', () => {
  // @ts-expect-error: the contract has no streamOf()
  lumenizeRpcDO(Files, { upload: [Type.String(), Type.String()] });
  // @ts-expect-error: the items have another type
  lumenizeRpcDO(Files, { upload: [Type.String(), streamOf(Type.Number())] });
  // @ts-expect-error: the parameter is not a stream
  lumenizeRpcDO(Files, { text: [streamOf(Type.String())] });
  // @ts-expect-error: the items lack a property
  lumenizeRpcDO(Files, { rows: [streamOf(Type.Object({}))] });
  // @ts-expect-error: the method receives an AsyncIterable
  lumenizeRpcDO(Files, { stream: [streamOf(Type.Unsafe<Uint8Array>({}))] });
  // @ts-expect-error: a stream cannot be a part of an argument
  lumenizeRpcDO(Files, { rows: [Type.Array(streamOf(row))] });
  // @ts-expect-error: a schema is missing
  lumenizeRpcDO(Files, { upload: [streamOf(Type.String())] });
  // @ts-expect-error: a stream cannot be optional
  lumenizeRpcDO(Files, { maybe: [streamOf(Type.String())] });
});

test('a contract of a capability that disagrees with its class does not compile either', () => {
  class FolderImpl {
    readonly files: Files;
    constructor(files: Files) {
      this.files = files;
    }
    upload(lines: AsyncIterable<string>): void {
      void lines;
    }
  }
  capability(FolderImpl, [], { upload: [streamOf(Type.String())] });
  // @ts-expect-error: the items have another type
  capability(FolderImpl, [], { upload: [streamOf(Type.Number())] });
});

test('a client passes any source of the items', () => {
  type Upload = RpcClient<Wrapped>['upload'];
  async function* lines(): AsyncGenerator<string> {
    yield 'a';
  }
  expectTypeOf<Upload>().returns.resolves.toEqualTypeOf<number>();
  expectTypeOf<Upload>().toBeCallableWith('a', stream(lines()));
  expectTypeOf<Upload>().toBeCallableWith('a', ['a', 'b']);
  expectTypeOf<Upload>().toBeCallableWith('a', new Set(['a']));
  expectTypeOf<Upload>().toBeCallableWith('a', stream(['a'].values()));
  expectTypeOf<Upload>().toBeCallableWith('a', stream({} as ReadableStream<string>));
  void ((client: RpcClient<Wrapped>) => {
    // @ts-expect-error: a text is not a stream
    void client.upload('a', 'text');
    // @ts-expect-error: the items have another type
    void client.upload('a', [1]);
    const bytes = stream({} as ReadableStream<Uint8Array>);
    // @ts-expect-error: the stream has another type
    void client.upload('a', bytes);
    // @ts-expect-error: the stream is not wrapped
    void client.upload('a', lines());
    // @ts-expect-error: the stream is not wrapped
    void client.upload('a', {} as ReadableStream<string>);
    // @ts-expect-error: a text is not a source of a stream
    stream('text');
    // @ts-expect-error: an argument is missing
    void client.upload('a');
    void client.rows([{ id: 1 }, { id: 2, tags: ['a'] }]);
    // @ts-expect-error: the items lack a property
    void client.rows([{}]);
  });
  interface Bytes {
    store(bytes: AsyncIterable<Uint8Array>): void;
  }
  expectTypeOf<RpcClient<Bytes>['store']>().toBeCallableWith(
    stream({} as ReadableStream<Uint8Array>),
  );
});
