/** Creates projects for tests: scaffolded outside this repository, with its Node and its packages. */
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach } from 'vitest';
import { stopAll } from '../../harness/guarded-process.mjs';
import { linkPackages } from './linked-packages.mjs';
import { outsideEnvironment, REPOSITORY, run } from './outside.mjs';

const QUICK_TESTS = 'quick-tests.config.mjs';
const QUICKLY = `import { mergeConfig } from 'vitest/config';
import own from './vitest.config.ts';

export default mergeConfig(own, {
  // Other projects share the default folder, and their tests would restart. Files in the project are linted.
  cacheDir: \`\${import.meta.dirname}.vite\`,
  test: { isolate: false },
});
`;

/**
 * Without this option, Node compiles wrangler twice to find the type of its modules, because its package.json names
 * none.
 */
const TYPED_MODULES = { NODE_OPTIONS: '--no-experimental-detect-module' };

/**
 * Creates folders for the projects of a test file, which are removed with it. Processes are stopped at the end of the
 * file, or of each test.
 *
 * @param {{ stopAfter: 'each' | 'all' }} options
 */
export function projects({ stopAfter }) {
  const root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'guides-test-')));
  const outside = outsideEnvironment(root);
  /** An environment with the Node and the programs of this repository, which the projects use. */
  const env = {
    ...outside,
    PATH: `${join(REPOSITORY, 'node_modules/.bin')}${delimiter}${outside['PATH']}`,
  };
  if (stopAfter === 'each') afterEach(stopAll);
  afterAll(async () => {
    await stopAll();
    fs.rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  });

  /**
   * @param {string} name
   * @param {string[]} [options]
   * @returns {Promise<string>} the folder of a project without packages
   */
  async function scaffoldBare(name, options = []) {
    const project = join(root, name);
    const program = join(REPOSITORY, 'scaffolder/index.mjs');
    const args = [project, '--yes', '--no-install', '--no-git', ...options];
    await run(process.execPath, [program, ...args], { cwd: root, env });
    return project;
  }

  return {
    root,
    env,
    scaffoldBare,

    /**
     * @param {string} name
     * @param {string[]} [options]
     * @returns {Promise<string>} the project's folder
     */
    async scaffold(name, options) {
      const project = await scaffoldBare(name, options);
      linkPackages(project);
      return project;
    },

    /**
     * @param {string} project
     * @param {string} script
     * @param {string[]} args
     */
    npm: (project, script, ...args) =>
      run('npm', ['run', script, '--', ...args], { cwd: project, env }),

    /**
     * Compiles a part of the project in one thread. Several threads would check shared types several times.
     *
     * @param {string} project
     * @param {string} [part] - a folder in it
     * @param {string[]} options
     */
    tsc: (project, part = '.', ...options) =>
      run('tsc', ['--noEmit', '--singleThreaded', '-p', part, ...options], { cwd: project, env }),

    /**
     * Runs tests of the project in one runtime. `--verify` runs the tests as a user does, with a runtime for each file.
     *
     * @param {string} project
     * @param {string[]} args
     */
    testProject(project, ...args) {
      write(join(project, QUICK_TESTS), QUICKLY);
      const options = { cwd: project, env: { ...env, ...TYPED_MODULES } };
      return run('vitest', ['run', '--config', QUICK_TESTS, ...args], options);
    },
  };
}

/** @param {string} project */
export function clientOf(project) {
  const { resolve } = createRequire(join(project, 'package.json'));
  return import(pathToFileURL(resolve('lumenize-rpc/client')).href);
}

/**
 * @param {string} path
 * @param {string} text
 */
export function write(path, text) {
  fs.mkdirSync(dirname(path), { recursive: true });
  fs.writeFileSync(path, text);
}
