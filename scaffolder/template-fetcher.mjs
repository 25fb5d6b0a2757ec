/**
 * Program: `template-fetcher.mjs <source> <directory>` fetches a template. On failure it prints the
 * causes and exits with 1. degit fetches from the hosts that it supports. git fetches from any other
 * host, by its full URL.
 */
import { execFile } from 'node:child_process';
import { readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import degit from 'degit';
import { entriesIn } from './templates/folder-entries.mjs';

/** Matches paths in degit's temporary folders: for an unpacked archive, or for a repository from which it copies a folder. */
const SCRATCH = /^(?:(.*[\\/]extract-\w{6})|(.*[\\/]degit-git-\w{6}))(?:[\\/]|$)/;
const GIT_URL = /^(?:[a-z]+:\/\/|[\w.-]+@[\w.-]+:)/i;

const [source = '', directory = '.'] = process.argv.slice(2);
/** @type {Set<string>} */
const causes = new Set();

try {
  const fetcher = knownToDegit();
  if (!fetcher) await clone();
  else {
    await fetcher.clone(directory);
    restoreLinks(fetcher.repo?.subdir ?? '');
  }
} catch (error) {
  collectCauses(error);
  for (const cause of causes) console.error(`  ${cause}`);
  process.exitCode = 1;
}

function knownToDegit() {
  try {
    const fetcher = degit(source, { force: true });
    // A warning of degit (no network, no such repository) is often the cause of its failure.
    fetcher.on('warn', (warning) => collectCauses(warning));
    return fetcher;
  } catch (error) {
    const unknown = error instanceof Error && 'code' in error && error.code === 'UNSUPPORTED_HOST';
    if (unknown && GIT_URL.test(source)) return undefined;
    throw error;
  }
}

/**
 * Makes links relative again. degit copies the template out of a temporary folder, and makes relative
 * links absolute: they point into that folder, which degit then deletes.
 *
 * @param {string} subdir - the template's folder in the repository
 */
function restoreLinks(subdir) {
  for (const { path, entry } of entriesIn(directory)) {
    if (!entry.isSymbolicLink()) continue;
    const link = join(directory, path);
    const target = readlinkSync(link);
    const [, archive, repository] = SCRATCH.exec(target) ?? [];
    const from = archive ?? (repository && join(repository, subdir));
    if (!from) continue;
    rmSync(link);
    symlinkSync(relative(join(from, dirname(path)), target) || '.', link);
  }
}

async function clone() {
  const [url = '', ref = 'HEAD'] = source.split('#');
  const git = (/** @type {string[]} */ ...args) =>
    // No hooks may run. Submodules are not fetched.
    promisify(execFile)('git', ['-c', 'core.hooksPath=/dev/null', '-C', directory, ...args]);
  await git('init', '--quiet');
  // Unlike `git clone --branch`, this accepts commit hashes as well as branches and tags.
  await git('fetch', '--quiet', '--depth', '1', '--', url, ref);
  await git('checkout', '--quiet', 'FETCH_HEAD');
  await rm(join(directory, '.git'), { recursive: true, force: true });
}

/**
 * @param {unknown} error - degit's errors and warnings have their cause in `original`
 */
function collectCauses(error) {
  if (!(error instanceof Object)) return;
  if ('stderr' in error && error.stderr) causes.add(String(error.stderr).trim());
  else if ('message' in error && error.message) causes.add(String(error.message));
  if ('original' in error) collectCauses(error.original);
  if ('cause' in error) collectCauses(error.cause);
}
