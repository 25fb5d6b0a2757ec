/** Vitest reporter: ends a run with the names of the failed tests and one plain line, `N passed, N failed`. */
import { writeFileSync } from 'node:fs';
import { relative, sep } from 'node:path';

/** The environment variable that names a file for the numbers and times of the tests. */
export const RUN_FILE = 'TEST_RUN_FILE';

/** @typedef {import('vitest/node').TestModule} TestModule */
/** @typedef {{ path: string, tests: number, seconds: number }} TestFile */
/** @typedef {{ seconds: number, files: TestFile[] }} TestRun */

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
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 };
    const failures = unhandledErrors.length > 0 ? ['errors outside the tests'] : [];
    for (const module of modules) {
      const path = this.#pathOf(module);
      // A file that cannot be loaded has no tests, so its errors are counted.
      counts.failed += module.errors().length;
      if (module.errors().length > 0) failures.push(path);
      for (const test of module.children.allTests()) counts[test.result().state]++;
      for (const { fullName } of module.children.allTests('failed')) {
        failures.push(`${path} > ${fullName}`);
      }
    }
    const file = process.env[RUN_FILE];
    if (file) writeFileSync(file, JSON.stringify(this.#runOf(modules)));
    const { passed, failed, skipped } = counts;
    const closing = `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`;
    const lines = [...failures.map((name) => `failed: ${name}`), closing];
    // The lines come after the default reporter's summary, which ends with an empty line.
    process.on('exit', () => console.log(lines.join('\n')));
  }

  /**
   * @param {readonly TestModule[]} modules
   * @returns {TestRun}
   */
  #runOf(modules) {
    return {
      seconds: (performance.now() - this.#begun) / 1000,
      files: modules.map((module) => ({
        path: this.#pathOf(module),
        tests: [...module.children.allTests()].length,
        seconds: module.diagnostic().duration / 1000,
      })),
    };
  }

  /** @param {TestModule} module */
  #pathOf({ moduleId }) {
    return relative(this.#root, moduleId).replaceAll(sep, '/');
  }
}
