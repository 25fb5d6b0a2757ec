/** The configuration under which the reports of these tests were measured. */
import type { Configuration } from '../../../src/perf/measure/summary.ts';

export const CONFIGURATION: Configuration = {
  target: 'workerd',
  node: '24',
  workerd: '1',
  cpu: 'one',
  webSocketCompression: 'off',
  compatibilityDate: '2026-01-01',
  compatibilityFlags: [],
};
