/** Step: says what was made and what to type next. */
import { relative } from 'node:path';
import { quoted } from '../shell-quote.mjs';

const SCRIPTS = [
  ['dev', 'run it on this machine'],
  ['test', 'run its tests'],
  ['perf', 'measure it'],
  ['deploy', 'put it on Cloudflare'],
];

/** @typedef {import('../context.mjs').Context} Context */

/**
 * @param {Pick<Context, 'cwd' | 'target' | 'packageName' | 'workerName' | 'installed' | 'packageManager' | 'say' | 'bold'>} context
 */
export default function printNext(context) {
  const { cwd, target, packageName, workerName, installed, packageManager, say, bold } = context;
  const directory = relative(cwd, target);
  const names = packageName === workerName ? packageName : `${packageName}, Worker ${workerName}`;
  say();
  say(`${names} is in ${directory || 'this directory'}. Next:`);
  say();
  /** @type {string[][]} */
  const lines = SCRIPTS.map(([script = '', purpose = '']) => [packageManager.run(script), purpose]);
  if (!installed) lines.unshift([packageManager.install, 'install its dependencies']);
  if (directory) lines.unshift([`cd ${quoted(directory)}`, '']);
  const width = Math.max(...lines.map(([command = '']) => command.length));
  for (const [command = '', purpose = ''] of lines) {
    say(`  ${bold(command)}${' '.repeat(width - command.length)}  ${purpose}`.trimEnd());
  }
}
