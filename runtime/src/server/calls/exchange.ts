/** Answers a frame that comes without a connection, such as the body of a POST. All answers go back together. */
import { rejection } from '../base/rejection.ts';
import { type ClientMemory, OUT_OF_MEMORY } from '../base/memory.ts';
import { ClientConnection } from '../connections/client-connection.ts';
import type { Link } from '../connections/link.ts';
import type { ConnectionIdentity } from '../connections/identity.ts';
import type { Target } from '../contract/types.ts';
import { clientJournalOf, releaseClientJournal } from '../journal/journal.ts';
import {
  type AnswerMessage,
  decodeAnswer,
  decodeFrame,
  encodeCall,
  type Frame,
  HEARTBEAT,
} from '../../wire/messages.ts';
import { decodeRich } from '../../wire/values/rich-decoder.ts';
import { runFrame } from './dispatch.ts';

/** The client's end of an exchange, while its frame is read. */
export interface Exchange {
  /** The account of the bytes that are read. */
  readonly memory: ClientMemory;
  /** Called when the object has no more memory for the client, or when the exchange has ended. */
  end?(): void;
}

/**
 * Runs the calls of a frame, and waits for the last answer.
 *
 * @param identity - the client that sends the frame
 * @param read - returns the frame, or throws why it cannot be read
 * @returns a frame with all answers; `undefined` if the object has no memory for the client
 */
export async function answerOnce(
  identity: ConnectionIdentity,
  { instance, contract }: Target,
  read: (exchange: Exchange) => Frame | Promise<Frame>,
): Promise<Frame | undefined> {
  let answer: Frame = HEARTBEAT;
  const link: Link & Exchange = {
    send(frame: Frame): void {
      answer = frame;
    },
    get memory(): ClientMemory {
      return connection.memory;
    },
  };
  const connection = new ClientConnection(identity, link);
  connection.serve(instance, contract.limits);
  connection.hold();
  try {
    const frame = await read(link);
    await runFrame(
      frame,
      () => ({ instance, contract, journal: clientJournalOf(instance, contract, connection) }),
      connection,
    );
  } catch (error) {
    connection.rejectFrame(error);
  }
  releaseClientJournal(instance, contract, connection);
  connection.release();
  if (connection.hasGivenWay) return undefined;
  connection.leave();
  return answer;
}

/** A call of a method of the object. */
export interface SingleCall {
  readonly method: string;
  readonly args: readonly unknown[];
  /** Identifies the call among the calls of the client. A call that is sent again with its id runs once. Default 1. */
  readonly id?: number;
}

/**
 * Runs one call as a client would send it: validated, within the limits, surrounded, and at most once for a client
 * with an id.
 *
 * @param identity - the client; a client without an id has no journal
 * @returns the result, as a client receives it
 * @throws RpcError for a call that is rejected; the method's error, as a client receives it
 */
export async function callOnce(
  identity: ConnectionIdentity,
  target: Target,
  { method, args, id = 1 }: SingleCall,
): Promise<unknown> {
  const frame = await answerOnce(identity, target, () => `[${encodeCall(id, method, [...args])}]`);
  if (frame === undefined) throw rejection('UNAVAILABLE', OUT_OF_MEMORY);
  const [message = []] = decodeFrame(frame);
  if (message[0] === 'error') throw decodeRich(message[1]);
  if (message[0] !== id) throw rejection('BAD_RESPONSE', `${method} has no answer`);
  const answer = decodeAnswer(message as AnswerMessage);
  if ('thrown' in answer) throw answer.thrown;
  return answer.result;
}
