/** What an object under test tells of errors. */

export interface Failure {
  name?: string;
  message?: string;
  code?: string;
  path?: string;
  maybeExecuted?: boolean;
}

/** The parts of an error that can be stored, and compared. */
export function failureIn(thrown: unknown): Failure {
  if (!(thrown instanceof Error)) return { message: `threw ${String(thrown)}` };
  const { name, message, code, path, maybeExecuted } = thrown as Error & Failure;
  return JSON.parse(JSON.stringify({ name, message, code, path, maybeExecuted })) as Failure;
}

/** How a call by native Workers RPC failed. */
export async function failureOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'nothing',
    (error: Error) => `${error.name}: ${error.message}`,
  );
}
