/** Tells a developer why an object does not answer: for example, its constructor throws. */
import { CLIENT_ID } from '../../wire/messages.ts';
import { isLocal } from '../base/development.ts';
import { isProbe, isUpgrade } from '../base/requests.ts';

/**
 * Answers a client in development and in tests. Elsewhere, a stranger must not learn the reason, and the error goes on.
 * Without it, development servers answer with a page in HTML, and an upgrade not at all.
 */
export function explainFailure(
  error: unknown,
  request: Request,
  binding: string,
): Response | undefined {
  const isOfClient = isUpgrade(request) || isProbe(request) || request.headers.has(CLIENT_ID);
  if (!isOfClient || !isLocal()) return undefined;
  const [reason] = String(error).split('\n', 1);
  return new Response(`The object of ${binding} failed: ${reason}`, { status: 500 });
}
