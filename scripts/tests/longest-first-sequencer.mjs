/**
 * Vitest sequencer. It runs one project after another, because a worker process continues only with files
 * of the same project, and a new process takes seconds. In each project the longest files come first, so
 * that no long file runs alone at the end. Files that mostly wait come before all others, and run beside
 * files that compute.
 */
import { BaseSequencer } from 'vitest/node';

/** Files that mostly wait: ends of their paths, the longest file first. */
const WAITING = [
  'runtime/test/client/connection/heartbeat.node.test.ts',
  'runtime/test/features/subscriptions/hibernation.node.test.ts',
];

/**
 * Files that come next, because they compute longest in their project. While these files use all workers
 * but one, that one runs the whole project `template`, whose files are short. Otherwise each worker would
 * start a runtime for `template`.
 */
const COMPUTING = ['runtime/test/calls/workers.test.ts', 'runtime/test/hostile/hostile.test.ts'];
const COMPUTING_IN = new Set(['runtime (workers)', 'runtime (built in Workers)']);

/** A project that is not in the list comes last. */
const PROJECTS = [
  'slow',
  'template',
  'runtime (workers)',
  'runtime (built in Workers)',
  'runtime (built in Node)',
  'e2e',
  'runtime (node)',
  'scaffolder',
];

/**
 * Ends of paths, the longest file of each project first. Among the slow tests, files that wait for
 * seconds alternate with files that compute all the time.
 */
const LONG = [
  'e2e/registry/registry.test.mjs',
  'e2e/page/page.test.mjs',
  'e2e/bench.test.mjs',
  'e2e/projects/perf.test.mjs',
  'e2e/frameworks/react.test.mjs',
  'e2e/projects/start.test.mjs',
  'runtime/test/features/uploads/away.node.test.ts',
  'e2e/guides/walks.test.mjs',
  'e2e/frameworks/frameworks.test.mjs',
  'runtime/test/features/subscriptions/memory.node.test.ts',
  'e2e/package/without-feature.test.mjs',
  'e2e/torture.test.mjs',
  'e2e/projects/routes.test.mjs',
  'runtime/test/features/streams/hibernation.node.test.ts',
  'e2e/projects/development.test.mjs',
  'e2e/examples/added.test.mjs',
  'e2e/package/users.test.mjs',
  'e2e/guides/recipes.test.mjs',
  'e2e/guides/errors.test.mjs',
  'e2e/projects/add.test.mjs',
  'e2e/examples/pages.test.mjs',
  'e2e/examples/examples.test.mjs',
  'e2e/projects/none.test.mjs',
  'e2e/guides/object-to-object.test.mjs',
  'runtime/test/browser/calls-other-ways.node.test.ts',
  'runtime/test/calls/from-node-other-ways.node.test.ts',

  'runtime/test/calls/workers.test.ts',
  'runtime/test/hostile/hostile.test.ts',
  'runtime/test/features/debug/debug.test.ts',
  'runtime/test/server/journal/journal.test.ts',
  'runtime/test/wire/property.test.ts',
  'runtime/test/wire/fuzz.test.ts',

  'e2e/guides/code.test.mjs',
  'e2e/projects/packed.test.mjs',
  'e2e/guides/text.test.mjs',

  'runtime/test/client/connection/refusals.node.test.ts',
  'runtime/test/features/callbacks/lives.node.test.ts',
  'runtime/test/features/streams/lost.node.test.ts',
  'runtime/test/features/subscriptions/flow.node.test.ts',
  'runtime/test/client/connection/closing.node.test.ts',
  'runtime/test/features/subscriptions/lost.node.test.ts',
  'runtime/test/browser/old-page.node.test.ts',
  'runtime/test/browser/calls.node.test.ts',
  'runtime/test/calls/from-node.node.test.ts',
  'runtime/test/wire/base64.node.test.ts',

  'scaffolder/test/links.test.mjs',
  'scaffolder/test/interruption.test.mjs',
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
  return COMPUTING_IN.has(file.project.name) ? placeIn(COMPUTING, file) : COMPUTING.length;
}

/** @param {File} file */
function projectOf({ project }) {
  const place = PROJECTS.indexOf(project.name);
  return place < 0 ? PROJECTS.length : place;
}
