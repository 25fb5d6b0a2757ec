/** Gives a project the installed packages of this repository, without installing. */
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from './outside.mjs';

const INSTALLED = join(REPOSITORY, 'node_modules');

/**
 * Links each package separately, because `lumenize-rpc` is the folder of its sources here, and the built package in a
 * project.
 *
 * @param {string} project
 * @param {string} [runtime] - the project's folder with the built package, relative to `node_modules`
 */
export function linkPackages(project, runtime = '../vendor/lumenize-rpc') {
  const packages = join(project, 'node_modules');
  mkdirSync(packages);
  for (const name of readdirSync(INSTALLED)) {
    const target = name === 'lumenize-rpc' ? runtime : join(INSTALLED, name);
    symlinkSync(target, join(packages, name));
  }
}
