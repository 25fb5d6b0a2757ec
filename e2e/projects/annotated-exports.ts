// A Durable Object and its clients with explicit types, as `isolatedDeclarations` requires.
import { DurableObject } from 'cloudflare:workers';
import { createRpcClient, type RpcClient } from 'lumenize-rpc/client';
import {
  live,
  lumenizeRpcDO,
  type RpcClass,
  type RpcObject,
  type StandardSchema,
} from 'lumenize-rpc/server';
import * as Type from 'lumenize-rpc/typebox';

export class NotesImpl extends DurableObject<unknown> {
  add(text: string): number {
    return text.length;
  }

  count(): number {
    return 0;
  }

  on(day: Date): number {
    return day.getTime();
  }
}

const day: StandardSchema<string, Date> = {
  '~standard': {
    version: 1,
    vendor: 'own',
    validate: (value) => ({ value: new Date(String(value)) }),
  },
};

export const Notes: RpcClass<
  typeof NotesImpl,
  { add: 'call'; count: 'live'; on: { kind: 'call'; input: { 0: string } } }
> = lumenizeRpcDO(NotesImpl, { add: [Type.String()], count: live(), on: [day] });
export type Notes = RpcObject<typeof Notes>;

export const notes: RpcClient<Notes> = createRpcClient<Notes>('NOTES', 'mine');

export async function add(text: string): Promise<number> {
  return await notes.add(text);
}

export async function on(text: string): Promise<number> {
  return await notes.on(text);
}
