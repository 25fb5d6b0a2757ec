/** All cases of the suite by subject, and the selections that run in each way. */
import type { Case } from '../case.ts';
import { access } from './access.ts';
import { batching } from './batching.ts';
import { earlierCalls } from './earlier-calls.ts';
import { errors } from './errors.ts';
import { givingUp } from './giving-up.ts';
import { inspection } from './inspection.ts';
import { newest } from './newest.ts';
import { passingStreams } from './passing-streams.ts';
import { pipelining } from './pipelining.ts';
import { projection } from './projection.ts';
import { promises } from './promises.ts';
import { readingStreams } from './reading-streams.ts';
import { telling } from './telling.ts';
import { unhandled } from './unhandled.ts';
import { values } from './values.ts';

export const subjects: Record<string, readonly Case[]> = {
  access,
  batching,
  'earlier calls': earlierCalls,
  errors,
  'giving up': givingUp,
  inspection,
  newest,
  'passing streams': passingStreams,
  pipelining,
  projection,
  promises,
  'reading streams': readingStreams,
  telling,
  'unhandled rejections': unhandled,
  values,
};

/** Subjects whose behaviour may depend on the transport, and on how a class is wired. */
const WIRED = new Set(['access', 'batching', 'earlier calls', 'errors', 'giving up', 'telling']);

/** The cases for a way that is similar to a way in which the whole suite runs. */
export const wiring: Record<string, readonly Case[]> = Object.fromEntries(
  Object.entries(subjects)
    .filter(([name]) => WIRED.has(name))
    .map(([name, cases]) => [name, cases.filter(({ isLarge }) => !isLarge)]),
);

/** The cases that `wiring` does not have. */
const rest: Record<string, readonly Case[]> = Object.fromEntries(
  Object.entries(subjects)
    .map(([name, cases]) => [name, cases.filter((one) => !wiring[name]?.includes(one))] as const)
    .filter(([, cases]) => cases.length > 0),
);

/** The cases whose behaviour may depend on the platform: types of values, streams and errors. */
const platform: Record<string, readonly Case[]> = Object.fromEntries(
  Object.entries({ errors, 'reading streams': readingStreams, values }).map(([name, cases]) => [
    name,
    cases.filter(({ isLarge }) => !isLarge),
  ]),
);

/** The selections of cases that can run in a way. */
export const parts = { all: subjects, wiring, rest, platform };
