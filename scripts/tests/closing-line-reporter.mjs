/**
 * Vitest reporter: ends a run with the names of the failed tests and one plain line, `N passed, N failed`.
 * Under `npm run test:all`, these also cover the earlier runs, and the run is recorded in the file that they share.
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
    if (unhandledErrors.length > 0) tally.failures.push('errors outside the tests');
    for (const module of modules) {
      const path = this.#pathOf(module);
      // A file that cannot be loaded has no tests, so its errors are counted.
      tally.counts.failed += module.errors().length;
      if (module.errors().length > 0) tally.failures.push(path);
      for (const test of module.children.allTests()) tally.counts[test.result().state]++;
      for (const { fullName } of module.children.allTests('failed')) {
        tally.failures.push(`${path} > ${fullName}`);
      }
    }
    tally.runs.push({
      seconds: (performance.now() - this.#begun) / 1000,
      files: modules.map((module) => ({
        path: this.#pathOf(module),
        tests: [...module.children.allTests()].length,
        seconds: module.diagnostic().duration / 1000,
      })),
    });
    writeTally(tally);
    const { passed, failed, skipped } = tally.counts;
    const failures = tally.failures.map((name) => `failed: ${name}`);
    const counts = `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`;
    // The lines come after the default reporter's summary, which ends with an empty line.
    process.on('exit', () => console.log([...failures, counts].join('\n')));
  }

  /** @param {TestModule} module */
  #pathOf({ moduleId }) {
    return relative(this.#root, moduleId).replaceAll(sep, '/');
  }
}
