/** Sends text or bytes in place of a frame to a counter, and reads its answers. */
import { exports } from 'cloudflare:workers';
import { type AnswerMessage, decodeAnswer, decodeFrame, isId } from '../../src/wire/messages.ts';
import { openSocket } from '../support/open-socket.ts';
import { RawConnection } from '../support/raw-connection.ts';

/**
 * The answers by the ids of their calls, and under `frame` the answer to a message without an id. Each is a result, or
 * the code of an `RpcError`, or the name of another error.
 */
export type Answers = Record<number | 'frame', unknown>;

export async function connect(instance: string): Promise<RawConnection> {
  return RawConnection.socket(await openSocket('COUNTER', instance));
}

/** Sends a valid call, and returns all answers up to the answer of that call. */
export async function answersUpTo(raw: RawConnection, id: number, call: string): Promise<Answers> {
  raw.sendMessages(call);
  return answersIn(await raw.until(([first]) => first === id));
}

/** Sends a frame by POST, and returns its answers. */
export async function post(instance: string, body: string | Uint8Array): Promise<Answers> {
  const url = `https://example.com/__rpc/COUNTER/${encodeURIComponent(instance)}/call`;
  using raw = RawConnection.post(url, { fetch: (...request) => exports.default.fetch(...request) });
  raw.send(body);
  return answersIn(decodeFrame(await raw.next()));
}

function answersIn(messages: unknown[][]): Answers {
  const answers = {} as Answers;
  for (const message of messages) {
    const [id] = message;
    if (isId(id)) answers[id] = outcomeOf(message as AnswerMessage);
    else answers.frame = outcomeOf([1, 'error', message.find(Array.isArray)]);
  }
  return answers;
}

function outcomeOf(message: AnswerMessage): unknown {
  const answer = decodeAnswer(message);
  if ('result' in answer) return answer.result;
  const { name, code } = answer.thrown as Error & { code?: string };
  return name === 'RpcError' ? code : name;
}
