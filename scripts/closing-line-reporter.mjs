/**
 * Vitest reporter: ends a run with one plain line, `N passed, N failed`. Under `npm run test:all`, the
 * line also counts the earlier runs, and the run is recorded in the file that they share.
 */
import { relative, sep } from 'node:path';
import { readTally, writeTally } from './tally.mjs';

/** @typedef {import('vitest/node').TestModule} TestModule */

export default class ClosingLineReporter {
  #begun = performance.now();
  #root = '';

  /** @param {import('vitest/node').Vitest} vitest */
  onInit(vitest) {
    this.#root = vitest.config.root;
  }

  /**
   * @param {readonly TestModule[]} modules
   * @param {readonly unknown[]} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    const tally = readTally();
    tally.counts.failed += unhandledErrors.length;
    for (const module of modules) {
      // A file that cannot be loaded has no tests, so its errors are counted.
      tally.counts.failed += module.errors().length;
      for (const test of module.children.allTests()) tally.counts[test.result().state]++;
    }
    tally.runs.push({
      seconds: (performance.now() - this.#begun) / 1000,
      files: modules.map((module) => ({
        path: relative(this.#root, module.moduleId).replaceAll(sep, '/'),
        tests: [...module.children.allTests()].length,
        seconds: module.diagnostic().duration / 1000,
      })),
    });
    writeTally(tally);
    const { passed, failed, skipped } = tally.counts;
    // The line comes after the default reporter's summary, which ends with an empty line.
    process.on('exit', () =>
      console.log(`${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`),
    );
  }
}
