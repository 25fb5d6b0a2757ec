/** The variables are those that npm 10, 11 and 12 set in experiments. Tests in `e2e/` run npm itself. */
import { expect, test } from 'vitest';
import recoverFlags from '../../arguments/recover-flags.mjs';
import { stepContext } from '../support/step-context.mjs';

const NPM = { npm_config_user_agent: 'npm/11.0.0 node/v24.0.0 linux x64', PATH: '/bin' };

/** The variables that npm sets for `--add`. */
const ADD = { npm_config_all: 'true', npm_config_loglevel: 'info' };

/**
 * @param {string} words - what npm passed on
 * @param {NodeJS.ProcessEnv} traces
 */
function recover(words, traces) {
  const env = { ...NPM, ...traces };
  const context = stepContext({ argv: words.split(' ').filter(Boolean), env });
  return { context, changes: recoverFlags(context) };
}

test.each([
  // npm 11 and 12 have an option `name` of their own. npm 10 treats it as a switch.
  ['app', { npm_config_name: 'x' }, 'app --name x'],
  ['app x', { npm_config_name: 'true' }, 'app --name x'],
  ['x', { npm_config_name: 'true' }, '--name x'],
  ['app w', { npm_config_worker_name: 'true' }, 'app --worker-name w'],
  ['app', { npm_config_worker_name: 'w' }, 'app --worker-name w'],
  ['app', { npm_config_parseable: 'true', npm_config_message: 'pnpm' }, 'app --pm pnpm'],
  ['app o/r', { npm_config_from: 'true' }, 'app --from o/r'],
  ['app react', { npm_config_ui: 'true' }, 'app --ui react'],
  ['./x app', { npm_config_from: 'true' }, 'app --from ./x'],
  ['app x o/r', { npm_config_from: 'true', npm_config_name: 'true' }, 'app --from o/r --name x'],
  [
    'app @o/x o/r',
    { npm_config_name: 'true', npm_config_from: 'true' },
    'app --from o/r --name @o/x',
  ],
  [
    'app o/r @o/x',
    { npm_config_name: 'true', npm_config_from: 'true' },
    'app --from o/r --name @o/x',
  ],
  ['app /o', { npm_config_from: 'true' }, 'app --from /o'],
  ['app name', { npm_config_from: 'true' }, 'app --from name'],
  ['app', { npm_config_install: '' }, 'app --no-install'],
  ['app', { npm_config_install: 'false' }, 'app --no-install'],
  ['--no-git', { npm_config_name: 'x' }, '--name x --no-git'],
  ['app', { npm_config_git: 'false' }, 'app --no-git'],
  ['app', { npm_config_json: 'true', npm_config_dry_run: 'true' }, 'app --dry-run --json'],
  ['app', { npm_config_merge: 'true', npm_config_list: 'true' }, 'app --merge --list'],
  ['', { npm_config_all: 'true', npm_config_loglevel: 'info' }, '--add'],
  [
    'apps/shop',
    { npm_config_all: 'true', npm_config_loglevel: 'info', npm_config_dry_run: 'true' },
    'apps/shop --dry-run --add',
  ],
  ['room', ADD, '--add room'],
  ['apps/shop room,bank', ADD, 'apps/shop --add room,bank'],
  ['room apps/shop', ADD, 'apps/shop --add room'],
  ['./room', ADD, './room --add'],
  ['rom', ADD, 'rom --add'],
  ['app room,bank', { npm_config_example: 'true' }, 'app --example room,bank'],
  ['app', { npm_config_example: 'room' }, 'app --example room'],
  // The option is given twice.
  ['app room bank', { npm_config_example: 'true' }, 'app --example room,bank'],
  ['app room bank', { npm_config_example: 'true\n\ntrue' }, 'app --example room,bank'],
  ['app', { npm_config_example: 'room\n\nbank' }, 'app --example room --example bank'],
  ['app bank', { npm_config_example: 'room\n\ntrue' }, 'app --example room --example bank'],
  ['app room', { npm_config_example: 'true\n\nbank' }, 'app --example bank --example room'],
  ['app x', { npm_config_name: 'true\n\ntrue' }, 'app --name x'],
  ['app', { npm_config_ui: 'plain\n\nreact' }, 'app --ui react'],
  ['app', { npm_config_json: 'true\n\ntrue' }, 'app --json'],
  ['app room,bank digits', { npm_config_example: 'true' }, 'app --example room,bank,digits'],
  ['room bank', { npm_config_example: 'true' }, 'room --example bank'],
  ['shop room bank', ADD, 'shop --add room,bank'],
  ['app rom', { npm_config_example: 'true' }, 'app --example rom'],
  [
    'app room none x',
    { npm_config_name: 'true', npm_config_ui: 'true', npm_config_example: 'true' },
    'app --ui none --example room --name x',
  ],
  // npm passes on the arguments after a later `--`.
  ['app x --no-git', { npm_config_name: 'true' }, 'app --name x --no-git'],
])('%s, with %j, was meant as: %s', (words, traces, meant) => {
  const { context, changes } = recover(words, traces);
  expect(changes).toEqual({
    argv: meant.split(' '),
    env: NPM,
    json: meant.includes('--json'),
  });
  expect(context.said).toEqual([
    expect.stringMatching(/^npm took --.* as options of its own\. This program uses them, too\.$/),
    expect.stringMatching(
      /^To pass options to this program: npm create lumenize-rpc@latest .*-- --/,
    ),
  ]);
});

test.each([
  ['nothing kept', NPM],
  ['settings of npm', { ...NPM, npm_config_git: '/usr/bin/git', npm_config_yes: '' }],
  ['a yes to npm', { ...NPM, npm_config_yes: 'true' }],
  ['switches that are off', { ...NPM, npm_config_list: 'false', npm_config_json: '' }],
  ['values that are empty', { ...NPM, npm_config_name: '' }],
  ['a message alone', { ...NPM, npm_config_message: 'pnpm' }],
  ['the default', { ...NPM, npm_config_git: '', npm_config_install: 'true' }],
  ['all packages, with the usual output', { ...NPM, npm_config_all: 'true' }],
  ['more output', { ...NPM, npm_config_loglevel: 'info' }],
  ['a message set for good', { ...NPM, npm_config_parseable: 'true', npm_config_message: 'v %s' }],
])('changes nothing for %s', (_, env) => {
  const context = stepContext({ argv: ['app'], env });
  expect(recoverFlags(context)).toBeUndefined();
  expect(context.said).toEqual([]);
});

test('leaves --yes to npm, which asks a question of its own', () => {
  const env = { ...NPM, npm_config_yes: 'true', npm_config_git: 'false' };
  const context = stepContext({ argv: ['app'], env });
  expect(recoverFlags(context)).toMatchObject({ argv: ['app', '--no-git'] });
  expect(context.said.join('\n')).not.toContain('--yes');
});

test('quotes the command that the user copies', () => {
  const { context } = recover('app', { npm_config_name: 'a b' });
  expect(context.said[1]?.endsWith('@latest app -- --name "a b"')).toBe(true);
});

test('does not guess which value belongs to which option', () => {
  const traces = { npm_config_name: 'true', npm_config_worker_name: 'true' };
  expect(() => recover('app x w', traces)).toThrow(
    expect.objectContaining({
      exitCode: 2,
      message:
        'npm took --name and --worker-name as options of its own, so this program cannot tell which value ' +
        'belongs to which option: app, x, w.\nWrite -- before the first option.',
    }),
  );
});
