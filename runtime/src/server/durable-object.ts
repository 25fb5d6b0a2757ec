/** Wraps a Durable Object class so that clients can call the methods of its contract. */
import { rejectionResponse } from './base/requests.ts';
import type { ContractOptions } from './contract/options.ts';
import type { CompiledContract } from './contract/types.ts';
import type { DurableObject } from 'cloudflare:workers';
import { CALL_SEGMENT } from '../wire/messages.ts';
import { NOT_FOUND_STATUS } from '../wire/status.ts';
import { checkOnNativeCalls } from './calls/native-calls.ts';
import { checkListed, compileContract } from './contract/compile-contract.ts';
import type { Contract } from './contract/entries.ts';
import { rememberContract } from './contract/contract-of.ts';
import { closeSocketsOfOthers } from './connections/sockets.ts';
import type { CheckedContract, EntryKindsOf, Listable } from './contract/checked-types.ts';
import type { RpcClass } from './contract/rpc-class.ts';
import { explanations } from './diagnostics/explanations.ts';
import { FRAME_METHOD, type FrameSender } from '../wire/door.ts';
import { answerRpcFrame } from './post.ts';
import { handleRpcClose, handleRpcMessage, handleRpcRequest } from './handlers.ts';
import { relaying } from './base/relaying.ts';
import { followTransactions } from './base/turns.ts';

type DurableObjectClass = new (ctx: DurableObjectState, env: never) => DurableObject<unknown>;

/**
 * Adds RPC to a Durable Object class.
 *
 * @param Class - a Durable Object class; its own `fetch` and WebSocket handlers still receive
 *   everything that is not RPC
 * @param contract - the methods that clients can call, with a schema for each argument. The schemas are of TypeBox, or of
 *   a library that implements Standard Schema, such as Zod, Valibot or ArkType.
 * @param options - see `ContractOptions`: limits, hibernation, the journal, the treatment of errors, and more
 * @returns a subclass with the same name and statics. Its listed methods also check their
 *   arguments when called through native Workers RPC, and throw `INVALID_ARGUMENTS`.
 * @throws TypeError for an invalid contract, for example for a name that is reserved, or that is not a method of the
 *   class. In `wrangler dev` the class is defined anyway, and each of its calls rejects with this error until you correct
 *   the mistake.
 * @example
 * export const Counter = lumenizeRpcDO(CounterImpl, { increment: [Type.Optional(Type.Integer())] });
 * export type Counter = RpcObject<typeof Counter>;
 */
export function lumenizeRpcDO<Class extends DurableObjectClass, const Entries extends object>(
  Class: Class,
  contract: Entries & CheckedContract<InstanceType<Class>, Entries> & Listable<InstanceType<Class>>,
  options?: ContractOptions,
): RpcClass<Class, EntryKindsOf<Entries>> {
  const compiled = compile(Class, contract as Contract, options);
  const Base: DurableObjectClass = Class;

  class Wrapped extends Base {
    constructor(...args: ConstructorParameters<DurableObjectClass>) {
      super(...args);
      followTransactions(this);
      explanations?.afterConstruction(Class.name, this, closeSocketsOfOthers);
      relaying.afterConstruction?.(this);
      for (const { onConstruct } of compiled.features) onConstruct?.(this, Wrapped);
    }

    override async fetch(request: Request): Promise<Response> {
      const response = await handleRpcRequest(request, this, compiled);
      return response ?? (await super.fetch?.(request)) ?? refuse(request);
    }

    [FRAME_METHOD](frame: string, sender: FrameSender = {}): Promise<unknown> {
      return answerRpcFrame(frame, sender, this, compiled);
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

  rememberContract(Wrapped.prototype, compiled);
  const methods = Object.keys(contract).flatMap(
    (name) => compiled.internal.get(name) ?? compiled.methods.get(name) ?? [],
  );
  checkOnNativeCalls(Wrapped.prototype, methods, compiled.afterChange);
  for (const { onDefine } of compiled.features) onDefine?.(Wrapped.prototype, compiled);
  Object.defineProperty(Wrapped, 'name', { value: Class.name });
  explanations?.afterDefinition(Class.name);
  return Wrapped as unknown as RpcClass<Class, EntryKindsOf<Entries>>;
}

function compile(
  Class: DurableObjectClass,
  contract: Contract,
  options: ContractOptions | undefined,
): CompiledContract {
  try {
    const compiled = compileContract(contract, options);
    checkListed(Class, Object.keys(contract));
    return compiled;
  } catch (problem) {
    const compileNone = (some?: ContractOptions): CompiledContract => compileContract({}, some);
    const refusing = explanations?.refusingContract(problem, compileNone, options);
    if (!refusing) throw problem;
    return refusing;
  }
}

/** Answers a request that is not RPC, for a class without its own `fetch`. */
function refuse(request: Request): Response {
  if (!new URL(request.url).pathname.endsWith(`/${CALL_SEGMENT}`)) {
    return rejectionResponse(NOT_FOUND_STATUS, 'Not found');
  }
  return new Response(
    'Use a WebSocket with the subprotocol lumenize-rpc.1, or a POST of application/json',
    {
      status: 405,
      headers: { Allow: 'POST' },
    },
  );
}
