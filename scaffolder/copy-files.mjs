/** Copies the files of a template, and what else is laid over it. */
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { projectPath } from './published-names.mjs';
import { templateFiles } from './template-files.mjs';

const WRITABLE = 0o200;

/**
 * @param {string} folder
 * @param {string} project
 * @param {boolean} isOwn - whether the folder is one of this package
 */
export function copyFiles(folder, project, isOwn) {
  /** @type {[target: string, link: string][]} */
  const links = [];
  const made = new Set();
  for (const { source, path, isLink } of templateFiles(folder)) {
    const destination = `${project}/${isOwn ? projectPath(path) : path}`;
    const parent = destination.slice(0, destination.lastIndexOf('/'));
    if (!made.has(parent)) mkdirSync(parent, { recursive: true });
    made.add(parent);
    if (isLink) links.push([readlinkSync(source), destination]);
    // With the permissions of a new file, whatever those in the package are.
    else if (isOwn) writeFileSync(destination, readFileSync(source));
    else copyFile(source, destination);
  }
  // Last: where the case of names does not count, a file could otherwise be copied through one.
  for (const [target, link] of links) symlinkSync(target, link);
}

/**
 * Programs stay programs, but nothing stays read-only.
 *
 * @param {string} source
 * @param {string} destination
 */
function copyFile(source, destination) {
  copyFileSync(source, destination);
  const { mode } = statSync(destination);
  if (!(mode & WRITABLE)) chmodSync(destination, mode | WRITABLE);
}
