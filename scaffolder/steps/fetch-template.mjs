/**
 * Step: fetches the template that `--from` names. degit runs in a process of its own, because it
 * starts git in ways that could otherwise outlive an interrupted run.
 */
import { fileURLToPath } from 'node:url';
import { runCommand } from '../child-process.mjs';
import { Failure } from '../failure.mjs';

const FETCHER = fileURLToPath(new URL('../template-fetcher.mjs', import.meta.url));

/** @typedef {import('../context.mjs').Context} Context */

/** @param {Pick<Context, 'project' | 'staging' | 'env' | 'say' | 'undo'> & { from?: string }} context */
export default async function fetchTemplate(context) {
  const { from = '', project, staging, say } = context;
  say(`Fetching ${from}`);
  const env = {
    // A source that wants a password fails instead of waiting for one.
    GIT_TERMINAL_PROMPT: '0',
    GIT_SSH_COMMAND: 'ssh -o BatchMode=yes',
    ...context.env,
    // What is taken must be gone with the staging folder, whatever stops the fetcher.
    TMPDIR: staging,
    TEMP: staging,
    TMP: staging,
  };
  const args = [FETCHER, from, project];
  const fetcher = await runCommand(context, process.execPath, args, { cwd: staging, env });
  if (fetcher.code !== 0) {
    throw new Failure(`${from} could not be fetched. Nothing was written.\n${fetcher.output}`);
  }
}
