/** The package manager that started this program, and its commands. */

/**
 * @typedef {object} PackageManager
 * @property {string} name - the name: npm, pnpm, yarn or bun
 * @property {string} install - the command to print
 * @property {string[]} installArguments - arguments of the command that this program runs
 * @property {string} add - the command that adds packages
 * @property {(script: string) => string} run - `pnpm deploy` and `bun test` are commands of their
 *   own, so scripts are always spelled with `run`
 * @property {string} exec - the words before the name of a program from the project's packages
 * @property {(...args: string[]) => string} create - the command that starts this program
 */

/** @type {Record<string, string>} */
const EXEC = {
  npm: 'npx',
  pnpm: 'pnpm exec',
  // `yarn node` would not run the project's own Node.
  yarn: 'yarn run',
  bun: 'bunx',
};

/**
 * @param {string} name
 * @returns {PackageManager}
 */
export function packageManager(name) {
  return {
    name,
    install: `${name} install`,
    add: name === 'npm' ? 'npm install' : `${name} add`,
    // A new user needs neither the audit nor the note on funding, and an audit is one more request that can hang.
    installArguments: name === 'npm' ? ['install', '--no-audit', '--no-fund'] : ['install'],
    run: (script) => (name === 'npm' && script === 'test' ? 'npm test' : `${name} run ${script}`),
    exec: EXEC[name] ?? name,
    create: (...args) => {
      if (name !== 'npm') return [name, 'create', 'lumenize-rpc', ...args].join(' ');
      const flags = args.findIndex((arg) => /^\[?-/.test(arg));
      // npm keeps flags for itself unless `--` comes before them.
      const own = flags < 0 ? args : [...args.slice(0, flags), '--', ...args.slice(flags)];
      return ['npm create lumenize-rpc@latest', ...own].join(' ');
    },
  };
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {PackageManager} npm unless pnpm, Yarn or Bun started this program
 */
export function packageManagerOf(env) {
  const [agent] = (env['npm_config_user_agent'] ?? '').split('/');
  return packageManager(agent === 'pnpm' || agent === 'yarn' || agent === 'bun' ? agent : 'npm');
}
