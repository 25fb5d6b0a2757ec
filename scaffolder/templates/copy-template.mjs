/** Step: copies the package's own template, or the template in the folder that `--from` names. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { didYouMean, similarPath } from '../arguments/did-you-mean.mjs';
import { Failure } from '../console/failure.mjs';
import { ownFolder } from '../own-package.mjs';
import { copyFiles } from './copy-files.mjs';

/** @typedef {import('../context.mjs').Context} Context */

/** @param {Pick<Context, 'from' | 'cwd' | 'project'>} context */
export default function copyTemplate({ from, cwd, project }) {
  const isOwn = from === undefined;
  const folder = isOwn ? ownFolder('template') : resolve(cwd, from);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    const meant = isOwn ? '' : didYouMean(similarPath(folder, from));
    throw new Failure(`There is no directory ${folder} to copy from. Nothing was written.${meant}`);
  }
  copyFiles(folder, project, isOwn);
}
