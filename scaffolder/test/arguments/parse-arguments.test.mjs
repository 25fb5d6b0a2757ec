import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { OPTIONS } from '../../arguments/options.mjs';
import parseArguments from '../../arguments/parse-arguments.mjs';
import { COUNTER, EXAMPLES } from '../../examples.mjs';
import { stepContext } from '../support/step-context.mjs';

/** The examples that a new project does not have. */
const ADDED = Object.keys(EXAMPLES).filter((name) => name !== COUNTER);

/** @param {string} line */
const parse = (line) => parseArguments(stepContext({ argv: line.split(' ').filter(Boolean) }));

test('without arguments, only switches that are on by default are on', () => {
  const parsed = parse('');
  const given = Object.entries(parsed).filter(([, value]) => value);
  expect(given).toEqual([
    ['install', true],
    ['git', true],
  ]);
});

test.each([
  ['app', { directory: 'app' }],
  ['app --name x', { directory: 'app', name: 'x' }],
  ['--name my_app', { name: 'my_app' }],
  ['--name=@a/x app', { directory: 'app', name: '@a/x' }],
  ['--worker-name w-1', { workerName: 'w-1' }],
  ['--no-install --no-git', { install: false, git: false }],
  ['--install --git', { install: true, git: true }],
  ['--no-install --install', { install: true }],
  ['--install --no-install', { install: false }],
  ['-y', { yes: true, directory: undefined }],
  ['--yes app', { yes: true, directory: 'app' }],
  ['--from owner/repo/sub#v1', { from: 'owner/repo/sub#v1' }],
  ['--merge --dry-run --json --list', { merge: true, dryRun: true, json: true, list: true }],
  ['app --add', { directory: 'app', add: ['counter'] }],
  ['--add app', { directory: 'app', add: ['counter'] }],
  ['--add room', { directory: undefined, add: ['room'] }],
  ['--add=room app', { directory: 'app', add: ['room'] }],
  ['--add room,bank app', { directory: 'app', add: ['room', 'bank'] }],
  ['app --add room,room,bank', { directory: 'app', add: ['room', 'bank'] }],
  ['--add room bank', { directory: 'bank', add: ['room'] }],
  ['--add ./room', { directory: './room', add: ['counter'] }],
  ['--add rom', { directory: 'rom', add: ['counter'] }],
  ['room --add', { directory: 'room', add: ['counter'] }],
  ['--add --yes room', { directory: 'room', add: ['counter'], yes: true }],
  ['--add -- room', { directory: undefined, add: ['room'] }],
  ['app --example room', { directory: 'app', example: ['room'] }],
  ['--example=bank,room,bank app', { directory: 'app', example: ['bank', 'room'] }],
  ['--example room,board', { example: ['room', 'board'], ui: 'react' }],
  ['--example board --ui plain', { example: ['board'], ui: 'plain' }],
  ['--example room --ui none', { example: ['room'], ui: 'none' }],
  ['app --example room --example bank', { directory: 'app', example: ['room', 'bank'] }],
  ['--example=room,bank --example=bank,digits', { example: ['room', 'bank', 'digits'] }],
  ['--add room --add bank', { directory: undefined, add: ['room', 'bank'] }],
  ['--add=room app --add bank,room', { directory: 'app', add: ['room', 'bank'] }],
  ['--add room --add', { add: ['room', 'counter'] }],
  ['--verify', { verify: true }],
  ['app --ui react', { directory: 'app', ui: 'react' }],
  ['--ui=plain', { ui: 'plain' }],
  ['--pm bun', { packageManager: expect.objectContaining({ name: 'bun' }) }],
  ['--name a --name b', { name: 'b' }],
  // pnpm and bun pass the `--` on.
  ['app -- --name x --no-git', { directory: 'app', name: 'x', git: false }],
  ['-- app', { directory: 'app' }],
])('understands: %s', (line, expected) => {
  expect(parse(line)).toMatchObject(expected);
});

test.each([
  [['--nmae', 'x'], 'Unknown option --nmae. Did you mean --name?'],
  [['--no-instal'], 'Unknown option --no-instal. Did you mean --no-install?'],
  [['--template', 'x'], 'Unknown option --template. Did you mean --from?'],
  [['--force'], 'Unknown option --force. Did you mean --merge?'],
  [['--dryrun'], 'Unknown option --dryrun. Did you mean --dry-run?'],
  [['--worker', 'x'], 'Unknown option --worker. Did you mean --worker-name?'],
  [['--react'], 'Unknown option --react. Did you mean --ui react?'],
  [['--raect'], 'Unknown option --raect. Did you mean --ui react?'],
  [['--pnpm'], 'Unknown option --pnpm. Did you mean --pm pnpm?'],
  [['--something-else'], 'Unknown option --something-else.\n'],
  [['-x'], 'Unknown option -x.\n'],
  [['--no-name'], 'Unknown option --no-name.'],
  [['--pm', 'pnp'], "--pm takes one of npm, pnpm, yarn, bun; 'pnp' is not. Did you mean pnpm?"],
  [['--pm', 'cargo'], "'cargo' is not.\n"],
  [['--pm'], '--pm needs a value: --pm npm|pnpm|yarn|bun'],
  [['--ui', 'recat'], "--ui takes one of plain, react, none; 'recat' is not. Did you mean react?"],
  [['--ui', 'vue'], "'vue' is not.\n"],
  [['--ui'], '--ui needs a value: --ui plain|react|none'],
  [['--framework', 'react'], 'Unknown option --framework. Did you mean --ui?'],
  [['--add', '--ui', 'react'], '--add cannot be combined with --ui.'],
  [
    ['--from', 'o/r', '--ui', 'plain'],
    '--ui changes the packaged template, and --from names another template: remove one of the two.',
  ],
  [
    ['--from', 'o/r', '--example', 'room'],
    '--example changes the packaged template, and --from names another template: remove one of the two.',
  ],
  [
    ['--add', '--example', 'room,bank'],
    '--example is for a new project. For this one: --add room,bank',
  ],
  [['--example', 'room', '--merge'], '--example cannot be combined with --merge: use --add when'],
  [
    ['--example', 'room,bnak'],
    `--example takes a list of ${ADDED.join(', ')}; 'bnak' is not. Did you mean bank?\n  bank      customers`,
  ],
  [['--example', 'counter'], "'counter' is not."],
  [['--example', 'room', '--example', 'bnak'], "'bnak' is not. Did you mean bank?"],
  [['--example', 'rom,bnak,Bank'], "'rom', 'bnak', 'Bank' are not. Did you mean room,bank?"],
  [['--example', 'MatchRelay'], "'MatchRelay' is not. Did you mean relay?"],
  [['--add=MATCH'], "'MATCH' is not. Did you mean relay?"],
  [['--example='], "'' is not."],
  [['--example', 'room,'], "'' is not."],
  [['--example'], '--example needs a value: --example <names>'],
  [['--add='], "'' is not."],
  [['--add=rom'], "'rom' is not. Did you mean room?\n  bank "],
  [['--examples', 'room'], 'Unknown option --examples. Did you mean --example?'],
  [['--room'], 'Unknown option --room. Did you mean --example room?'],
  [['a', 'b'], 'One directory is expected, but there are 2: a, b\n'],
  [['a', 'b', '--example', 'room'], 'but there are 2: a, b\n'],
  [['app', 'rom', 'raect'], 'app, rom, raect. Did you mean app --example room --ui react?'],
  [['add', 'room'], 'but there are 2: add, room. Did you mean --add room?'],
  [['exmaple', 'room', 'app'], 'Did you mean --example room app?'],
  [['app', '--example', 'room', 'bank'], ' 2: app, bank. Did you mean --example room,bank?'],
  [['app', '--add', 'room', 'bnak'], ' 2: app, bnak. Did you mean --add room,bank?'],
  [['-add'], 'Unknown option -add. Did you mean --add?'],
  [['-exmaple=room'], 'Unknown option -exmaple. Did you mean --example?'],
  [['-yes'], 'Unknown option -yes. Did you mean --yes?'],
  [['\u2014add', 'room'], 'Unknown option \u2014add. Did you mean --add?'],
  [['\u2013example=room'], 'Unknown option \u2013example=room. Did you mean --example?'],
  [['--UI', 'react'], 'Unknown option --UI. Did you mean --ui?'],
  [['--ui', 'REACT'], "'REACT' is not. Did you mean react?"],
  [['--templat', 'x'], 'Unknown option --templat. Did you mean --from?'],
  [['--no-gti'], 'Unknown option --no-gti. Did you mean --no-git?'],
  [['--name'], '--name needs a value: --name <name>'],
  [['--name', '--git'], '--name needs a value'],
  [['--install=no'], '--install takes no value.'],
  [['--name', 'Bad Name'], '--name bad-name'],
  [
    ['--name', 'MyApp'],
    "--name 'MyApp' cannot be used: it must be lower-case letters, digits, dashes, dots and underscores, with an optional @scope/",
  ],
  [['--name='], "--name '' cannot be used"],
  [['--name=~', 'app'], 'it needs a letter or a digit, for the name of the Worker'],
  [['--worker-name', 'My_Worker'], 'For example: --worker-name my-worker'],
  [['--worker-name=-x'], "--worker-name '-x' cannot be used"],
  [['--worker-name='], "--worker-name '' cannot be used: it must be at most 63 lower-case"],
  [['--from='], "--from '' cannot be used: it is empty"],
  [['--from', ' '], "--from ' ' cannot be used: it is empty"],
  [['--add', '--worker-name', 'x'], '--add cannot be combined with --worker-name.'],
  [['--verify', '--no-install'], '--verify needs the dependencies: remove --no-install.'],
  [[''], 'The name of the directory is empty.'],
])('refuses %j', (argv, message) => {
  const refused = () => parseArguments(stepContext({ argv }));
  expect(refused).toThrow(message);
  expect(refused).toThrow('To list the options: npm create lumenize-rpc@latest -- --help');
  expect(refused).toThrow(expect.objectContaining({ exitCode: 2 }));
});

test('--help names every option and exit code, whatever other arguments are wrong', () => {
  const context = stepContext({ argv: ['--help', '--nonsense', 'a', 'b'] });
  expect(parseArguments(context)).toEqual({ finished: true });
  const text = context.said.join('\n');
  for (const { name, on } of OPTIONS) expect(text).toContain(`  --${on ? 'no-' : ''}${name}`);
  expect(text).toContain('\n  npm create lumenize-rpc@latest [directory] -- [--option ...]\n');
  for (const { name, summary } of Object.values(EXAMPLES)) {
    expect(text).toContain(`\n  ${name.padEnd(8)}  ${summary}\n`);
  }
  // The text has the values and the short names, and aligns the descriptions.
  expect(text).toContain(
    `\n  --worker-name <name>  name of the Worker (default: from the name of the package)\n`,
  );
  expect(text).toContain('\n  --yes, -y             ask no questions;');
  const [, codes = ''] = text.split('Exit codes\n');
  expect(codes.match(/\b\d+\b/g)).toEqual(['0', '1', '2', '130', '143', '3']);
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
});

test('--version prints the version of the package', () => {
  const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  const { version } = JSON.parse(manifest);
  const context = stepContext({ argv: ['-v'] });
  expect(parseArguments(context)).toEqual({ finished: true, result: { version } });
  expect(context.said).toEqual([version]);
});
