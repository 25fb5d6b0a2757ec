/**
 * Vitest sequencer: one project after another, since a runner goes on to the next file only when that
 * is of its own project, and a new one takes seconds; in each the files that take longest first, so
 * that none is left alone at the end. What mostly waits goes before all, beside what computes.
 */
import { BaseSequencer } from 'vitest/node';

/** Ends of their paths, the longest first. */
const WAITING = [
  'conformance/connection/heartbeat.test.ts',
  'conformance/subscriptions/hibernation.test.ts',
];

/**
 * Next to these, what computes longest in its project. While they take all workers but one, that one
 * runs the whole of `template`, whose files are short: else each worker would start a runtime for it.
 */
const COMPUTING = ['conformance/calls/workers.test.ts', 'conformance/hostile/hostile.test.ts'];
const COMPUTING_IN = 'conformance (workers)';

/** One that is not among them is the last. */
const PROJECTS = [
  'slow',
  'conformance (slow)',
  'template',
  'conformance (workers)',
  'e2e',
  'conformance (connection)',
  'conformance (node)',
  'scaffolder',
];

/**
 * Ends of their paths, the longest of each project first. Of the slow ones, what waits for seconds
 * stands between those that compute all the time.
 */
const LONG = [
  'e2e/registry.test.mjs',
  'e2e/start.test.mjs',
  'e2e/perf.test.mjs',
  'conformance/uploads/away.test.ts',
  'e2e/guides/walks.test.mjs',
  'e2e/guides/recipes.test.mjs',
  'e2e/torture.test.mjs',
  'e2e/frameworks/frameworks.test.mjs',
  'e2e/react.test.mjs',
  'e2e/browser-looks.test.mjs',
  'conformance/streams/hibernation.test.ts',
  'e2e/bench.test.mjs',
  'e2e/development.test.mjs',
  'conformance/subscriptions/memory.test.ts',
  'e2e/routes.test.mjs',
  'e2e/guides/errors.test.mjs',
  'e2e/browser.test.mjs',
  'conformance/browser/calls-other-ways.test.ts',
  'conformance/node/calls-other-ways.test.ts',

  'conformance/calls/workers.test.ts',
  'conformance/hostile/hostile.test.ts',
  'conformance/debug/debug.test.ts',
  'conformance/rpc/server/journal.test.ts',
  'conformance/wire/property.test.ts',
  'conformance/wire/fuzz.test.ts',

  'e2e/guides/code.test.mjs',
  'e2e/packed.test.mjs',
  'e2e/guides/text.test.mjs',

  'conformance/connection/refusals.test.ts',
  'conformance/callbacks/lives.test.ts',
  'conformance/streams/lost.test.ts',
  'conformance/subscriptions/flow.test.ts',
  'conformance/connection/closing.test.ts',
  'conformance/subscriptions/lost.test.ts',

  'conformance/browser/old-page.test.ts',
  'conformance/browser/calls.test.ts',
  'conformance/node/calls.test.ts',
  'conformance/node/base64.test.ts',

  'scaffolder/test/links.test.mjs',
  'scaffolder/test/interruption.test.mjs',
  'scaffolder/test/steps/update.test.mjs',
  'scaffolder/test/remote-template.test.mjs',
  'scaffolder/test/merge.test.mjs',
  'scaffolder/test/cli.test.mjs',
];

/** @typedef {import('vitest/node').TestSpecification} File */

export default class LongestFirst extends BaseSequencer {
  /**
   * @param {File[]} files
   * @returns {Promise<File[]>}
   */
  async sort(files) {
    return files.toSorted(
      (one, other) =>
        placeIn(WAITING, one) - placeIn(WAITING, other) ||
        placeAmongComputing(one) - placeAmongComputing(other) ||
        projectOf(one) - projectOf(other) ||
        placeIn(LONG, one) - placeIn(LONG, other),
    );
  }
}

/**
 * @param {string[]} ends
 * @param {File} file
 */
function placeIn(ends, { moduleId }) {
  const place = ends.findIndex((end) => moduleId.endsWith(end));
  return place < 0 ? ends.length : place;
}

/** @param {File} file */
function placeAmongComputing(file) {
  return file.project.name === COMPUTING_IN ? placeIn(COMPUTING, file) : COMPUTING.length;
}

/** @param {File} file */
function projectOf({ project }) {
  const place = PROJECTS.indexOf(project.name);
  return place < 0 ? PROJECTS.length : place;
}
