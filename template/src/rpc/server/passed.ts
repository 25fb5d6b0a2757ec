/**
 * What comes with a call and ends with it: functions and streams of its client. Imports argument-stream,
 * argument-streams, argument-errors, call-functions, callback-places, checked-items, contract, contract-entry,
 * peer, refusal and wire/.
 */
import { type CallMessage, isId } from '../wire/messages.ts';
import { FUNCTION, type Reference, STREAM } from '../wire/rich-encoder.ts';
import { invalid } from './argument-errors.ts';
import { ArgumentStream } from './argument-stream.ts';
import { argumentStreamsOf } from './argument-streams.ts';
import { CallFunctions } from './call-functions.ts';
import { pathTo } from './callback-places.ts';
import { readItems } from './checked-items.ts';
import type { CompiledContract } from './contract.ts';
import type { CompiledMethod } from './contract-entry.ts';
import type { Peer } from './peer.ts';
import { refusal } from './refusal.ts';

interface Target {
  instance: object;
  contract: CompiledContract;
}

export class Passed {
  readonly #target: Target;
  readonly #peer: Peer;
  /** Of the call. */
  readonly #id: number;
  #functions: CallFunctions | undefined;
  #streams: Set<ArgumentStream> | undefined;

  constructor(target: Target, peer: Peer, id: number) {
    this.#target = target;
    this.#peer = peer;
    this.#id = id;
  }

  /**
   * Takes the streams before the call can run, since their items come at once.
   *
   * @throws RpcError as `take` does
   */
  open([, , , list]: CallMessage): void {
    for (const item of Array.isArray(list) ? (list as unknown[]) : []) {
      if (Array.isArray(item) && item[0] === STREAM) this.take(item as unknown as Reference);
    }
  }

  /**
   * @returns what stands for a function or a stream until `bind`
   * @throws RpcError `BAD_MESSAGE` for what is neither, `LIMIT_EXCEEDED` for one stream too many
   */
  take([name, ...parts]: Reference): unknown {
    if (name === FUNCTION) {
      this.#functions ??= new CallFunctions(this.#target, this.#peer);
      return this.#functions.take(parts);
    }
    const [s, ...more] = parts;
    if (name !== STREAM || !isId(s) || more.length > 0)
      throw refusal('BAD_MESSAGE', 'Malformed value');
    const { instance, contract } = this.#target;
    const stream = argumentStreamsOf(instance).open(s, this.#id, this.#peer, contract.limits);
    this.#streams ??= new Set();
    this.#streams.add(stream);
    return stream;
  }

  /**
   * @param args - of the call, checked already
   * @param on - what is called: the object or a capability
   * @throws RpcError `INVALID_ARGUMENTS` for what stands where the contract has none
   */
  bind(args: unknown[], method: CompiledMethod, on: object): unknown[] {
    const bound = this.#functions?.bind(args, method, on) ?? args;
    const read = bindItems(bound, method);
    if (!this.#streams) return read;
    const stray = pathTo(read, (found) => found instanceof ArgumentStream);
    if (stray === undefined) return read;
    throw invalid(
      method.name,
      stray,
      `argument ${stray} is a stream: its schema has to be items()`,
    );
  }

  /**
   * Takes note that the call has ended, or will not run.
   *
   * @returns the messages that follow its answer
   */
  end(): string[] {
    for (const stream of this.#streams ?? []) {
      argumentStreamsOf(this.#target.instance).close(stream, this.#peer);
    }
    return this.#functions?.end() ?? [];
  }
}

/** Gives arguments whose items are checked when they are read. */
export function bindItems(args: unknown[], { name, items }: CompiledMethod): unknown[] {
  return items ? readItems(name, args, items) : args;
}

/** For the message of a call; nothing for one that can hold neither. */
export function passedBy(message: CallMessage, target: Target, peer: Peer): Passed | undefined {
  // Only this form holds any.
  return message.length > 3 && peer.isConnection ? new Passed(target, peer, message[0]) : undefined;
}
