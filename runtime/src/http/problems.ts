/** Writes errors as problem documents, according to RFC 9457. */
import type { RpcErrorCode, RpcErrorDetails } from '../wire/errors.ts';
import { RpcError } from '../wire/errors.ts';
import { HTTP_STATUS, LIMIT_EXCEEDED_STATUS, UNAVAILABLE_STATUS } from '../wire/status.ts';
import { writeJson } from './values.ts';

interface Problem extends Pick<RpcErrorDetails, 'path' | 'maybeExecuted'> {
  /** The code, or the name of the class of an error without a code. */
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** An `RpcErrorCode`, or the code of an error that the method has thrown. */
  readonly code?: string | number | undefined;
}

const PROBLEM_TYPE = 'application/problem+json';

/** @param headers - additional headers */
function problemResponse(problem: Problem, headers?: Record<string, string>): Response {
  const own: Record<string, string> = { 'Content-Type': PROBLEM_TYPE, 'Cache-Control': 'no-store' };
  const { status } = problem;
  const isBusy = status === LIMIT_EXCEEDED_STATUS || status === UNAVAILABLE_STATUS;
  if (isBusy) own['Retry-After'] = '1';
  return new Response(JSON.stringify(problem), {
    status,
    headers: { ...own, ...headers },
  });
}

/**
 * Responds that a call does not reach its object, or cannot be answered.
 *
 * @param status - the status of the response. Default: the status of the code
 */
export function refusal(
  code: RpcErrorCode,
  detail: string,
  status: number = HTTP_STATUS[code],
  details?: Pick<RpcErrorDetails, 'maybeExecuted'>,
  headers?: Record<string, string>,
): Response {
  const { maybeExecuted } = details ?? {};
  return problemResponse({ title: code, status, detail, code, maybeExecuted }, headers);
}

/** Responds to arguments that cannot be read. */
export function malformed(detail: string): Response {
  return refusal('BAD_MESSAGE', detail);
}

/** Responds to a body of another type or encoding. */
export function unsupportedType(detail: string): Response {
  return refusal('BAD_MESSAGE', detail, 415);
}

/** Responds to arguments that no frame can have. */
export function tooLarge(): Response {
  const problem = 'The arguments are larger than limits.frameSize allows';
  return refusal('LIMIT_EXCEEDED', problem, 413);
}

/** The codes of requests that the router rejects, by status. */
const ROUTER_CODES: Readonly<Record<number, RpcErrorCode>> = {
  400: 'BAD_MESSAGE',
  403: 'FORBIDDEN',
  429: 'LIMIT_EXCEEDED',
};

/** Responds that a request reaches no object. */
export function refuse(status: number, detail: string): Response {
  return refusal(ROUTER_CODES[status] ?? 'UNAVAILABLE', detail, status);
}

/**
 * Describes an error that the object has thrown.
 *
 * @param thrown - an `RpcError`, or any value that the method has thrown
 */
export function problemOf(thrown: unknown): Problem {
  if (!(thrown instanceof Error)) {
    const detail = typeof thrown === 'string' ? thrown : textOf(thrown);
    return { title: 'Error', status: 500, detail };
  }
  const { name, message: detail, code } = thrown as Error & { code?: unknown };
  if (!(thrown instanceof RpcError)) {
    const own = typeof code === 'string' || typeof code === 'number' ? { code } : {};
    return { title: name, status: 500, detail, ...own };
  }
  const { path, maybeExecuted } = thrown;
  const status = Object.hasOwn(HTTP_STATUS, thrown.code) ? HTTP_STATUS[thrown.code] : 500;
  return { title: thrown.code, status, detail, code: thrown.code, path, maybeExecuted };
}

function textOf(thrown: unknown): string {
  try {
    return writeJson(thrown) ?? 'undefined';
  } catch {
    return 'An object that contains itself';
  }
}

/** Responds with an error that the object has thrown. */
export function thrownResponse(thrown: unknown, headers?: Record<string, string>): Response {
  return problemResponse(problemOf(thrown), headers);
}
