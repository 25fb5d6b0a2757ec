/**
 * Step: leaves out the files of other package managers, and lets Yarn run the install scripts that the project
 * allows. For npm, `allowScripts` lists the packages, and for pnpm, `pnpm-workspace.yaml`. Yarn runs only the scripts of
 * packages that `dependenciesMeta` names.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatted } from '../packages/package-json.mjs';

/** The package manager that uses each of these files. */
const FILES = { '.yarnrc.yml': 'yarn', 'pnpm-workspace.yaml': 'pnpm' };

/** @typedef {import('../context.mjs').Context} Context */

/**
 * @param {Pick<Context, 'from' | 'manifest' | 'packageManager' | 'project'>} context
 * @returns {import('../context.mjs').Changes}
 */
export default function fitPackageManager({ from, manifest, packageManager: { name }, project }) {
  for (const [file, owner] of Object.entries(FILES)) {
    if (from === undefined && owner !== name) rmSync(join(project, file), { force: true });
  }
  // With `--list`, there is no manifest.
  const allowed = Object.entries(manifest?.allowScripts ?? {}).filter(([, isAllowed]) => isAllowed);
  if (name !== 'yarn' || allowed.length === 0) return;
  const built = Object.fromEntries(allowed.map(([one]) => [one, { built: true }]));
  const changed = { ...manifest, dependenciesMeta: { ...manifest.dependenciesMeta, ...built } };
  writeFileSync(join(project, 'package.json'), formatted(changed));
  return { manifest: changed };
}
