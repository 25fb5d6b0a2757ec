/** Copies the files of a template or an overlay. */
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
 * @param {boolean} isOwn - whether the folder belongs to this package
 */
export function copyFiles(folder, project, isOwn) {
  /** @type {[target: string, link: string][]} */
  const links = [];
  const made = new Set();
  for (const { source, path, isLink } of templateFiles(folder, !isOwn)) {
    const destination = `${project}/${isOwn ? projectPath(path) : path}`;
    const parent = destination.slice(0, destination.lastIndexOf('/'));
    if (!made.has(parent)) mkdirSync(parent, { recursive: true });
    made.add(parent);
    if (isLink) links.push([readlinkSync(source), destination]);
    // The file gets default permissions, not its permissions in the package.
    else if (isOwn) writeFileSync(destination, readFileSync(source));
    else copyFile(source, destination);
  }
  // Links come last. If the file system ignores case, a file could otherwise be copied through a link.
  for (const [target, link] of links) symlinkSync(target, link);
}

/**
 * Copies a file with its permissions, but makes it writable.
 *
 * @param {string} source
 * @param {string} destination
 */
function copyFile(source, destination) {
  copyFileSync(source, destination);
  const { mode } = statSync(destination);
  if (!(mode & WRITABLE)) chmodSync(destination, mode | WRITABLE);
}
