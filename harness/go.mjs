/** Programs in Go, whose compiled packages are in a folder in `node_modules/.cache`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './guarded-process.mjs';
import { REPOSITORY } from './repository.mjs';

/** The folder into which Go's installer puts `go`, if it is not in the path. */
const INSTALLED = '/usr/local/go/bin/go';

/** @type {NodeJS.ProcessEnv} */
const ENVIRONMENT = {
  GOCACHE: join(REPOSITORY, 'node_modules/.cache/go'),
  GOTOOLCHAIN: 'local',
  GOFLAGS: '-mod=mod',
};

/**
 * @param {string} source - the path of a program
 * @param {string} program - the path of the built program
 * @param {{ skip(reason: string): void }} test - the test, which is skipped where there is no Go
 */
export async function buildGo(source, program, test) {
  const go = existsSync(INSTALLED) ? INSTALLED : 'go';
  const options = {
    env: { ...process.env, ...ENVIRONMENT },
    output: /** @type {const} */ ('pipe'),
  };
  try {
    await run(go, ['version'], options);
  } catch {
    test.skip('This test needs Go 1.24 or later');
  }
  await run(go, ['build', '-o', program, source], options);
}
