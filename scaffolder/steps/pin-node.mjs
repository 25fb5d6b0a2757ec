/**
 * Step: adds the npm package `node` to the project if this machine's Node is older than the project
 * requires. The project's scripts then run on that version.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownManifest } from '../own-package.mjs';
import { formatted, sorted } from '../packages/package-json.mjs';

/** The requirement of wrangler, for templates that have no `engines`. */
const FALLBACK_ENGINE = '>=22';

/** @typedef {import('../context.mjs').Context} Context */

/**
 * @param {Pick<Context, 'project' | 'env' | 'packageManager' | 'say'>} context
 * @param {string} [version] - the version of the machine's Node
 * @returns {import('../context.mjs').Changes}
 */
export default function pinNode({ project, env, packageManager, say }, version) {
  const file = join(project, 'package.json');
  /** @type {import('../context.mjs').Manifest} */
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  const wanted = manifest.engines?.node ?? FALLBACK_ENGINE;
  const present = version ?? machineNodeVersion(env);
  if (manifest.devDependencies?.['node'] || !isOlder(present, wanted)) return { manifest };
  // This is the version that this repository uses in its own tests.
  const pin = ownManifest().devDependencies['node'] ?? '';
  manifest.devDependencies = sorted({ ...manifest.devDependencies, node: pin });
  // npm runs a package's install script only if the project allows it.
  manifest.allowScripts = sorted({ ...manifest.allowScripts, node: true });
  writeFileSync(file, formatted(manifest));
  // Yarn 1 otherwise refuses to install or run anything on the machine's own Node.
  if (packageManager.name === 'yarn')
    writeFileSync(join(project, '.yarnrc'), '--ignore-engines true\n');
  say(
    `This machine has Node ${present}, and the project needs ${wanted}: ` +
      `it gets its own Node ${pin}, as the development dependency "node".`,
  );
  return { manifest };
}

/**
 * Returns the version of the Node on the user's path, which runs the package manager. This program may run on
 * another Node, because package managers put the binaries of installed packages first on the path.
 *
 * @param {NodeJS.ProcessEnv} env
 */
function machineNodeVersion({ npm_node_execpath: outer }) {
  const own = process.versions.node;
  if (!outer || outer === process.execPath) return own;
  try {
    return execFileSync(outer, ['--version'], { encoding: 'utf8' }).trim().replace(/^v/, '');
  } catch {
    return own;
  }
}

/**
 * @param {string} version
 * @param {string} wanted - a range; its first version is the minimum
 */
function isOlder(version, wanted) {
  const minimum = /(\d+)(?:\.(\d+))?/.exec(wanted);
  if (!minimum) return false;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [wantedMajor, wantedMinor] = [Number(minimum[1]), Number(minimum[2] ?? 0)];
  return major < wantedMajor || (major === wantedMajor && minor < wantedMinor);
}
