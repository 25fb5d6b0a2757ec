/** A frame that comes as the body of a POST, and its answers as the body of the response. */
import { RpcError } from '../wire/errors.ts';
import { exceeded, type Limits } from '../wire/limits.ts';
import { CLIENT_ID, encodeRefusal } from '../wire/messages.ts';
import { callerOf } from './caller.ts';
import type { CompiledContract } from './contract.ts';
import { runFrame } from './dispatch.ts';
import { entryOf, releaseEntry } from './journal.ts';
import { Peer } from './peer.ts';

export async function answerPost(
  request: Request,
  instance: object,
  contract: CompiledContract,
): Promise<Response> {
  let answer = '[]';
  const keep = (frame: string): void => {
    answer = frame;
  };
  const client = request.headers.get(CLIENT_ID) ?? undefined;
  const peer = new Peer({ caller: callerOf(request), client }, keep, Infinity);
  peer.hold();
  try {
    const text = await readText(request, contract.limits);
    const entry = entryOf(instance, contract, client);
    await runFrame(text, { instance, contract, entry }, peer);
    releaseEntry(instance, contract, client);
  } catch (error) {
    peer.answer(encodeRefusal(error as RpcError));
  }
  peer.release();
  return new Response(answer, { headers: { 'Content-Type': 'application/json' } });
}

/** @throws RpcError for a body that is too large, before it is read, or that is not UTF-8 */
async function readText(request: Request, { frameSize }: Limits): Promise<string> {
  // No character takes more than three bytes for each unit of its length.
  const isTooLarge = Number(request.headers.get('Content-Length')) > 3 * frameSize;
  if (isTooLarge) exceeded('frameSize', frameSize);
  const bytes = await request.arrayBuffer();
  try {
    // Not `request.text()`, which would replace what is not UTF-8 and pass it on.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch (cause) {
    throw new RpcError('BAD_MESSAGE', 'The body is not UTF-8', { cause });
  }
}
