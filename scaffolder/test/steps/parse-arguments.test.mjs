import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import parseArguments from '../../steps/parse-arguments.mjs';
import { stepContext } from '../support/step-context.mjs';

const DEFAULTS = {
  directory: undefined,
  name: undefined,
  from: undefined,
  install: true,
  git: true,
  yes: false,
};

test.each([
  ['', {}],
  ['app', { directory: 'app' }],
  ['app --name x', { directory: 'app', name: 'x' }],
  ['--name=@a/x app', { directory: 'app', name: '@a/x' }],
  ['--no-install --no-git', { install: false, git: false }],
  ['--install --git', {}],
  ['--no-install --install', {}],
  ['--install --no-install', { install: false }],
  ['-y', { yes: true }],
  ['--yes app', { yes: true, directory: 'app' }],
  ['--from owner/repo/sub#v1', { from: 'owner/repo/sub#v1' }],
  ['-- -odd', { directory: '-odd' }],
])('understands: %s', (line, expected) => {
  const context = stepContext({ argv: line.split(' ').filter(Boolean) });
  expect(parseArguments(context)).toEqual({ ...DEFAULTS, ...expected });
});

test.each([
  [['--nmae', 'x'], "Unknown option '--nmae'."],
  [['-x'], "Unknown option '-x'."],
  [['a', 'b'], 'One directory is expected, but there are 2: a, b'],
  [['--name'], "Option '--name <value>' argument missing."],
  [['--name', '--git'], "Option '--name' argument is ambiguous."],
  [['--install=no'], "Option '--install' does not take an argument."],
  [['--name', 'Bad Name'], '--name bad-name'],
  [['--name', ''], "'' is not a valid package name"],
  [['--name', '-', 'app'], "'-' has no letter or digit"],
  [['--from', ''], '--from needs a source'],
  [[''], 'The directory is an empty text.'],
])('refuses %j', (argv, message) => {
  const run = () => parseArguments(stepContext({ argv }));
  expect(run).toThrow(message);
  expect(run).toThrow('To see what there is: npm create lumenize-rpc@latest -- --help');
  expect(run).toThrow(expect.objectContaining({ exitCode: 2 }));
});

test('--help names every option and exit code', () => {
  const context = stepContext({ argv: ['--help'] });
  expect(parseArguments(context)).toEqual({ finished: true });
  const text = context.said.join('\n');
  for (const word of [
    '--name',
    '--from',
    '--no-install',
    '--no-git',
    '--yes',
    '--version',
    '130',
  ]) {
    expect(text).toContain(word);
  }
});

test('--version is that of the package', () => {
  const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  const context = stepContext({ argv: ['-v'] });
  expect(parseArguments(context)).toEqual({ finished: true });
  expect(context.said).toEqual([JSON.parse(manifest).version]);
});
