/**
 * Step: recovers the options that npm took as options of its own. npm takes the options before a `--`, or all options if
 * PowerShell drops the `--`. It passes them on as `npm_config_…` variables. npm treats an unknown
 * option as a switch, so the option's value becomes an argument. (npm 12 refuses unknown options before
 * this program starts.)
 */
import { EXIT, Failure } from '../console/failure.mjs';
import { quoted } from '../console/shell-quote.mjs';
import { isListOf, OPTIONS, UIS } from './options.mjs';

/** Tells the values of some options from a directory or a name. @type {Record<string, (word: string) => boolean>} */
const VALUES = {
  from: (word) => /^(?:[./]|[^@].*[/:])/.test(word),
  ui: (word) => word in UIS,
  example: (word) => isListOf('example', word),
  add: (word) => isListOf('add', word),
};

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
  // Otherwise a later `npm install` would print JSON, or would use a git called `false`.
  const kept = Object.entries(env).filter(([name]) => !variables.includes(name));
  const line = [...words, ...recovered, ...(firstFlag < 0 ? [] : argv.slice(firstFlag))];
  note(`npm took ${recovered.join(' ')} as options of its own. This program uses them, too.`);
  note(`To pass options to this program: ${create(...line.map(quoted))}`);
  return { argv: line, env: Object.fromEntries(kept), json: line.includes('--json') };
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns the names of npm's variables, the options that are complete in them, and the names of the
 *   options whose values npm separated
 */
function traces(env) {
  /** @type {string[]} */
  const variables = [];
  /** @type {string[]} */
  const flags = [];
  /** @type {string[]} */
  const valueless = [];
  for (const { name, value: takesValue, isList, on } of OPTIONS) {
    // `npm create --yes` and `npx -y` answer a question of npm, before it fetches this program.
    if (name === 'yes') continue;
    const variable = `npm_config_${name.replaceAll('-', '_')}`;
    // npm joins the values of an option that is given twice. The last counts, except in a list.
    const all = env[variable]?.split('\n\n') ?? [];
    const value = all.at(-1);
    const values = isList ? all : all.slice(-1);
    // `npm config set git <path>` is not meant for this program, and `--git` leaves an empty string.
    const off = name === 'git' ? value === 'false' : value === '' || value === 'false';
    if (takesValue && value) {
      if (values.includes('true')) valueless.push(name);
      for (const one of values) if (one !== 'true') flags.push(`--${name}`, one);
    } else if (on && off) flags.push(`--no-${name}`);
    else if (on || takesValue || value !== 'true') continue;
    else flags.push(`--${name}`);
    variables.push(variable);
  }
  // npm reads `--pm` as its own `--parseable --message`. `message` can also come from npm's configuration.
  const { npm_config_parseable: parseable, npm_config_message: message = '' } = env;
  if (parseable === 'true' && /^[\w-]+$/.test(message)) {
    flags.push('--pm', message);
    variables.push('npm_config_parseable', 'npm_config_message');
  }
  // npm reads `--add` as its own `-a -d -d`, which is `--all --loglevel info`.
  const { npm_config_all: all, npm_config_loglevel: level } = env;
  if (all === 'true' && level === 'info') {
    valueless.push('add');
    variables.push('npm_config_all', 'npm_config_loglevel');
  }
  return { variables, flags, valueless };
}

/**
 * @param {string[]} words - arguments; the values are removed from them
 * @param {string[]} names - the names of options without values
 * @returns {string[]} the options with their values
 */
function takeValues(words, names) {
  /** @type {string[]} */
  const flags = [];
  const others = names.filter((name) => {
    const isList = OPTIONS.some((option) => option.name === name && option.isList);
    const found = words.flatMap((word, i) => (VALUES[name]?.(word) ? [i] : []));
    // A list may have been given twice. The first word is the directory if another word can be the value.
    const places = isList && found.length > 1 ? found.filter((at) => at > 0) : found.slice(-1);
    if (places.length === 0 && name !== 'add') return true;
    const values = places.map((at) => words[at]);
    for (const at of places.toReversed()) words.splice(at, 1);
    flags.push(`--${name}`, ...(isList && values.length > 0 ? [values.join(',')] : values));
    return false;
  });
  if (others.length > 1) {
    throw new Failure(
      `npm took ${others.map((name) => `--${name}`).join(' and ')} as options of its own, so this program cannot ` +
        `tell which value belongs to which option: ${words.join(', ')}.\nWrite -- before the first option.`,
      EXIT.usage,
    );
  }
  // The directory comes first, as in `--help`, so the value is the last word.
  for (const name of others) flags.push(`--${name}`, ...words.splice(-1));
  return flags;
}
