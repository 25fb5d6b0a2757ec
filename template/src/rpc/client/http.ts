/**
 * Frames over HTTP: each is the body of a POST, and the response's body is the frame of answers.
 * Imports failures, transport and wire/.
 */
import { RpcError } from '../wire/errors.ts';
import { isFinal, refusalOf } from './failures.ts';
import type { Transport, TransportEvents } from './transport.ts';

/** Sends a frame and returns the frame that answers it. */
export type Post = (frame: string, signal?: AbortSignal) => Promise<string>;

/**
 * @param url - of the object's `call` path
 * @param headers - added to every request
 * @param send - the `fetch` function to use
 */
export function poster(url: string, headers: Record<string, string>, send: typeof fetch): Post {
  return async (body, signal) => {
    const init = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' } };
    let response: Response;
    let text: string;
    try {
      response = await send(url, { ...init, body, signal: signal ?? null });
      text = await response.text();
    } catch (cause) {
      throw new RpcError('DISCONNECTED', 'No answer', { cause });
    }
    const isOurs = response.headers.get('Content-Type')?.startsWith('application/json');
    if (response.ok && isOurs) return text;
    throw refusalOf(response.status, text);
  };
}

/** A request that fails is a connection lost: what others of its time have not brought comes again. */
export function httpTransport(post: Post): Transport {
  let events: TransportEvents | undefined;
  let requests = new AbortController();
  return {
    connect(session) {
      requests = new AbortController();
      events = session;
      events.opened();
    },
    send(frame) {
      const { signal } = requests;
      post(frame, signal).then(
        (answers) => events?.received(answers),
        (error: RpcError) => {
          // The first failure ends the others, which have no more to say.
          if (signal.aborted) return;
          requests.abort();
          events?.lost(error, isFinal(error));
        },
      );
    },
    close() {
      events = undefined;
      requests.abort();
    },
  };
}
