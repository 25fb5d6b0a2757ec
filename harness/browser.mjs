/** A real Chromium from an npm package, for the tests that need a page. Imports playwright. */
import { mkdir } from 'node:fs/promises';
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

/** The package unpacks itself into the temporary directory, where it would be left behind. */
async function unpack() {
  const { TMPDIR } = process.env;
  await mkdir(CACHE, { recursive: true });
  process.env.TMPDIR = CACHE;
  try {
    return await chromium.executablePath();
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
}
