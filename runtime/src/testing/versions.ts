/**
 * Lets an object and a page of different versions meet in a test. The object has the contract of one version. It
 * rejects calls that the page of the other version could not send, and results that the page would not understand.
 */
import { env } from 'cloudflare:workers';
import type { ClassContract, WrittenMethod } from '../contract/written.ts';
import { entriesOf } from '../contract/entries-of.ts';
import { contractOf } from '../server/contract/contract-of.ts';
import { compileContract } from '../server/contract/compile-contract.ts';
import type { CompiledContract, CompiledMethod } from '../server/contract/types.ts';
import { checkEventsOf } from '../server/base/brands.ts';
import { findNamespaces, objectIdOf } from '../server/base/namespaces.ts';
import { handleRpcClose, handleRpcMessage, handleRpcRequest } from '../server/handlers.ts';
import { answerRpcFrame } from '../server/post.ts';
import { FRAME_METHOD, type FrameSender } from '../wire/door.ts';
import { RpcError } from '../wire/errors.ts';

/** The contracts of a page and of an object, from the file that `npx lumenize-rpc contract` has written. */
export interface Versions {
  /**
   * The contract of the page: the client can send only arguments that it allows, and receive only results that it
   * describes. Default: none.
   */
  page?: ClassContract | undefined;
  /** The contract of the object: its methods have the entries of this contract. Default: the contract of the class. */
  object?: ClassContract | undefined;
}

/** The handlers of an object, besides its methods. */
interface Handlers {
  fetch?(request: Request): Response | undefined | Promise<Response | undefined>;
  webSocketMessage?(socket: WebSocket, message: string | ArrayBuffer): unknown;
  webSocketClose?(socket: WebSocket, code: number, reason: string, wasClean: boolean): unknown;
  webSocketError?(socket: WebSocket, error: unknown): unknown;
}

/**
 * Finds the object that is to be served by the contracts of versions.
 *
 * @returns a function that serves the object by these contracts, until it is evicted, as by a deployment
 * @throws TypeError for an object that does not exist
 */
export function serveVersions(
  binding: string,
  instance: string,
  versions: Versions,
): () => Promise<void> {
  const [found] = findNamespaces(env, binding);
  const id = found && objectIdOf(found[1], instance);
  if (!id) throw new TypeError(`There is no object ${binding}/${instance} for \`versions\``);
  return async () => {
    // @ts-ignore -- The Vitest plugin has the module and its types.
    const { runInDurableObject } = (await import('cloudflare:test')) as {
      runInDurableObject(stub: object, run: (object: object) => void): Promise<void>;
    };
    await runInDurableObject(found[1].get(id), (object) => replaceContract(object, versions));
  };
}

function replaceContract(object: object, versions: Versions): void {
  const own = contractOf(object);
  if (!own) throw new TypeError(`${object.constructor.name} is not a class of lumenizeRpcDO`);
  const contract = contractOfVersions(own, versions);
  const handlers: Handlers = Object.getPrototypeOf(object) as Handlers;
  // The object gets a prototype of its own, on which the handlers also leave the contract.
  const served: Handlers & Record<PropertyKey, unknown> = {
    fetch: async (request: Request) =>
      (await handleRpcRequest(request, object, contract)) ?? handlers.fetch?.call(object, request),
    [FRAME_METHOD]: (frame: string, sender: FrameSender = {}) =>
      answerRpcFrame(frame, sender, object, contract),
    webSocketMessage: (socket: WebSocket, message: string | ArrayBuffer) =>
      handleRpcMessage(socket, message, object, contract) ||
      handlers.webSocketMessage?.call(object, socket, message),
    webSocketClose: (socket: WebSocket, code: number, reason: string, wasClean: boolean) =>
      handleRpcClose(socket, code, reason, object, contract) ||
      handlers.webSocketClose?.call(object, socket, code, reason, wasClean),
  };
  for (const { name, kind, checkOutput } of contract.methods.values()) {
    const { [name]: method } = handlers as Record<string, (...args: unknown[]) => unknown>;
    if (kind !== 'events' || !method) continue;
    // From this method the class gets the feed to which it appends, with the check of its own contract.
    served[name] = (...args: unknown[]) => {
      const result = method.apply(object, args);
      checkEventsOf(result, checkOutput);
      return result;
    };
  }
  Object.setPrototypeOf(object, Object.setPrototypeOf(served, handlers) as object);
}

/** Serves an object of one version to a page of another version. */
function contractOfVersions(own: CompiledContract, { page, object }: Versions): CompiledContract {
  const served = object ? ofVersion(own, object) : own;
  if (!page) return served;
  const known = ofVersion(own, page).methods;
  const methods = Array.from(
    served.methods,
    ([name, method]) => [name, withPage(method, known.get(name), page.methods[name])] as const,
  );
  return { ...served, methods: new Map(methods) };
}

/** Returns the contract of a version, with the settings of the class. */
function ofVersion(own: CompiledContract, version: ClassContract): CompiledContract {
  const use = own.features.map((feature) => ({ '~feature': feature }));
  const compiled = compileContract(entriesOf(version, own), { use });
  const { limits, hibernate, journal, journalAge, callbackTimeout, streamTimeout } = own;
  const { around, exposeErrorDetails } = own;
  const settings = { limits, hibernate, journal, journalAge, callbackTimeout, streamTimeout };
  return { ...compiled, ...settings, around, exposeErrorDetails };
}

/** Returns a method that also checks the arguments that the page sends, and the results that it receives. */
function withPage(
  method: CompiledMethod,
  page: CompiledMethod | undefined,
  written: WrittenMethod | undefined,
): CompiledMethod {
  const { name } = method;
  return {
    ...method,
    checkOutput: page?.checkOutput,
    validate(args, first) {
      if (!page || !written)
        throw new TypeError(`A page of the version in \`versions\` has no method ${name}`);
      try {
        page.validate(args, first);
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        throw new TypeError(
          `A page of the version in \`versions\` cannot send these arguments: ${error.message}`,
          {
            cause: error,
          },
        );
      }
      return method.validate(args, first);
    },
  };
}
