/**
 * Frames over HTTP: each is the body of a POST, and the response's body is the frame of answers.
 * Imports failures, options, transport and wire/.
 */
import type { RpcError } from '../wire/errors.ts';
import { BINARY, CLIENT_ID, type Frame } from '../wire/messages.ts';
import { isFinal, lostBy, refusalOf } from './failures.ts';
import { current, type ConnectionOptions } from './options.ts';
import type { Transport, TransportEvents } from './transport.ts';

/** Sends a frame, with headers of its own, and returns the frame that answers it. */
export type Post = (
  frame: Frame,
  own: Record<string, string>,
  signal: AbortSignal,
) => Promise<Frame>;

/**
 * @param url - of the object's `call` path
 * @param options - where `headers` are a function, a 401 is tried once more
 */
export function poster(url: string, { headers, fetch: send = fetch }: ConnectionOptions): Post {
  return async (body, own, signal) => {
    for (let isLast = typeof headers !== 'function'; ; isLast = true) {
      let response: Response;
      let answer: Frame;
      try {
        const type = typeof body === 'string' ? 'application/json' : BINARY;
        const all = { ...(await current(headers)), ...own, 'Content-Type': type };
        response = await send(url, { method: 'POST', headers: all, body, signal });
        const isBinary = response.headers.get('Content-Type') === BINARY;
        answer = await (isBinary ? response.arrayBuffer() : response.text());
      } catch (cause) {
        throw lostBy(cause, cause);
      }
      // Text has to begin as a frame does; of bytes the name does.
      if (response.ok && String(answer)[0] === '[') return answer;
      if (isLast || response.status !== 401) throw refusalOf(response.status, answer as string);
    }
  };
}

/**
 * A request that fails is a connection lost: what others of its time have not brought comes again.
 *
 * @param address - of the object's `call` path
 * @param clientId - gives the client's id
 */
export function httpTransport(address: string, post: Post, clientId: () => string): Transport {
  let events: TransportEvents;
  let requests = new AbortController();
  return {
    address,
    connect(session) {
      requests = new AbortController();
      events = session;
      events.opened();
    },
    send(frame) {
      const { signal } = requests;
      post(frame, { [CLIENT_ID]: clientId() }, signal).then(
        (answers) => events.received(answers),
        (error: RpcError) => {
          // The first failure ends the others, which have no more to say.
          if (signal.aborted) return;
          requests.abort();
          events.lost(error, isFinal(error));
        },
      );
    },
    close() {
      requests.abort();
    },
  };
}
