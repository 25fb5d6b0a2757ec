/** Wraps a Durable Object class so that its contract's methods can be called. Imports contract, handlers and wire/. */
import type { DurableObject } from 'cloudflare:workers';
import type { HasContract } from '../wire/contract-brand.ts';
import { CALL_SEGMENT } from '../wire/messages.ts';
import {
  checked,
  type CompiledContract,
  compileContract,
  type Contract,
  type ContractOptions,
} from './contract.ts';
import type { CheckedContract } from './contract-types.ts';
import { handleRpcClose, handleRpcMessage, handleRpcRequest } from './handlers.ts';

type DurableObjectClass = new (ctx: DurableObjectState, env: never) => DurableObject;

/** The wrapped class: same constructor and statics, and instances that carry the contract's names. */
type WithContract<Class extends DurableObjectClass, Methods extends PropertyKey> = {
  new (...args: ConstructorParameters<Class>): InstanceType<Class> & HasContract<Methods>;
} & { [Static in keyof Class]: Class[Static] };

/**
 * Makes a Durable Object class answer RPC.
 *
 * @param Class - a Durable Object class; its own `fetch` and WebSocket handlers still receive
 *   everything that is not RPC
 * @param contract - the methods that can be called from outside, with a schema for each argument
 * @param options - limits, hibernation, and what becomes of errors
 * @returns a subclass with the same name and statics. Its listed methods also check their
 *   arguments when called through native Workers RPC, and throw `INVALID_ARGUMENTS`.
 * @throws TypeError when the contract lists a reserved name or what is not a method
 * @example
 * export const Counter = lumenizeRpcDO(CounterImpl, { increment: [Type.Optional(Type.Integer())] });
 * export type Counter = InstanceType<typeof Counter>;
 */
export function lumenizeRpcDO<Class extends DurableObjectClass, const Entries extends object>(
  Class: Class,
  contract: Entries & CheckedContract<InstanceType<Class>, Entries>,
  options?: ContractOptions,
): WithContract<Class, keyof Entries> {
  const compiled = compileContract(contract as Contract, options);
  const Base: new (ctx: DurableObjectState, env: never) => DurableObject = Class;

  class Wrapped extends Base {
    override async fetch(request: Request): Promise<Response> {
      const response = await handleRpcRequest(request, this, compiled);
      return response ?? (await super.fetch?.(request)) ?? refuse(request);
    }

    override webSocketMessage(ws: WebSocket, message: string | ArrayBuffer): void | Promise<void> {
      if (handleRpcMessage(ws, message, this, compiled)) return;
      return super.webSocketMessage?.(ws, message);
    }

    override async webSocketClose(
      ws: WebSocket,
      code: number,
      reason: string,
      wasClean: boolean,
    ): Promise<void> {
      if (!handleRpcClose(ws, code, reason, this, compiled)) {
        await super.webSocketClose?.(ws, code, reason, wasClean);
      }
    }

    override async webSocketError(ws: WebSocket, error: unknown): Promise<void> {
      if (!handleRpcClose(ws, 1006, String(error), this, compiled)) {
        await super.webSocketError?.(ws, error);
      }
    }
  }

  checkOnNativeCalls(Wrapped.prototype, compiled);
  Object.defineProperty(Wrapped, 'name', { value: Class.name });
  return Wrapped as unknown as WithContract<Class, keyof Entries>;
}

/** Overrides each listed method with one that checks first, for callers that come by `env.COUNTER`. */
function checkOnNativeCalls(prototype: object, { methods }: CompiledContract): void {
  const parent = Object.getPrototypeOf(prototype) as Record<string, unknown>;
  for (const [name, method] of methods) {
    const original = parent[name];
    if (typeof original !== 'function') {
      throw new TypeError(`The contract lists ${name}, which is not a method of the class`);
    }
    const value = checked(original as (...args: unknown[]) => unknown, method);
    Object.defineProperty(prototype, name, { value, configurable: true, writable: true });
  }
}

/** For a class without a `fetch` of its own. */
function refuse(request: Request): Response {
  if (!new URL(request.url).pathname.endsWith(`/${CALL_SEGMENT}`)) {
    return new Response('Not found', { status: 404 });
  }
  return new Response('Call with a POST of application/json or a WebSocket of lumenize-rpc.1', {
    status: 405,
    headers: { Allow: 'POST' },
  });
}
