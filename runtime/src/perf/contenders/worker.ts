/**
 * The Durable Object classes of all contenders, made of one class of the project.
 */
import { bytes } from '../../features/bytes/feature.ts';
import type { ContractOptions } from '../../server/contract/options.ts';
import { compileContract } from '../../server/contract/compile-contract.ts';
import type { Contract } from '../../server/contract/entries.ts';
import type { CheckedContract } from '../../server/contract/checked-types.ts';
import { lumenizeRpcDO } from '../../server/durable-object.ts';
import { handleRpcClose, handleRpcMessage, handleRpcRequest } from '../../server/handlers.ts';
import { capnwebOf } from './capnweb.ts';
import type { ContenderClasses } from './classes.ts';
import { floorsOf } from './floors.ts';
import {
  addedContract,
  measuredClass,
  type MeasuredClass,
  type ObjectClass,
} from './measured-class.ts';

/**
 * Makes the Durable Object classes of the performance test: one for each contender, all with the methods of the
 * same class. The Worker that is measured exports them, and `perf/wrangler.jsonc` binds them.
 *
 * @param Class - the class whose methods are measured
 * @param contract - the methods that the workloads call
 * @param options - for the classes of this RPC, as of `lumenizeRpcDO`
 * @throws TypeError for an invalid contract, as `lumenizeRpcDO` does
 * @example
 * export const { Counter, AwakeCounter, … } = contenderClasses(CounterImpl, { increment: [Type.Integer()] });
 */
export function contenderClasses<Class extends ObjectClass, const Entries extends object>(
  Class: Class,
  contract: Entries & CheckedContract<InstanceType<Class>, Entries>,
  options: ContractOptions = {},
): ContenderClasses {
  const all: Contract = { ...(contract as Contract), ...addedContract };
  const Measured = measuredClass(Class);
  const methods = new Set(Object.keys(all));
  const wrapped = (more?: ContractOptions): MeasuredClass =>
    // The compiler has checked the project's part, with its class.
    lumenizeRpcDO(Measured, all as never, { ...options, ...more }) as MeasuredClass;
  return {
    Counter: wrapped({ use: [bytes] }),
    AwakeCounter: wrapped({ hibernate: false }),
    UnjournaledCounter: wrapped({ journal: false }),
    ManualCounter: withOwnFetch(Measured, all, options),
    CapnwebCounter: capnwebOf(Measured, methods),
    ...floorsOf(Measured, methods),
  };
}

/** This RPC in a class that keeps its own `fetch`. */
function withOwnFetch(
  Measured: MeasuredClass,
  contract: Contract,
  options: ContractOptions,
): MeasuredClass {
  const compiled = compileContract(contract, options);
  return class extends Measured {
    override async fetch(request: Request): Promise<Response> {
      const response = await handleRpcRequest(request, this, compiled);
      return response ?? new Response('Not found', { status: 404 });
    }

    override webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): void {
      handleRpcMessage(socket, message, this, compiled);
    }

    override webSocketClose(socket: WebSocket, code: number, reason: string): void {
      handleRpcClose(socket, code, reason, this, compiled);
    }
  };
}
