/** The errors that an object under test reports. */

export interface Failure {
  name?: string;
  message?: string;
  code?: string;
  path?: string;
  maybeExecuted?: boolean;
}

/** Returns the parts of an error that can be stored and compared. */
export function failureIn(thrown: unknown): Failure {
  if (!(thrown instanceof Error)) return { message: `threw ${String(thrown)}` };
  const { name, message, code, path, maybeExecuted } = thrown as Error & Failure;
  return JSON.parse(JSON.stringify({ name, message, code, path, maybeExecuted })) as Failure;
}

/** Returns the error of a call by native Workers RPC as text. */
export async function failureOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'nothing',
    (error: Error) => `${error.name}: ${error.message}`,
  );
}
