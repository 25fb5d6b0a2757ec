/** The git commands that an update needs. The functions return `undefined` if git fails. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withoutHook } from '../repository.mjs';

/** @typedef {{ folder: string, env: NodeJS.ProcessEnv }} Place - where git runs */

/**
 * @param {Place} place
 * @param {string[]} args
 * @param {number} [worstCode] - the highest exit code that is not an error
 * @returns {{ code: number, out: string } | undefined}
 */
function git({ folder, env }, args, worstCode = 0) {
  const { status: code, stdout: out } = spawnSync('git', ['--literal-pathspecs', ...args], {
    cwd: folder,
    env: { ...withoutHook(env), GIT_NO_LAZY_FETCH: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
    encoding: 'latin1',
  });
  return code === null || code > worstCode ? undefined : { code, out };
}

/**
 * @param {Place} project
 * @param {string[]} paths
 * @returns {string[] | undefined} the paths that differ from the last commit, or are not in it
 */
export function uncommittedFiles(project, paths) {
  const options = ['-z', '--no-renames', '--untracked-files=all', '--ignored'];
  const status = git(project, ['status', ...options, '--', ...paths]);
  // Each entry, as in `--porcelain`: two letters, a space, the path.
  return status?.out.split('\0').flatMap((entry) => entry.slice(3) || []);
}

/**
 * @param {Place} project
 * @param {string} [hash] - as in a manifest
 * @returns {string | undefined} the content with this hash, from the project's history
 */
export function findContent(project, hash = '') {
  return git(project, ['cat-file', 'blob', hash])?.out;
}

/**
 * @param {Place} project
 * @param {string} path
 * @param {string} hash - as in a manifest
 * @returns {string | undefined} a commit in which the file has the content with this hash: the last one, or
 *   else the first one with this content
 */
export function commitWith(project, path, hash) {
  const last = git(project, ['rev-parse', '--verify', `HEAD:./${path}`]);
  if (last?.out.startsWith(hash)) return 'HEAD';
  const log = git(project, ['log', '--format=%h', `--find-object=${hash}`, '--', path]);
  return log?.out.trim().split('\n').at(-1) || undefined;
}

/**
 * Runs `git merge-file`: takes what one side changed, and marks a conflict where both sides did.
 *
 * @param {Place} scratch - a folder for temporary files
 * @param {{ text: string, label: string }[]} versions - the user's, the common one, the new one
 * @returns {{ text: string, conflicts: number } | undefined}
 */
export function mergeTexts(scratch, versions) {
  const files = versions.map(({ text }, i) => {
    writeFileSync(join(scratch.folder, `${i}`), text, 'latin1');
    return `${i}`;
  });
  const labels = versions.flatMap(({ label }) => ['-L', label]);
  // The exit code is the number of conflicts, 127 at most. Higher codes are errors.
  const merged = git(scratch, ['merge-file', '-p', '-q', ...labels, ...files], 127);
  return merged && { text: merged.out, conflicts: merged.code };
}
