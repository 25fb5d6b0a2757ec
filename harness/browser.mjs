/** A real Chromium from an npm package, for the tests that need a page. Imports playwright. */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import chromium from '@sparticuz/chromium';
import { chromium as playwright } from 'playwright-core';

const FONTS = fileURLToPath(new URL('fonts.conf', import.meta.url));
const CACHE = fileURLToPath(new URL('../node_modules/.cache/chromium', import.meta.url));

/**
 * With all in one process, the browser ends when the first of its pages is closed. Without web security
 * a page reads what other origins answer, whether they allow it or not.
 */
const ONLY_FOR_LAMBDA = new Set(['--single-process', '--no-zygote', '--disable-web-security']);

/**
 * @param {string[]} more - further arguments of its command line
 * @returns {Promise<import('playwright-core').Browser>} the browser that `CHROME_PATH` names, or
 *   else the package's own, which runs on Linux
 */
export async function launchChromium(more = []) {
  const executablePath = process.env.CHROME_PATH ?? (await unpack());
  const args = chromium.args.filter((argument) => !ONLY_FOR_LAMBDA.has(argument));
  const env = { ...process.env, FONTCONFIG_FILE: FONTS };
  return playwright.launch({ args: [...args, ...more], executablePath, env });
}

/**
 * The package unpacks itself into the temporary directory, where it would be left behind. Tests of
 * several processes do so at the same time, and none may start what another is still writing.
 */
async function unpack() {
  const executable = join(CACHE, 'chromium');
  if (existsSync(executable)) return executable;
  await mkdir(dirname(CACHE), { recursive: true });
  const own = await mkdtemp(`${CACHE}-`);
  const { TMPDIR } = process.env;
  process.env.TMPDIR = own;
  try {
    await chromium.executablePath();
    await rename(own, CACHE);
  } catch (error) {
    await rm(own, { recursive: true, force: true });
    // Another was sooner.
    if (!existsSync(executable)) throw error;
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
  return executable;
}
