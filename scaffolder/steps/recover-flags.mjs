/**
 * Step: gives back the options that npm kept for itself: those before a `--`, or all of them where
 * PowerShell drops the `--`. npm hands them on as `npm_config_…` variables, and takes an option that
 * it does not know for a switch, so that its value becomes one more argument. (npm 12 refuses such
 * options before this program starts.)
 */
import { EXIT, Failure } from '../failure.mjs';
import { OPTIONS } from '../options.mjs';
import { quoted } from '../shell-quote.mjs';

/** What tells a template's source from a directory or a name. */
const SOURCE = /^(?:[./]|[^@].*[/:])/;

/** @typedef {import('../context.mjs').Context} Context */

/**
 * @param {Pick<Context, 'argv' | 'env' | 'note' | 'create'>} context
 * @returns {import('../context.mjs').Changes}
 */
export default function recoverFlags({ argv, env, note, create }) {
  const { variables, flags, valueless } = traces(env);
  if (variables.length === 0) return;
  const firstFlag = argv.findIndex((arg) => arg.startsWith('-'));
  const words = firstFlag < 0 ? [...argv] : argv.slice(0, firstFlag);
  const recovered = [...flags, ...takeValues(words, valueless)];
  // What npm installs later must not be told `--json`, or to fetch with the git called `false`.
  const kept = Object.entries(env).filter(([name]) => !variables.includes(name));
  const line = [...words, ...recovered, ...(firstFlag < 0 ? [] : argv.slice(firstFlag))];
  note(`npm kept ${recovered.join(' ')} for itself. It applies here too.`);
  note(`To pass options to this program: ${create(...line.map(quoted))}`);
  return { argv: line, env: Object.fromEntries(kept), json: line.includes('--json') };
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns what npm left: the names of its variables, the options that they are whole, and the
 *   names of the options that lost their values
 */
function traces(env) {
  /** @type {string[]} */
  const variables = [];
  /** @type {string[]} */
  const flags = [];
  /** @type {string[]} */
  const valueless = [];
  for (const { name, value: takesValue, on } of OPTIONS) {
    // npm asks too, before it fetches this program: `npm create --yes` and `npx -y` answer that.
    if (name === 'yes') continue;
    const variable = `npm_config_${name.replaceAll('-', '_')}`;
    const value = env[variable];
    // `npm config set git <path>` has nothing to do with us, and `--git` leaves an empty text.
    const off = name === 'git' ? value === 'false' : value === '' || value === 'false';
    if (takesValue && value === 'true') valueless.push(name);
    else if (takesValue && value) flags.push(`--${name}`, value);
    else if (on && off) flags.push(`--no-${name}`);
    else if (on || takesValue || value !== 'true') continue;
    else flags.push(`--${name}`);
    variables.push(variable);
  }
  // `--pm` is short for npm's own `--parseable --message`, whose value may have been set for good.
  const { npm_config_parseable: parseable, npm_config_message: message = '' } = env;
  if (parseable === 'true' && /^[\w-]+$/.test(message)) {
    flags.push('--pm', message);
    variables.push('npm_config_parseable', 'npm_config_message');
  }
  return { variables, flags, valueless };
}

/**
 * @param {string[]} words - loses those that are values
 * @param {string[]} names - of options without values
 * @returns {string[]} the options with their values
 */
function takeValues(words, names) {
  const source = names.includes('from') ? words.findLastIndex((word) => SOURCE.test(word)) : -1;
  const flags = source < 0 ? [] : ['--from', ...words.splice(source, 1)];
  const others = source < 0 ? names : names.filter((name) => name !== 'from');
  if (others.length > 1) {
    throw new Failure(
      `npm kept ${others.map((name) => `--${name}`).join(' and ')} for itself, so there is no way to ` +
        `tell which value belongs to which: ${words.join(', ')}.\nWrite -- before the first option.`,
      EXIT.usage,
    );
  }
  // The directory comes first, as `--help` has it.
  for (const name of others) flags.push(`--${name}`, ...words.splice(-1));
  return flags;
}
