/**
 * The worker under test. Its object gets streams, and is wrapped in each way that changes what a stream
 * survives.
 */
import { RpcTarget } from 'cloudflare:workers';
import * as Type from '../../../src/typebox.ts';
import { capability, lumenizeRpcDO, read, streamOf } from '../../../src/server.ts';
import { failureOf } from '../../served/failures.ts';
import { route } from '../../served/routed.ts';
import { Files } from './files.ts';

const name = Type.String();
const count = Type.Integer();
const anything = streamOf(Type.Unknown());
const bytes = Type.Refine(
  Type.Unsafe<Uint8Array>({}),
  (value) => value instanceof Uint8Array && value.length <= 65_536,
);

const contract = {
  all: [anything],
  upload: [name, streamOf(Type.String({ maxLength: 1_000_000 }))],
  lines: read([name]),
  runs: read([name]),
  slowly: [name, anything],
  taken: read([name]),
  gated: [name],
  hold: [name, Type.Boolean(), anything],
  take: [name, count, anything],
  release: [name],
  isHolding: read([name]),
  outcome: read([anything]),
  note: [name, anything],
  noted: read([name]),
  sum: [streamOf(Type.Integer({ minimum: 0 }))],
  outcomeOfNumbers: [streamOf(Type.Integer({ minimum: 0 }))],
  throwAfter: [count, anything],
  zip: [streamOf(Type.String()), streamOf(Type.String())],
  atOnce: [count, anything],
  throughStream: [anything],
  bytes: [streamOf(bytes)],
  readTwice: [anything],
  keepInMemory: [anything],
  readLate: [],
  later: [Type.String(), count],
  fail: [],
  any: [Type.Unknown()],
  inside: [Type.Object({ values: Type.Optional(Type.Unknown()) })],
  one: read(),
  lives: read(),
} as const;

/** The things that a client may do with one folder. */
class FolderImpl extends RpcTarget {
  readonly #files: Files;
  readonly #label: string;

  constructor(files: Files, label: string) {
    super();
    this.#files = files;
    this.#label = label;
  }

  async upload(lines: AsyncIterable<string>): Promise<number> {
    return this.#files.upload(this.#label, lines);
  }
}

const Folder = capability(FolderImpl, [Type.String()], { upload: [streamOf(Type.String())] });

class Base extends Files {
  folder(label: string): InstanceType<typeof Folder> {
    return new Folder(this, label);
  }
}

const whole = { ...contract, folder: { input: [name], returns: Folder } } as const;

export const Default = lumenizeRpcDO(Base, whole, { exposeErrorDetails: true });
export type Default = InstanceType<typeof Default>;

export const Resident = lumenizeRpcDO(Base, whole, { hibernate: false });

export const Unjournaled = lumenizeRpcDO(Base, whole, { journal: false });

export const Strict = lumenizeRpcDO(Base, whole, {
  limits: { argumentStreams: 2, valueCount: 100, valueDepth: 10 },
});

interface TestEnv extends Record<string, unknown> {
  DEFAULT: DurableObjectNamespace<Default>;
}

export default {
  async fetch(request: Request, env: TestEnv): Promise<Response> {
    const { pathname } = new URL(request.url);
    // This path makes calls by native Workers RPC, as another Worker does.
    if (pathname === '/native') return native(env.DEFAULT.getByName('native'));
    return route(request, env);
  },
};

/** Passes streams by native Workers RPC, and returns the result of each call. */
async function native(stub: DurableObjectStub<Default>): Promise<Response> {
  const stream = (): ReadableStream<Uint8Array> =>
    new ReadableStream({
      type: 'bytes',
      start(controller) {
        controller.enqueue(new Uint8Array([1, 2, 3]));
        controller.close();
      },
    });
  const outcomes: unknown[] = [
    await stub.bytes(stream()),
    await failureOf(stub.sum(stream() as never)),
    await failureOf(stub.sum(5 as never)),
    await stub.sum([1, 2] as never),
  ];
  return Response.json(outcomes);
}
