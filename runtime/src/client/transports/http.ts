/** Sends frames over HTTP. Each frame is the body of a POST, and the body of the response is the frame of answers. */
import type { RpcError } from '../../wire/errors.ts';
import { BINARY_TYPE, CLIENT_ID, type Frame } from '../../wire/messages.ts';
import { isPermanent, connectionError, rejectionOf } from '../failures.ts';
import { currentValue, type ConnectionOptions } from '../options.ts';
import type { Transport, TransportEvents } from '../transport.ts';

/**
 * Sends a frame, and returns the frame that answers it.
 *
 * @param own - returns additional headers
 * @param credentials - the option `credentials` of `fetch`
 */
export type Post = (
  frame: Frame,
  own: () => Record<string, string>,
  signal: AbortSignal,
  credentials?: 'include',
) => Promise<Frame>;

/**
 * @param url - the URL of the object's `call` path
 * @param options - if `headers` is a function, a request is repeated once after a 401
 */
export function createPost(url: string, { headers, fetch: send }: ConnectionOptions): Post {
  return async (body, own, signal, credentials) => {
    for (let isLast = typeof headers !== 'function'; ; isLast = true) {
      let response: Response;
      let answer: Frame;
      try {
        // The global function is looked up for each request, since a test or a monitor can replace it.
        response = await (send ?? fetch)(url, {
          method: 'POST',
          headers: {
            // Development servers would describe an error in HTML.
            Accept: 'application/json',
            ...(await currentValue(headers)),
            ...own(),
            'Content-Type': typeof body === 'string' ? 'application/json' : BINARY_TYPE,
          },
          body,
          signal,
          // The types of Workers lack this option.
          credentials,
        } as RequestInit);
        const isBinary = response.headers.get('Content-Type') === BINARY_TYPE;
        answer = await (isBinary ? response.arrayBuffer() : response.text());
      } catch (cause) {
        throw connectionError(`${cause} (CORS or Content Security Policy? ${url})`, cause);
      }
      // A text frame begins with `[`. So does `[object ArrayBuffer]`, the string of a binary frame.
      if (response.ok && String(answer)[0] === '[') return answer;
      if (isLast || response.status !== 401)
        throw rejectionOf(response.status, answer as string, response.url || url);
    }
  };
}

/**
 * Creates a transport that sends each frame as a POST. A failed request counts as a lost connection: all calls without
 * an answer are then sent again.
 *
 * @param url - the URL of the object's `call` path
 * @param clientId - returns the client's id
 */
export function httpTransport(url: string, post: Post, clientId: () => string): Transport {
  let events: TransportEvents;
  let requests: AbortController | undefined;
  return {
    address: url,
    clientId,
    connect(session) {
      requests = new AbortController();
      events = session;
      events.opened();
    },
    send(frame) {
      const { signal } = requests as AbortController;
      const fail = (error: RpcError, isRefusal = isPermanent(error)): void => {
        // The first failure aborts the other requests, which then report nothing.
        if (signal.aborted) return;
        requests?.abort();
        // A hook, the router and the object answer like this before any call runs. So the calls of the frame have not
        // run.
        events.lost(error, isRefusal, isPermanent(error) && frame);
      };
      post(frame, () => ({ [CLIENT_ID]: clientId() }), signal).then((answers) => {
        // Another service has answered with JSON, and will do so again. A login page, which is not JSON, may be
        // temporary.
        if (events.received(answers) === false) fail(rejectionOf(200, `${answers}`, url), true);
      }, fail);
    },
    close() {
      requests?.abort();
    },
  };
}
