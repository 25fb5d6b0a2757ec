/**
 * Step: fetches the template that `--from` names. degit runs in a process of its own. Otherwise the git
 * commands that it starts could outlive an interrupted run.
 */
import { runCommand } from '../child-process.mjs';
import { Failure } from '../console/failure.mjs';
import { besideThisProgram } from '../own-package.mjs';

/** @typedef {import('../context.mjs').Context} Context */

/** @param {Pick<Context, 'project' | 'staging' | 'env' | 'note' | 'undo'> & { from?: string }} context */
export default async function fetchTemplate(context) {
  const { from = '', project, staging, note } = context;
  note(`Fetching ${from}`);
  const env = {
    // If the source needs a password, git fails instead of waiting for the password.
    GIT_TERMINAL_PROMPT: '0',
    GIT_SSH_COMMAND: 'ssh -o BatchMode=yes',
    ...context.env,
    // Temporary files are removed with the staging folder, whatever stops the fetcher.
    TMPDIR: staging,
    TEMP: staging,
    TMP: staging,
  };
  const args = [besideThisProgram('template-fetcher.mjs'), from, project];
  const fetcher = await runCommand(context, process.execPath, args, { cwd: staging, env });
  if (fetcher.code !== 0) {
    throw new Failure(`${from} could not be fetched. Nothing was written.\n${fetcher.output}`);
  }
}
