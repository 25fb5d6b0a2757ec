/**
 * The Durable Object classes of all contenders, made of one class of the project.
 */
import * as Type from 'typebox';
import { bytes } from '../../features/bytes/feature.ts';
import type { ContractOptions } from '../../server/contract/options.ts';
import { compileContract } from '../../server/contract/compile-contract.ts';
import { type Contract, read } from '../../server/contract/entries.ts';
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

/** The object that is measured in a project that names none. */
class PerfCounter {
  readonly ctx: DurableObjectState;
  readonly env: unknown;

  constructor(ctx: DurableObjectState, env: unknown) {
    this.ctx = ctx;
    this.env = env;
  }

  increment(by = 1): number {
    const value = this.getValue() + by;
    this.ctx.storage.kv.put('value', value);
    return value;
  }

  getValue(): number {
    return this.ctx.storage.kv.get<number>('value') ?? 0;
  }
}

function perfContract(): Contract {
  return {
    increment: [Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 }))],
    getValue: read(),
  };
}

/**
 * Makes the Durable Object classes of the performance test: one for each contender, all with the methods of the
 * same class. The Worker that is measured exports them, and `perf/wrangler.jsonc` binds them.
 *
 * @param Class - the class whose methods are measured. Default: a counter with the methods `increment` and `getValue`
 * @param contract - the methods that the workloads call
 * @param options - for the classes of this RPC, as of `lumenizeRpcDO`
 * @throws TypeError for an invalid contract, as `lumenizeRpcDO` does
 * @example
 * export const { Counter, AwakeCounter, … } = contenderClasses(CounterImpl, { increment: [Type.Integer()] });
 */
export function contenderClasses(): ContenderClasses;
export function contenderClasses<Class extends ObjectClass, const Entries extends object>(
  Class: Class,
  contract: Entries & CheckedContract<InstanceType<Class>, Entries>,
  options?: ContractOptions,
): ContenderClasses;
export function contenderClasses(
  Class: ObjectClass = PerfCounter as unknown as ObjectClass,
  contract: object = perfContract(),
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
