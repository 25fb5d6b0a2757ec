/** An object whose method throws an error with a stack, a cause and a property, with each value of the option. */
import { DurableObject } from 'cloudflare:workers';
import * as Type from '../../../../src/typebox.ts';
import { lumenizeRpcDO } from '../../../../src/server.ts';
import { RpcError } from '../../../../src/wire/errors.ts';

class Failing extends DurableObject<Env> {
  fail(): void {
    const error = new RangeError('no such thing', { cause: new Error('a secret') });
    throw Object.assign(error, { code: 'E_NONE', detail: 'a secret' });
  }

  failWithRpcError(): void {
    throw new RpcError('FORBIDDEN', 'not here', { path: '[0].mine' });
  }

  take(value: number): number {
    return value;
  }
}

const contract = { fail: [], failWithRpcError: [], take: [Type.Integer()] } as const;

export const Quiet = lumenizeRpcDO(Failing, contract);
export const Frank = lumenizeRpcDO(Failing, contract, { exposeErrorDetails: true });
export const Undefined = lumenizeRpcDO(Failing, contract, { exposeErrorDetails: undefined });

export { default } from '../../../served/routed.ts';
