/** Vitest global setup: builds `dist/`, which the tests of the whole program run, as users do. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

export default function bundle() {
  execFileSync(process.execPath, ['scripts/package-contents.mjs'], { cwd: ROOT });
}
