/**
 * The generator of clients for Python, `openapi-python-client`, in an environment in `node_modules/.cache`. It is made when
 * it is first needed.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './guarded-process.mjs';
import { REPOSITORY } from './repository.mjs';

const PACKAGE = 'openapi-python-client==0.29.1';
const ENVIRONMENT = join(REPOSITORY, 'node_modules/.cache', PACKAGE);

/**
 * @param {{ skip(reason: string): void }} test - the test, which is skipped where there is no Python, or no registry
 * @returns {Promise<string>} the folder of its programs, among them `python`
 */
export async function pythonPrograms(test) {
  const programs = join(ENVIRONMENT, 'bin');
  if (existsSync(join(programs, 'openapi-python-client'))) return programs;
  try {
    await run('python3', ['-m', 'venv', '--clear', ENVIRONMENT], { output: 'pipe' });
    await run(join(programs, 'pip'), ['install', '--quiet', PACKAGE], { output: 'pipe' });
  } catch (error) {
    test.skip(`This test needs Python 3.11 with venv, and pip with a registry: ${error}`);
  }
  return programs;
}
