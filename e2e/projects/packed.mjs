/**
 * Packs the package and installs it outside this repository, for a test file. It packs a clone that also contains
 * local files, so that a test can find them in the package.
 */
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';
import { stopAll } from '../../harness/guarded-process.mjs';
import { copyRepository, outsideEnvironment, run } from '../setup/outside.mjs';

const LEFTOVERS = [
  'node_modules/x/index.js',
  'src/node_modules/x/index.js',
  '.wrangler/state/v3/x.sqlite',
  'dist/index.js',
  'public/app.js',
  'public/room.js',
  '.dev.vars',
  '.dev.vars.staging',
  '.env',
  '.env.local',
  'wrangler.log',
  'package-lock.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  // This file can contain a token.
  '.npmrc',
];

/**
 * @typedef {object} Installed
 * @property {string} root - a folder that is removed after the tests of the file
 * @property {string} consumer - the folder in it in which the package is installed
 * @property {string} program
 * @property {string} tarball
 * @property {{ path: string }[]} files - of the package
 * @property {NodeJS.ProcessEnv} env
 */

/**
 * Packs and installs.
 *
 * @returns {Promise<Installed>}
 */
export async function installPacked() {
  const root = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'packed-test-')));
  afterAll(async () => {
    await stopAll();
    fs.rmSync(root, { recursive: true, force: true, maxRetries: 3 });
  });
  const env = {
    ...outsideEnvironment(root),
    // npm does not ask a registry for packages in its cache, which would take most of the time.
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
  };
  const [clone, consumer] = [join(root, 'clone'), join(root, 'consumer')];
  copyRepository(clone);
  for (const path of LEFTOVERS) write(join(clone, 'template', path), 'left over');
  write(join(clone, 'examples/node_modules/x/example.json'), 'left over');
  // npm 12 prints one object by package name, npm 11 a list.
  const report = JSON.parse((await run('npm', ['pack', '--json'], { cwd: clone, env })).out);
  const [{ filename, files }] = Object.values(report);
  const tarball = join(clone, filename);
  write(join(consumer, 'package.json'), '{}');
  await run('npm', ['install', tarball], { cwd: consumer, env });
  const program = join(consumer, 'node_modules/.bin/create-lumenize-rpc');
  return { root, consumer, program, tarball, files, env };
}

/**
 * @param {string} path
 * @param {string} text
 */
export function write(path, text) {
  fs.mkdirSync(dirname(path), { recursive: true });
  fs.writeFileSync(path, text);
}
