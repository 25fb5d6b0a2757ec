/** Step: prints what was created, and the next commands. */
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { quoted } from '../console/shell-quote.mjs';
import { commandsToAddMissing } from '../packages/missing-packages.mjs';
import { aboutNames } from '../packages/names.mjs';
import { INSTALL_FAILED, TYPES_FAILED } from './install.mjs';

const SCRIPTS = [
  ['dev', 'start the Worker on this machine'],
  ['test', 'run the tests'],
  ['perf', 'measure the performance'],
  ['deploy', 'deploy to Cloudflare, where anyone can call it: see README.md, Deploy'],
];

/** @typedef {import('../context.mjs').Context} Context */

/**
 * @param {Context} context
 * @returns {Partial<Context>}
 */
export default function printNext(context) {
  const { cwd, target, packageName, workerName, keptFiles, say, bold } = context;
  const directory = relative(cwd, target);
  const lines = nextCommands(context);
  if (directory) lines.unshift([`cd ${quoted(directory)}`, '']);
  say();
  if (keptFiles.length > 0) say(`Kept as they were: ${keptFiles.join(', ')}`);
  const { example: examples, addition } = context;
  const notes = examples ? addition.notes : [];
  say([...whatWasMade(context, directory), ...(notes.length > 0 ? [] : ['Next:'])].join(' '));
  for (const note of notes) say(note);
  if (notes.length > 0) {
    say();
    say('Next:');
  }
  say();
  const width = Math.max(...lines.map(([command = '']) => command.length));
  for (const [command = '', purpose = ''] of lines) {
    say(`  ${bold(command)}${' '.repeat(width - command.length)}  ${purpose}`.trimEnd());
  }
  const { ui, packageManager, installed = false, repository = false, failure } = context;
  return {
    result: {
      directory: target,
      name: packageName,
      workerName,
      ui,
      ...(examples && { examples, notes }),
      packageManager: packageManager.name,
      kept: keptFiles,
      installed,
      repository,
      next: lines.map(([command]) => command),
      ...failure,
    },
  };
}

/**
 * @param {Pick<Context, 'target' | 'packageName' | 'workerName' | 'merge'> & Partial<Context>} context
 * @param {string} directory - a relative path; empty for the current directory
 * @returns {string[]} sentences
 */
function whatWasMade(context, directory) {
  const { example, target, name, packageName, workerName, merge, failure } = context;
  const place = directory || 'this directory';
  const created = directory ? `Created ${directory}` : 'Created a project in this directory';
  const what = merge ? `Added the missing files to ${place}` : created;
  const examples = example ? ` with ${new Intl.ListFormat('en').format(example)}` : '';
  const without = failure?.['code'] === INSTALL_FAILED ? ', without its dependencies' : '';
  const made = `${what}${examples}${without}.`;
  return [made, ...aboutNames({ target, name, packageName, workerName })];
}

/**
 * @param {Context} context
 * @returns {string[][]} commands, each with its purpose
 */
function nextCommands(context) {
  const { example, failure, target, manifest, keptFiles, installed, packageManager } = context;
  if (keptFiles.includes('package.json')) {
    const file = join(target, 'package.json');
    // The file may be a link without a target.
    const kept = existsSync(file) ? readFileSync(file, 'utf8') : '';
    const commands = commandsToAddMissing(manifest, kept, packageManager);
    return commands.map((command) => [command]);
  }
  /** @type {string[][]} */
  const scripts = SCRIPTS.filter(([script = '']) => manifest.scripts?.[script]);
  const lines = scripts.map(([script = '', purpose = '']) => [packageManager.run(script), purpose]);
  const isTyped = !example || (installed && failure?.['code'] !== TYPES_FAILED);
  return [
    ...(installed ? [] : [[packageManager.install, 'install the dependencies']]),
    ...(isTyped ? [] : [[packageManager.run('types'), 'generate the types of the bindings']]),
    ...lines,
  ];
}
