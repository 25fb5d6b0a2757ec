/** A real Chromium from an npm package, for the tests that need a page. */
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import chromium from '@sparticuz/chromium';
import { chromium as playwright } from 'playwright-core';

const FONTS = fileURLToPath(new URL('fonts.conf', import.meta.url));
const CACHE = fileURLToPath(new URL('../node_modules/.cache/chromium', import.meta.url));

/**
 * In a single process, the browser ends when the first of its pages is closed. Without web security, a
 * page can read the responses of other origins even if these do not allow it.
 */
const ONLY_FOR_LAMBDA = new Set(['--single-process', '--no-zygote', '--disable-web-security']);

// WebGL in software takes three times as long to paint a page.
chromium.setGraphicsMode = false;

/**
 * @param {string[]} more - additional arguments of its command line
 * @returns {Promise<import('playwright-core').Browser>} the browser that `CHROME_PATH` names, or else the browser of
 *   the package, which runs on Linux
 */
export async function launchChromium(more = []) {
  return playwright.launch(await chromiumOptions(more));
}

/**
 * @param {string[]} more - additional arguments of its command line
 * @returns {Promise<import('playwright-core').LaunchOptions & { env: Record<string, string> }>}
 */
export async function chromiumOptions(more = []) {
  const executablePath = process.env.CHROME_PATH ?? (await unpack());
  const args = chromium.args.filter((argument) => !ONLY_FOR_LAMBDA.has(argument));
  const env = /** @type {Record<string, string>} */ ({ ...process.env, FONTCONFIG_FILE: FONTS });
  return { args: [...args, ...more], executablePath, env };
}

/**
 * Unpacks the browser into a cache. By itself, the package unpacks it into the temporary directory and
 * leaves it there. Several processes may unpack at the same time, and a process must not start a file
 * that another is still writing.
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
    // Another process was faster.
    if (!existsSync(executable)) throw error;
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
  return executable;
}
