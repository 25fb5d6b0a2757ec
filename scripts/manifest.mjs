/**
 * `npm run manifest`: writes template/src/rpc/manifest.json, by which `--update` recognizes files of the
 * runtime that a user has changed. A test fails if the manifest is out of date.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hashOf, MANIFEST, readText, RUNTIME } from '../scaffolder/update/manifest.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TEMPLATE = join(ROOT, 'template');

/** @returns {string} the manifest for the current files */
export function manifestText() {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const runtime = join(TEMPLATE, RUNTIME);
  const paths = readdirSync(runtime, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(runtime.length).replaceAll('\\', '/'))
    .filter((path) => RUNTIME + path !== MANIFEST);
  const files = paths.toSorted().map((path) => [path, hashOf(readText(join(runtime, path)) ?? '')]);
  return `${JSON.stringify({ version, files: Object.fromEntries(files) }, undefined, 2)}\n`;
}

if (import.meta.main) writeFileSync(join(TEMPLATE, MANIFEST), manifestText());
