/**
 * Program: `template-fetcher.mjs <source> <directory>`; on failure prints the causes and exits 1.
 * degit fetches from the hosts that it knows; git does from any other whose full URL is given.
 */
import { execFile } from 'node:child_process';
import { readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import degit from 'degit';
import { entriesIn } from './folder-entries.mjs';

/** Where degit unpacks an archive, or checks out a repository of which it takes a folder. */
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
    // What degit only warns of (no network, no such repository) is often the cause of its failure.
    fetcher.on('warn', (warning) => collectCauses(warning));
    return fetcher;
  } catch (error) {
    const unknown = error instanceof Error && 'code' in error && error.code === 'UNSUPPORTED_HOST';
    if (unknown && GIT_URL.test(source)) return undefined;
    throw error;
  }
}

/**
 * degit takes the template out of a temporary folder in a way that makes relative links absolute:
 * they lead into that folder, which is then gone.
 *
 * @param {string} subdir - the template's place in the repository
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
    // A template's own hooks and submodules are nobody's to run.
    promisify(execFile)('git', ['-c', 'core.hooksPath=/dev/null', '-C', directory, ...args]);
  await git('init', '--quiet');
  // Unlike clone, this takes branches, tags and hashes alike.
  await git('fetch', '--quiet', '--depth', '1', '--', url, ref);
  await git('checkout', '--quiet', 'FETCH_HEAD');
  await rm(join(directory, '.git'), { recursive: true, force: true });
}

/**
 * @param {unknown} error - degit's errors and warnings keep what caused them in `original`
 */
function collectCauses(error) {
  if (!(error instanceof Object)) return;
  if ('stderr' in error && error.stderr) causes.add(String(error.stderr).trim());
  else if ('message' in error && error.message) causes.add(String(error.message));
  if ('original' in error) collectCauses(error.original);
  if ('cause' in error) collectCauses(error.cause);
}
