/**
 * The Durable Object classes of all contenders, made of one class of the project.
 */
import * as Type from '../../typebox/builders.ts';
import { bytes } from '../../features/bytes/feature.ts';
import type { ContractOptions } from '../../server/contract/options.ts';
import { compileContract } from '../../server/contract/compile-contract.ts';
import { type Contract, read } from '../../server/contract/entries.ts';
import { lumenizeRpcDO } from '../../server/durable-object.ts';
import { handleRpcClose, handleRpcMessage, handleRpcRequest } from '../../server/handlers.ts';
import { capnwebOf } from './capnweb.ts';
import type { ContenderClasses } from './classes.ts';
import { floorsOf } from './floors.ts';
import { definitionOf } from './measured-contract.ts';
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

function perfCounter(): ObjectClass {
  const contract = {
    increment: [Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 }))],
    getValue: read(),
  };
  return lumenizeRpcDO(PerfCounter as unknown as ObjectClass, contract as never);
}

/**
 * Makes the Durable Object classes of the performance test: one for each contender, all with the methods of the
 * same class. The Worker that is measured exports them, and `perf/wrangler.jsonc` binds them.
 *
 * @param Class - the class that is measured, as `lumenizeRpcDO` returned it. Default: a counter with the methods
 *   `increment` and `getValue`
 * @param options - options in place of the options that `lumenizeRpcDO` received for the class. Options such as
 *   `onCall`, `onError` and `use` are not taken from the class.
 * @throws TypeError for a class that `lumenizeRpcDO` has not returned
 * @example
 * export const { Counter, AwakeCounter, … } = contenderClasses(Orders);
 */
export function contenderClasses(
  Class: ObjectClass = perfCounter(),
  options: ContractOptions = {},
): ContenderClasses {
  const measured = definitionOf(Class);
  const all: Contract = { ...measured.contract, ...addedContract };
  const Measured = measuredClass(measured.Class);
  const methods = new Set(Object.keys(all));
  const own = { ...measured.options, ...options };
  const wrapped = (more?: ContractOptions): MeasuredClass =>
    // The compiler has already checked the project's contract, with its class.
    lumenizeRpcDO(Measured, all as never, { ...own, ...more }) as MeasuredClass;
  return {
    Counter: wrapped({ use: [...(own.use ?? []), bytes] }),
    AwakeCounter: wrapped({ hibernate: false }),
    UnjournaledCounter: wrapped({ journal: false }),
    ManualCounter: withOwnFetch(Measured, all, own),
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
