/** Vitest sequencer: begins with the files that take longest, so that none is left alone at the end. */
import { BaseSequencer } from 'vitest/node';

/** Ends of their paths, the longest first. */
const LONG = [
  'e2e/registry.test.mjs',
  'e2e/perf.test.mjs',
  'e2e/start.test.mjs',
  'e2e/frameworks/frameworks.test.mjs',
  'e2e/browser-looks.test.mjs',
  'e2e/bench.test.mjs',
  'e2e/torture.test.mjs',
  'e2e/guides/walks.test.mjs',
  'e2e/packed.test.mjs',
  'conformance/browser/calls-other-ways.test.ts',
  'conformance/node/calls-other-ways.test.ts',
  'conformance/subscriptions/hibernation.test.ts',
  'conformance/connection/heartbeat.test.ts',
  'conformance/connection/memory.test.ts',
  'conformance/connection/refusals.test.ts',
  'conformance/calls/workers.test.ts',
  'conformance/browser/calls.test.ts',
  'conformance/node/calls.test.ts',
  'conformance/hostile/hostile.test.ts',
  'scaffolder/test/links.test.mjs',
  'e2e/guides/code.test.mjs',
  'conformance/browser/old-page.test.ts',
  'e2e/guides/text.test.mjs',
  'scaffolder/test/interruption.test.mjs',
  'conformance/callbacks/lives.test.ts',
  'conformance/wire/property.test.ts',
];

export default class LongestFirst extends BaseSequencer {
  /**
   * @param {import('vitest/node').TestSpecification[]} files
   * @returns {Promise<import('vitest/node').TestSpecification[]>}
   */
  async sort(files) {
    const short = files.filter((file) => rank(file) < 0);
    // oxlint-disable-next-line unicorn/no-array-sort -- not an array
    const others = await super.sort(short);
    const long = files.filter((file) => rank(file) >= 0);
    return [...long.toSorted((one, other) => rank(one) - rank(other)), ...others];
  }
}

/** @param {import('vitest/node').TestSpecification} file */
function rank({ moduleId }) {
  return LONG.findIndex((end) => moduleId.endsWith(end));
}
