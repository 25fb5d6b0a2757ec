/**
 * Step: lets Yarn run the install scripts that the project allows. npm has them in `allowScripts`, and pnpm in
 * `pnpm-workspace.yaml`. Yarn runs none by default, except those that `dependenciesMeta` names.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatted } from '../packages/package-json.mjs';

/** @typedef {import('../context.mjs').Context} Context */

/**
 * @param {Pick<Context, 'manifest' | 'project'>} context
 * @returns {import('../context.mjs').Changes}
 */
export default function allowBuilds({ manifest, project }) {
  const allowed = Object.entries(manifest.allowScripts ?? {}).filter(([, isAllowed]) => isAllowed);
  if (allowed.length === 0) return;
  const built = Object.fromEntries(allowed.map(([name]) => [name, { built: true }]));
  const changed = { ...manifest, dependenciesMeta: { ...manifest.dependenciesMeta, ...built } };
  writeFileSync(join(project, 'package.json'), formatted(changed));
  return { manifest: changed };
}
