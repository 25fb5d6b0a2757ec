/** Sends any text or bytes where a frame belongs, past the client, and reads what comes back. */
import { exports } from 'cloudflare:workers';
import { type AnswerMessage, decodeAnswer, decodeFrame, isId } from '../../src/wire/messages.ts';
import { hear } from '../support/hear.ts';
import { openSocket } from '../support/open-socket.ts';

/**
 * What came back: by a call's id, or under `frame` for what named no call, either a result or the
 * code (for an error of ours) or name of what was thrown.
 */
export type Answers = Record<number | 'frame', unknown>;

function addressOf(instance: string): string {
  return `https://example.com/__rpc/COUNTER/${encodeURIComponent(instance)}/call`;
}

export class RawSocket {
  /** Frames that nobody has asked for yet. */
  readonly received: string[] = [];
  /** Set when the connection has ended. */
  closed: number | undefined;
  readonly #socket: WebSocket;
  #wake = (): void => {};

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    hear(socket, (frame) => {
      this.received.push(String(frame));
      this.#wake();
    });
    socket.addEventListener('close', ({ code }) => {
      this.closed = code;
      this.#wake();
    });
  }

  static async open(instance: string): Promise<RawSocket> {
    return new RawSocket(await openSocket('COUNTER', instance));
  }

  send(frame: string | ArrayBuffer): void {
    this.#socket.send(frame);
  }

  /** Sends a good call and collects all that is answered until its answer is there. */
  async answersUpTo(id: number, call: string): Promise<Answers> {
    this.send(`[${call}]`);
    const answers = {} as Answers;
    for (;;) {
      if (id in answers) return answers;
      const frame = this.received.shift();
      if (frame !== undefined) Object.assign(answers, answersIn(frame));
      else if (this.closed !== undefined) throw new Error(`The socket closed with ${this.closed}`);
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  close(): void {
    this.#socket.close(1000);
  }
}

export async function post(instance: string, body: BodyInit): Promise<Answers> {
  const headers = { 'Content-Type': 'application/json' };
  const response = await exports.default.fetch(addressOf(instance), {
    method: 'POST',
    headers,
    body,
  });
  return answersIn(await response.text());
}

function answersIn(frame: string): Answers {
  const answers = {} as Answers;
  for (const message of decodeFrame(frame)) {
    const [id] = message;
    if (isId(id)) answers[id] = outcomeOf(message as AnswerMessage);
    else answers.frame = outcomeOf([1, 'error', message.at(-1)]);
  }
  return answers;
}

function outcomeOf(message: AnswerMessage): unknown {
  const answer = decodeAnswer(message);
  if ('result' in answer) return answer.result;
  const { name, code } = answer.thrown as Error & { code?: string };
  return name === 'RpcError' ? code : name;
}
