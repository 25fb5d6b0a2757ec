/** Every case of the suite, by subject. */
import type { Case } from '../case.ts';
import { access } from './access.ts';
import { batching } from './batching.ts';
import { earlierCalls } from './earlier-calls.ts';
import { errors } from './errors.ts';
import { givingUp } from './giving-up.ts';
import { inspection } from './inspection.ts';
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
  'passing streams': passingStreams,
  pipelining,
  projection,
  promises,
  'reading streams': readingStreams,
  telling,
  'unhandled rejections': unhandled,
  values,
};
