/** Vitest reporter: closes a run with one plain line, `N passed, N failed`. */

/** @typedef {import('vitest/node').TestModule} TestModule */

export default class ClosingLineReporter {
  /**
   * @param {readonly TestModule[]} modules
   * @param {readonly unknown[]} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      // A file that could not be loaded has no tests to fail.
      counts.failed += module.errors().length;
      for (const test of module.children.allTests()) counts[test.result().state]++;
    }
    const { passed, failed, skipped } = counts;
    // After the default reporter's summary, which ends in an empty line.
    process.on('exit', () =>
      console.log(`${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`),
    );
  }
}
