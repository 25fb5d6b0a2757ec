/** Tells a developer why an object does not answer: for example, its constructor throws. */
import { CLIENT_ID } from '../../wire/messages.ts';
import { FAILED_STATUS } from '../../wire/status.ts';
import { isLocal } from '../base/development.ts';
import { isProbe } from '../base/probes.ts';
import { isUpgrade } from '../base/requests.ts';

/** The reasons that were printed. A client connects again and again, and each reason is printed only once. */
const printed = new Set<string>();

/** Advice for reasons. The first pattern that matches a reason counts. */
const ADVICE: readonly [RegExp, advice: string][] = [
  [
    /not declared to use SQLite|SQLite-backed/,
    'declare the class to use SQLite in the Wrangler configuration: with new_sqlite_classes in a migration, or with ' +
      '"storage": "sqlite" in its export',
  ],
  [
    /SQLITE_ERROR/,
    'correct the SQL statement, for example in the last migration. A migration that failed has changed nothing. To begin ' +
      'without data, delete .wrangler/state',
  ],
  [
    /fetch\(\)`? (?:function|handler)/,
    'export the class that lumenizeRpcDO returns, under its name in the Wrangler configuration, and not the class that ' +
      'you passed to lumenizeRpcDO',
  ],
  [
    // The runtime answers with these errors for a class that the Worker does not have.
    /internal error|no such actor class|not exported/,
    'export the class from the main module of the Worker, under its name in the Wrangler configuration',
  ],
];
const CORRECT =
  'correct the code that throws the error, in the constructor or its blockConcurrencyWhile, and save. Open pages then connect again';

/**
 * Answers a client in development and in tests, and prints the reason once, with what to do. In a deployed Worker, the
 * error is thrown on, because a stranger must not learn the reason. Without this answer, a development server would answer
 * with a page in HTML, and would not answer an upgrade.
 */
export function explainFailure(
  error: unknown,
  request: Request,
  binding: string,
): Response | undefined {
  const isOfClient = isUpgrade(request) || isProbe(request) || request.headers.has(CLIENT_ID);
  if (!isOfClient || !isLocal()) return undefined;
  const failure = printFailure(error, binding);
  return new Response(failure, { status: FAILED_STATUS });
}

/**
 * If the Worker runs locally, prints once why an object fails, and what to do.
 *
 * @param error - the error that was thrown
 * @param name - the name of the binding or of the class
 * @returns a sentence with the first line of the error
 */
export function printFailure(error: unknown, name: string): string {
  // The runtime adds a reference to an error, which is different each time.
  const [reason = ''] = String(error).split(/\n|; reference = /, 1);
  const failure = `The object of ${name} failed: ${reason}`;
  if (isLocal() && !printed.has(failure)) {
    printed.add(failure);
    const [, advice = CORRECT] = ADVICE.find(([pattern]) => pattern.test(reason)) ?? [];
    console.error(`${failure}\nWhat to do: ${advice}.`);
  }
  return failure;
}
