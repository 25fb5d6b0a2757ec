/**
 * Functions and streams that a client passes to a call. They end with the call. Imports argument-stream,
 * argument-streams, argument-errors, call-functions, callback-places, checked-items, contract,
 * contract-entry, peer, refusal and wire/.
 */
import { type Callee, type CallMessage, isId } from '../../wire/messages.ts';
import { FUNCTION, type Reference, STREAM } from '../../wire/rich-encoder.ts';
import { invalid } from '../schemas/argument-errors.ts';
import { ArgumentStream } from '../../features/uploads/argument-stream.ts';
import { argumentStreamsOf } from '../../features/uploads/argument-streams.ts';
import { CallFunctions } from '../../features/callbacks/call-functions.ts';
import { pathTo } from '../../features/callbacks/callback-places.ts';
import { readItems } from '../../features/uploads/checked-items.ts';
import type { CompiledContract } from '../contract/contract.ts';
import type { CompiledMethod } from '../contract/contract-entry.ts';
import type { Peer } from '../connections/peer.ts';
import { refusal } from './refusal.ts';

interface Target {
  instance: object;
  contract: CompiledContract;
}

export class Passed {
  readonly #target: Target;
  readonly #peer: Peer;
  /** The id of the call. */
  readonly #id: number;
  #functions: CallFunctions | undefined;
  #streams: Set<ArgumentStream> | undefined;

  constructor(target: Target, peer: Peer, id: number) {
    this.#target = target;
    this.#peer = peer;
    this.#id = id;
  }

  /**
   * Opens the streams of a call that waits for other calls, because the items of the streams arrive at once. It opens
   * only as many as the method has stream arguments.
   *
   * @throws RpcError as `take` does
   */
  open([, callee, , list]: CallMessage): void {
    let count = streamArgumentsOf(callee, this.#target.contract);
    for (const item of Array.isArray(list) ? (list as unknown[]) : []) {
      if (!Array.isArray(item) || item[0] !== STREAM || count-- <= 0) continue;
      this.take(item as unknown as Reference);
    }
  }

  /**
   * Decodes a reference to a function or a stream.
   *
   * @returns a placeholder for the function, or the stream
   * @throws RpcError `BAD_MESSAGE` for a malformed reference, `LIMIT_EXCEEDED` for too many streams
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
    const stream = argumentStreamsOf(instance).open(s, this.#id, this.#peer, contract);
    this.#streams ??= new Set();
    this.#streams.add(stream);
    return stream;
  }

  /**
   * Replaces placeholders by callbacks, and wraps streams so that their items are validated.
   *
   * @param args - arguments of the call, already validated
   * @param on - the object or the capability that is called
   * @throws RpcError `INVALID_ARGUMENTS` for a function or a stream where the contract has none
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
      `argument ${stray} is a stream: its schema has to be streamOf()`,
    );
  }

  /**
   * Ends the functions and streams of a call that has ended or will not run.
   *
   * @returns the messages to send after its answer
   */
  end(): string[] {
    for (const stream of this.#streams ?? []) {
      argumentStreamsOf(this.#target.instance).close(stream, this.#peer);
    }
    return this.#functions?.end() ?? [];
  }
}

/** How many stream arguments a method has. On a result whose class is not known yet: the most of any class. */
function streamArgumentsOf(callee: Callee, { methods, capabilities }: CompiledContract): number {
  const [name, className] = typeof callee === 'string' ? [callee] : callee;
  const classes = [...capabilities.values()].filter(
    (one) => isId(className) || one.name === className,
  );
  const maps = className === undefined ? [methods] : classes.map((one) => one.methods);
  return Math.max(0, ...maps.map((map) => map.get(name)?.items?.size ?? 0));
}

/** Wraps the streams among the arguments, so that each item is validated when the method reads it. */
export function bindItems(args: unknown[], { name, items }: CompiledMethod): unknown[] {
  return items ? readItems(name, args, items) : args;
}

/** The functions and streams of a call; `undefined` if its message cannot contain any. */
export function passedBy(message: CallMessage, target: Target, peer: Peer): Passed | undefined {
  // Only the rich form of a message contains references.
  return message.length > 3 && peer.isConnection ? new Passed(target, peer, message[0]) : undefined;
}
