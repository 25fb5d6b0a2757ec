/** Step: reads the command line. Answers `--help` and `--version`, refuses what it does not know. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { EXIT, Failure } from '../failure.mjs';
import { help } from '../help.mjs';
import { isPackageName, toPackageName, toWorkerName } from '../names.mjs';

/** parseArgs learned `allowNegative` after Node 20.0, so the negations are options of their own. */
const OPTIONS = /** @type {const} */ ({
  name: { type: 'string' },
  from: { type: 'string' },
  install: { type: 'boolean' },
  'no-install': { type: 'boolean' },
  git: { type: 'boolean' },
  'no-git': { type: 'boolean' },
  yes: { type: 'boolean', short: 'y' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
});

/** @typedef {import('../context.mjs').Context} Context */

/**
 * @param {Pick<Context, 'argv' | 'say' | 'packageManager'>} context
 * @returns {Partial<Context>}
 */
export default function parseArguments({ argv, say, packageManager }) {
  const usage = (/** @type {string} */ problem) =>
    new Failure(`${problem}\nTo see what there is: ${packageManager.create('--help')}`, EXIT.usage);
  const { values, positionals, tokens } = parse(argv, usage);
  if (values.help || values.version) {
    say(values.help ? help(packageManager.create).trimEnd() : ownVersion());
    return { finished: true };
  }
  if (positionals.length > 1) {
    throw usage(
      `One directory is expected, but there are ${positionals.length}: ${positionals.join(', ')}`,
    );
  }
  const { name, from } = values;
  const [directory] = positionals;
  if (directory?.trim() === '') throw usage('The directory is an empty text.');
  if (from?.trim() === '') throw usage('--from needs a source: owner/repo, or a git URL.');
  if (name !== undefined) checkName(name, usage);

  /** @type {(option: string) => boolean} whichever of the two spellings came last; default: yes */
  const wants = (option) =>
    tokens.findLast((token) => token.kind === 'option' && token.name.replace(/^no-/, '') === option)
      ?.name !== `no-${option}`;
  const yes = values.yes ?? false;
  return { directory, name, from, yes, install: wants('install'), git: wants('git') };
}

/**
 * @param {string[]} args
 * @param {(problem: string) => Failure} usage
 */
function parse(args, usage) {
  try {
    const parsed = parseArgs({ args, options: OPTIONS, allowPositionals: true, tokens: true });
    const tokens = /** @type {{ kind: string, name: string }[]} */ (parsed.tokens);
    return { ...parsed, tokens };
  } catch (error) {
    // Node's message goes on with advice about positionals that would mislead here.
    const [problem] = /** @type {Error} */ (error).message.split(/\. To |\n/);
    throw usage(`${problem}.`.replace(/\.\.$/, '.'));
  }
}

/**
 * @param {string} name
 * @param {(problem: string) => Failure} usage
 */
function checkName(name, usage) {
  if (!isPackageName(name)) {
    throw usage(
      `'${name}' is not a valid package name: lower-case letters, digits, dashes, dots, with an ` +
        `optional @scope/. For example: --name ${toPackageName(name)}`,
    );
  }
  if (!toWorkerName(name)) {
    throw usage(`'${name}' has no letter or digit that a Worker could be named after.`);
  }
}

function ownVersion() {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return JSON.parse(manifest).version;
}
