/** Step: unpacks the package's template, or copies the one in the folder that `--from` names. */
import * as fs from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Failure } from '../failure.mjs';
import { inOwnPackage, isPackaged } from '../own-package.mjs';
import { ARCHIVE, unpackTemplate } from '../template-archive.mjs';
import { templateFiles } from '../template-files.mjs';

const WRITABLE = 0o200;

/** @typedef {import('../context.mjs').Context} Context */

/** @param {Pick<Context, 'from' | 'cwd' | 'project'>} context */
export default function copyTemplate({ from, cwd, project }) {
  if (from === undefined && isPackaged) return unpackTemplate(inOwnPackage(ARCHIVE), project);
  const folder = from === undefined ? inOwnPackage('template') : resolve(cwd, from);
  if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Failure(`There is no directory ${folder} to copy from. Nothing was written.`);
  }
  const made = new Set();
  /** @type {[target: string, link: string][]} */
  const links = [];
  for (const { source, path } of templateFiles(folder)) {
    const destination = join(project, path);
    const parent = dirname(destination);
    if (!made.has(parent)) fs.mkdirSync(parent, { recursive: true });
    made.add(parent);
    const { mode } = fs.lstatSync(source);
    if (isLink(mode)) {
      links.push([fs.readlinkSync(source), destination]);
      continue;
    }
    fs.copyFileSync(source, destination);
    // The files of a package store may be read-only.
    if (!(mode & WRITABLE)) fs.chmodSync(destination, mode | WRITABLE);
  }
  // Last: where the case of names does not count, a file could otherwise be copied through one.
  for (const [target, link] of links) fs.symlinkSync(target, link);
}

/** @param {number} mode */
function isLink(mode) {
  return (mode & fs.constants.S_IFMT) === fs.constants.S_IFLNK;
}
