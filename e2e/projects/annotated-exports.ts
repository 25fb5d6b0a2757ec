// A Durable Object and its clients with written types, as `isolatedDeclarations` asks for.
import { DurableObject } from 'cloudflare:workers';
import { createRpcClient, type RpcClient } from 'lumenize-rpc/client';
import { live, lumenizeRpcDO, type RpcClass, type RpcObject } from 'lumenize-rpc/server';
import * as Type from 'typebox';

export class NotesImpl extends DurableObject<unknown> {
  add(text: string): number {
    return text.length;
  }

  count(): number {
    return 0;
  }
}

export const Notes: RpcClass<typeof NotesImpl, { add: 'call'; count: 'live' }> = lumenizeRpcDO(
  NotesImpl,
  { add: [Type.String()], count: live() },
);
export type Notes = RpcObject<typeof Notes>;

export const notes: RpcClient<Notes> = createRpcClient<Notes>('NOTES', 'mine');

export async function add(text: string): Promise<number> {
  return await notes.add(text);
}
