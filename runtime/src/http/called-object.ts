/** The object that a request calls, and the response for an object that has not answered. */
import type { ContractDescription } from '../server/contract/description.ts';
import { explanations } from '../server/diagnostics/explanations.ts';
import type { FetchTarget } from '../server/routing/router.ts';
import type { IdentifiedCaller } from '../wire/caller.ts';
import { FRAME_METHOD } from '../wire/door.ts';
import { refusal } from './problems.ts';

/** A request that a hook has let through, and its object. */
export interface ReachedObject {
  /** The request, with the caller that the hook has named. */
  readonly forwarded: Request;
  readonly target: FetchTarget;
}

export interface CalledObject extends ReachedObject {
  readonly url: URL;
  /** The caller that the hook has named. */
  readonly caller: Partial<IdentifiedCaller>;
  /** The name of its binding. */
  readonly binding: string;
  readonly contract: ContractDescription;
  /**
   * Calls the hook again, and makes another stub, since a stub does not outlast its object.
   *
   * @returns the response of a hook that now rejects the request
   */
  reachAgain(): Promise<ReachedObject | Response>;
}

/**
 * Responds for an object that has not answered.
 *
 * @param isSafe - whether the method changes nothing
 */
export function failure(error: unknown, binding: string, isSafe: boolean): Response {
  if (NOT_OURS.test(String(error))) return notOurs(binding);
  const local = explanations?.isLocal() ? explanations.printFailure(error, binding) : undefined;
  const problem = local ?? 'The object has not answered: see the log of the Worker';
  return refusal('UNAVAILABLE', problem, undefined, { maybeExecuted: !isSafe });
}

/** Matches the runtime's errors about a class without the methods that plain HTTP calls. */
const NOT_OURS = new RegExp(`${FRAME_METHOD}|does not export a fetch\\(\\)`);

/** Responds for an object whose class plain HTTP cannot call. */
export function notOurs(binding: string): Response {
  const problem = `${binding} does not answer plain HTTP: export the class that lumenizeRpcDO of this version returns`;
  return refusal('UNSUPPORTED', problem);
}
