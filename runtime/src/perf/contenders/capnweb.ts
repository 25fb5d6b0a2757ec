/** The object that Cap'n Web serves, written as in the documentation of Cap'n Web. */
import { newWorkersRpcResponse, type RpcStub, RpcTarget } from 'capnweb';
import { callByName, type Measured, type MeasuredClass } from './measured-class.ts';

/** The methods of the target that are added to the methods of the project's object. */
export interface CapnwebMethods {
  perfEcho(value: unknown): unknown;
  perfBook(): string;
  perfListen(listener: (event: unknown) => void): void;
  perfAnnounce(event: unknown): void;
}

type Listeners = Set<RpcStub<(event: unknown) => void>>;

/** @param methods - the methods that clients can call */
export function capnwebOf(Class: MeasuredClass, methods: Iterable<string>): MeasuredClass {
  class Target extends RpcTarget {
    readonly #object: Measured;
    readonly #listeners: Listeners;

    static {
      for (const name of methods) {
        // The target sends its events itself.
        if (name === 'perfAnnounce') continue;
        const value = function (this: Target, ...args: unknown[]): unknown {
          return callByName(this.#object, name, args);
        };
        Object.defineProperty(this.prototype, name, { value });
      }
    }

    constructor(object: Measured, listeners: Listeners) {
      super();
      this.#object = object;
      this.#listeners = listeners;
    }

    /** Cap'n Web disposes of a stub in the arguments when the call ends, so this keeps a duplicate. */
    perfListen(listener: RpcStub<(event: unknown) => void>): void {
      this.#listeners.add(listener.dup());
    }

    perfAnnounce(event: unknown): void {
      const listeners = this.#listeners;
      for (const listener of listeners) listener(event).catch(() => listeners.delete(listener));
    }
  }

  return class extends Class {
    readonly #listeners: Listeners = new Set();

    override fetch(request: Request): Promise<Response> {
      return newWorkersRpcResponse(request, new Target(this, this.#listeners));
    }
  };
}
