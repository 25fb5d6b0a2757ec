/**
 * The objects that features keep for a running call, for example the functions and streams among its arguments. They end
 * with the call. Only a call in the rich form, over a connection, has them, because no other call can contain references.
 */
import type { Connection } from '../contract/connection.ts';
import type { CompiledMethod, CallResources, CallResource, Target } from '../contract/types.ts';

export class CallResourceMap implements CallResources {
  readonly target: Target;
  readonly connection: Connection;
  /** The id of the call. */
  readonly id: number;
  /** The objects by feature; `undefined` until a feature keeps an object, because few calls have such arguments. */
  #parts: Map<string, CallResource> | undefined;

  constructor(target: Target, connection: Connection, id: number) {
    this.target = target;
    this.connection = connection;
    this.id = id;
  }

  /** Returns the object that a feature keeps for the call; `undefined` if the feature has kept none yet. */
  find(feature: string): CallResource | undefined {
    return this.#parts?.get(feature);
  }

  add<Part extends CallResource>(feature: string, part: Part): Part {
    this.#parts ??= new Map();
    this.#parts.set(feature, part);
    return part;
  }

  /** @throws RpcError as `CallResource.checkBound` does */
  checkBound(args: readonly unknown[], method: CompiledMethod): void {
    this.#parts?.forEach((part) => part.checkBound?.(args, method));
  }

  /** @returns the messages to send after the answer of the call */
  end(): string[] {
    return this.#parts ? [...this.#parts.values()].flatMap((part) => part.end?.() ?? []) : [];
  }
}
