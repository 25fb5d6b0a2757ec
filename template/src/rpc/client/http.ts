/** Frames over HTTP: each is the body of a POST, and the response's body is the frame of answers. */
import { RpcError, type RpcErrorCode } from '../wire/errors.ts';
import type { Transport, TransportEvents } from './transport.ts';

const STATUS_CODES: Record<number, RpcErrorCode> = {
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  429: 'UNAVAILABLE',
};

/**
 * @param url - of the object's `call` path
 * @param headers - added to every request
 * @param send - the `fetch` function to use
 */
export function httpTransport(
  url: string,
  headers: Record<string, string>,
  send: typeof fetch,
): Transport {
  let events: TransportEvents;
  const abort = new AbortController();
  return {
    connect(session) {
      events = session;
      events.opened();
    },
    async send(body) {
      const response = await deliver(send, url, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body,
        signal: abort.signal,
      });
      events.received(await response.text());
    },
    close() {
      abort.abort();
    },
  };
}

async function deliver(send: typeof fetch, url: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await send(url, init);
  } catch (cause) {
    const message = `No answer from ${url}: ${cause instanceof Error ? cause.message : cause}`;
    throw new RpcError('DISCONNECTED', message, { cause, maybeExecuted: true });
  }
  const ours = response.headers.get('Content-Type')?.startsWith('application/json');
  if (response.ok && ours) return response;
  throw await refusal(response, url);
}

async function refusal(response: Response, url: string): Promise<RpcError> {
  const { status } = response;
  const code = STATUS_CODES[status] ?? (status >= 500 ? 'UNAVAILABLE' : 'BAD_RESPONSE');
  const text = (await response.text()).slice(0, 200);
  return new RpcError(code, `${url} answered ${status}: ${text}`, { status });
}
