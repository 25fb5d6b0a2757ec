/**
 * Step: fetches the template that `--from` names. degit runs in a process of its own, because it
 * starts git in ways that could otherwise outlive an interrupted run.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../child-process.mjs';
import { Failure } from '../failure.mjs';

const FETCHER = fileURLToPath(new URL('../degit-fetcher.mjs', import.meta.url));

/** @typedef {import('../context.mjs').Context} Context */

/** @param {Pick<Context, 'from' | 'project' | 'staging' | 'env' | 'say' | 'undo'>} context */
export default async function fetchTemplate(context) {
  const { from, project, staging, say } = context;
  if (from === undefined) return;
  say(`Fetching ${from}`);
  const env = {
    // A source that wants a password fails instead of waiting for one.
    GIT_TERMINAL_PROMPT: '0',
    GIT_SSH_COMMAND: 'ssh -o BatchMode=yes',
    ...context.env,
  };
  const fetcher = await runCommand(context, process.execPath, [FETCHER, from, project], {
    cwd: staging,
    env,
  });
  if (fetcher.code !== 0) {
    throw new Failure(`${from} could not be fetched. Nothing was written.\n${fetcher.output}`);
  }
  if (!existsSync(join(project, 'package.json'))) {
    throw new Failure(
      `${from} has no package.json, so it is no project. Nothing was written.\n` +
        'If the project is in a folder of that repository: owner/repo/folder',
    );
  }
}
