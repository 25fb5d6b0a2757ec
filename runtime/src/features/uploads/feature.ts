/** Streams as arguments: `streamOf`. */
import type {
  ScopePart,
  CompiledContract,
  CompiledMethod,
  Feature,
  MethodPart,
  Scope,
} from '../../server/contract/compiled.ts';
import { isId, type Callee, type CallMessage } from '../../wire/messages.ts';
import { type Reference, STREAM } from '../../wire/values/rich-encoder.ts';
import { refusal } from '../../server/base/refusal.ts';
import { invalidArgument } from '../../server/schemas/argument-errors.ts';
import { pathTo } from '../../server/schemas/path-to.ts';
import { ArgumentStream } from './argument-stream.ts';
import { argumentStreamsOf, handleStreamMessage } from './argument-streams.ts';
import {
  StreamValidator,
  streamValidatorsOf,
  type StreamValidators,
  withCheckedItems,
} from './stream-validator.ts';
import { isStreamOf } from '../../server/base/marks.ts';

/** The stream arguments of a method. */
interface StreamArguments extends MethodPart {
  readonly items: StreamValidators;
}

/** The streams among the arguments of a call. They end with it. */
class OpenedStreams implements ScopePart {
  readonly #scope: Scope;
  readonly #streams = new Set<ArgumentStream>();

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  /** @throws RpcError `BAD_MESSAGE` for a malformed reference, `LIMIT_EXCEEDED` for too many streams */
  take([s, ...more]: readonly unknown[]): ArgumentStream {
    if (!isId(s) || more.length > 0) throw refusal('BAD_MESSAGE', 'Malformed value');
    const { target, id, peer } = this.#scope;
    const stream = argumentStreamsOf(target.instance).open(s, id, peer, target.contract);
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
    const { target, peer } = this.#scope;
    for (const stream of this.#streams) argumentStreamsOf(target.instance).close(stream, peer);
    return [];
  }
}

export const uploads: Feature = {
  name: 'uploads',
  version: 1,
  messages: {
    item: (message, { instance, peer }) => handleStreamMessage(message, instance, peer),
    end: (message, { instance, peer }) => handleStreamMessage(message, instance, peer),
  },
  references: { Stream: (parts, { scope }) => openedIn(scope).take(parts) },
  argument: (schema, method, index) =>
    isStreamOf(schema) ? new StreamValidator(method, index, schema) : undefined,
  compile(method, _, validators): StreamArguments | undefined {
    const items = streamValidatorsOf(validators);
    if (items.size === 0) return undefined;
    return { items, readsLater: true, bind: (args) => withCheckedItems(method, args, items) };
  },
  // The items of the streams arrive at once. It opens only as many as the method has stream arguments.
  waits([, callee, , list]: CallMessage, scope) {
    let count = streamArgumentsOf(callee, scope.target.contract);
    for (const item of Array.isArray(list) ? (list as unknown[]) : []) {
      if (!Array.isArray(item) || item[0] !== STREAM || count-- <= 0) continue;
      const [, ...parts] = item as unknown as Reference;
      openedIn(scope).take(parts);
    }
  },
};

function openedIn(scope: Scope | undefined): OpenedStreams {
  if (!scope) throw refusal('BAD_MESSAGE', 'Streams as arguments need a WebSocket');
  return (
    (scope.find(uploads) as OpenedStreams | undefined) ??
    scope.keep(uploads, new OpenedStreams(scope))
  );
}

/** How many stream arguments a method has. On a result whose class is not known yet: the most of any class. */
function streamArgumentsOf(callee: Callee, { methods, capabilities }: CompiledContract): number {
  const [name, className] = typeof callee === 'string' ? [callee] : callee;
  const classes = [...capabilities.values()].filter(
    (one) => isId(className) || one.name === className,
  );
  const maps = className === undefined ? [methods] : classes.map((one) => one.methods);
  const countOf = (method: CompiledMethod | undefined): number =>
    (method?.parts?.get(uploads) as StreamArguments | undefined)?.items.size ?? 0;
  return Math.max(0, ...maps.map((map) => countOf(map.get(name))));
}
