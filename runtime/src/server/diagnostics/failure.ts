/** Tells a developer why an object does not answer: for example, its constructor throws. */
import { CLIENT_ID } from '../../wire/messages.ts';
import { FAILED_STATUS } from '../../wire/status.ts';
import { isLocal } from '../base/development.ts';
import { isProbe } from '../base/probes.ts';
import { isUpgrade } from '../base/requests.ts';

/** What was printed: a client connects again and again, and the reason stays the same. */
const printed = new Set<string>();

/** What to do about the reasons that match, the first of them. */
const ADVICE: readonly [RegExp, advice: string][] = [
  [
    /not declared to use SQLite|SQLite-backed/,
    'declare the class to use SQLite in the Wrangler configuration: by new_sqlite_classes of a migration, or by ' +
      '"storage": "sqlite" of its export',
  ],
  [
    /SQLITE_ERROR/,
    'correct the statement, such as the last migration. Nothing of a migration that failed is stored. To begin without data, delete ' +
      '.wrangler/state',
  ],
  [
    /fetch\(\)`? (?:function|handler)/,
    'export what lumenizeRpcDO returns, by the name that the Wrangler configuration has, and not the class that it got',
  ],
  [
    // So answers the runtime for a class that the Worker does not have.
    /internal error|no such actor class|not exported/,
    'export the class from the main module of the Worker, by the name that the Wrangler configuration has',
  ],
];
const CORRECT =
  'correct what throws it, in the constructor or in its blockConcurrencyWhile, and save. Open pages connect again';

/**
 * Answers a client in development and in tests, and prints the reason once, with what to do. Elsewhere, a stranger must
 * not learn the reason, and the error goes on. Without the answer, development servers answer with a page in HTML, and an
 * upgrade not at all.
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
 * Prints once what does not work in an object, with what to do, where the Worker runs locally.
 *
 * @param error - what was thrown
 * @param name - of the binding or of the class
 * @returns a sentence with the first line of the error
 */
export function printFailure(error: unknown, name: string): string {
  // A reference is another for each error.
  const [reason = ''] = String(error).split(/\n|; reference = /, 1);
  const failure = `The object of ${name} failed: ${reason}`;
  if (isLocal() && !printed.has(failure)) {
    printed.add(failure);
    const [, advice = CORRECT] = ADVICE.find(([pattern]) => pattern.test(reason)) ?? [];
    console.error(`${failure}\nWhat to do: ${advice}.`);
  }
  return failure;
}
