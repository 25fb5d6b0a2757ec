/** Streams as arguments: `streamOf`. */
import {
  type CallResource,
  type CallResources,
  type CompiledContract,
  type CompiledMethod,
  type Feature,
  type Featured,
  type FeatureMethod,
  invalidArgument,
  isStreamOf,
  pathTo,
  badMessage,
  type Schema,
  type StreamOf,
} from '../../server/feature.ts';
import { isId, type Callee, type CallMessage } from '../../wire/messages.ts';
import { type Reference, STREAM } from '../../wire/values/rich-encoder.ts';
import { ArgumentStream } from './server/argument-stream.ts';
import { argumentStreamsOf, handleStreamMessage } from './server/argument-streams.ts';
import {
  StreamValidator,
  streamValidatorsOf,
  type StreamValidators,
  withCheckedItems,
} from './server/stream-validator.ts';

const NAME = 'argument streams';

/** The stream arguments of a method. */
interface StreamArguments extends FeatureMethod {
  readonly items: StreamValidators;
}

/** The streams among the arguments of a call. They end with the call. */
class OpenedStreams implements CallResource {
  readonly #resources: CallResources;
  readonly #streams = new Set<ArgumentStream>();

  constructor(resources: CallResources) {
    this.#resources = resources;
  }

  /** @throws RpcError `BAD_MESSAGE` for a malformed reference, `LIMIT_EXCEEDED` for too many streams */
  take([streamId, ...more]: readonly unknown[]): ArgumentStream {
    if (!isId(streamId) || more.length > 0) badMessage('Malformed value');
    const { target, id, connection } = this.#resources;
    const stream = argumentStreamsOf(target.instance).open(
      streamId,
      id,
      connection,
      target.contract,
    );
    this.#streams.add(stream);
    return stream;
  }

  checkBound(args: readonly unknown[], { name }: CompiledMethod): void {
    const stray = pathTo(args, (found) => found instanceof ArgumentStream);
    if (stray === undefined) return;
    throw invalidArgument(
      name,
      stray,
      `argument ${stray} is a stream: its schema has to be streamOf()`,
    );
  }

  end(): readonly string[] {
    const { target, connection } = this.#resources;
    for (const stream of this.#streams)
      argumentStreamsOf(target.instance).close(stream, connection);
    return [];
  }
}

const argumentStreams: Feature = {
  name: NAME,
  version: 1,
  messages: {
    item: (message, { instance, connection }) => handleStreamMessage(message, instance, connection),
    end: (message, { instance, connection }) => handleStreamMessage(message, instance, connection),
  },
  references: { Stream: (parts, { resources }) => openedIn(resources).take(parts) },
  argument: (schema, method, index) =>
    isStreamOf(schema) ? new StreamValidator(method, index, schema) : undefined,
  compile(method, _, validators): StreamArguments | undefined {
    const items = streamValidatorsOf(validators);
    if (items.size === 0) return undefined;
    return {
      items,
      validatesWhileRunning: true,
      bind: (args) => withCheckedItems(method, args, items),
    };
  },
  // The items of the streams may arrive before the call runs. Only as many streams are opened as the method takes.
  beforeWait([, callee, , list]: CallMessage, resources) {
    let count = streamArgumentsOf(callee, resources.target.contract);
    for (const item of Array.isArray(list) ? (list as unknown[]) : []) {
      if (!Array.isArray(item) || item[0] !== STREAM || count-- <= 0) continue;
      const [, ...parts] = item as unknown as Reference;
      openedIn(resources).take(parts);
    }
  },
};

function openedIn(resources: CallResources | undefined): OpenedStreams {
  if (!resources) badMessage('Streams as arguments need a WebSocket');
  return (
    (resources.find(NAME) as OpenedStreams | undefined) ??
    resources.add(NAME, new OpenedStreams(resources))
  );
}

/** Returns the number of stream arguments of a method; for a result of unknown class, the largest number of any class. */
function streamArgumentsOf(callee: Callee, { methods, capabilities }: CompiledContract): number {
  const [name, className] = typeof callee === 'string' ? [callee] : callee;
  const classes = [...capabilities.values()].filter(
    (capability) => isId(className) || capability.name === className,
  );
  const maps =
    className === undefined ? [methods] : classes.map((capability) => capability.methods);
  const countOf = (method: CompiledMethod | undefined): number =>
    (method?.features?.get(NAME) as StreamArguments | undefined)?.items.size ?? 0;
  return Math.max(0, ...maps.map((map) => countOf(map.get(name))));
}

/**
 * Declares that an argument is a stream. The method receives an `AsyncIterable`. The client passes `stream(iterable)`, an
 * array or a set. Each item is validated when the method reads it. If an item is invalid, the method's loop throws
 * `INVALID_ARGUMENTS`.
 *
 * @param schema - the schema of each item: of TypeBox, or of a library that implements Standard Schema
 * @returns the schema of the argument in the contract. It cannot be used inside another schema.
 * @example
 * async upload(name: string, lines: AsyncIterable<string>): Promise<number> {
 *   let count = 0;
 *   for await (const line of lines) this.#add(name, ++count, line);
 *   return count;
 * }
 * // In the contract:
 * upload: [Type.String(), streamOf(Type.String({ maxLength: 10_000 }))],
 */
export function streamOf<Items extends Schema>(schema: Items): StreamOf<Items> & Featured {
  return { '~streamOf': schema, '~feature': argumentStreams };
}
