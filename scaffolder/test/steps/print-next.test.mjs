import { expect, test } from 'vitest';
import { packageManagerOf } from '../../packages/package-managers.mjs';
import printNext from '../../steps/print-next.mjs';
import { temporaryFolder } from '../support/folders.mjs';
import { stepContext } from '../support/step-context.mjs';

const MADE = {
  cwd: '/code',
  target: '/code/app',
  packageName: 'app',
  workerName: 'app',
  manifest: { scripts: { dev: 'a', test: 'b', perf: 'c', deploy: 'd' } },
};

/** @param {Partial<import('../../context.mjs').Context>} fields */
function printed(fields) {
  const context = stepContext({ ...MADE, ...fields });
  printNext(context);
  return context.said.join('\n');
}

test('ends with the commands to type', () => {
  expect(printed({ installed: true })).toBe(`
Created app. Next:

  cd app
  npm run dev     start the Worker on this machine
  npm test        run the tests
  npm run perf    measure the performance
  npm run deploy  deploy to Cloudflare, where anyone can call it: see README.md, Deploy`);
});

test('begins with the installation if it is still to do', () => {
  const packageManager = packageManagerOf({ npm_config_user_agent: 'pnpm/11.0.0' });
  expect(printed({ installed: false, packageManager })).toContain(
    '  cd app\n  pnpm install     install the dependencies\n  pnpm run dev ',
  );
});

test('after a failed installation, says that the dependencies are missing', () => {
  const failure = { code: 'INSTALL_FAILED' };
  expect(printed({ installed: false, failure })).toContain(
    'Created app, without its dependencies. Next:\n\n  cd app\n  npm install ',
  );
  const verified = { code: 'VERIFY_FAILED' };
  expect(printed({ installed: true, failure: verified })).toContain('Created app. Next:');
});

const WITH_ROOM = {
  example: ['room', 'bank'],
  addition: /** @type {any} */ ({ notes: ['The page of room is here.', 'Try it.'] }),
};
const TYPES = '\n  npm run types   generate the types of the bindings\n  npm run dev ';

test('names the examples, and what their user has to know', () => {
  expect(printed({ ...WITH_ROOM, installed: true })).toContain(
    '\nCreated app with room and bank.\nThe page of room is here.\nTry it.\n\nNext:\n\n  cd app\n  npm run dev ',
  );
  expect(printed({ ...WITH_ROOM, installed: false })).toContain(`dependencies${TYPES}`);
  const failure = { code: 'TYPES_FAILED' };
  expect(printed({ ...WITH_ROOM, installed: true, failure })).toContain(`\n  cd app${TYPES}`);
});

test.each([
  ['/code', 'Created a project in this directory.', undefined],
  ['/code/a b', 'Created a b.', 'cd "a b"'],
  ['/elsewhere/app', 'Created ../elsewhere/app.', 'cd ../elsewhere/app'],
  ['/code/ünï', 'Created ünï.', 'cd ünï'],
])('names the way to %s', (target, sentence, command) => {
  const text = printed({ target });
  expect(text).toContain(sentence);
  if (command) expect(text).toContain(`  ${command}\n`);
  else expect(text).not.toContain('cd ');
});

test.each([
  ['/code', 'Added the missing files to this directory.'],
  ['/code/app', 'Added the missing files to app.'],
])('reports the result of a merge into %s', (target, sentence) => {
  const names = { packageName: 'app', workerName: 'app', name: 'app' };
  expect(printed({ ...names, target, merge: true })).toContain(sentence);
});

test('names the Worker if its name differs', () => {
  expect(printed({ packageName: '@acme/app', workerName: 'app' })).toContain(
    'Created app. Package name: @acme/app. Worker: app. Next:',
  );
});

test('says why the package does not have the name of the directory', () => {
  const names = { packageName: 'my-app', workerName: 'my-app' };
  const target = '/code/My App';
  expect(printed({ target, ...names })).toContain(
    'Created My App. Package name: my-app, because only lower-case letters, digits, dashes, dots and underscores are allowed. Next:',
  );
  expect(printed({ target, ...names, name: 'my-app' })).toContain(
    'Created My App. Package name: my-app. Next:',
  );
});

test('prints only scripts that the project has', () => {
  const text = printed({ installed: true, manifest: { scripts: { dev: 'x' } } });
  expect(text).toContain('npm run dev');
  expect(text).not.toMatch(/npm test|perf|deploy/);
});

test('prints the commands that add missing packages to a package.json that was kept', () => {
  const target = temporaryFolder({
    'package.json': '{ "dependencies": { "here": "1" }, "devDependencies": { "too": "2" } }',
  });
  const manifest = {
    scripts: { dev: 'x' },
    dependencies: { here: '3.0.0', a: '1.0.0' },
    devDependencies: { too: '3.0.0', '@b/c': '2.0.0', d: '3.0.0' },
  };
  const keptFiles = ['README.md', 'package.json'];
  const text = printed({ cwd: target, target, manifest, keptFiles });
  expect(text).toContain('Kept as they were: README.md, package.json\n');
  expect(text).toContain('  npm install a@1.0.0\n  npm install -D @b/c@2.0.0 d@3.0.0');
  expect(text).not.toContain('npm run');
});

test.each([
  ['development packages', '{ "dependencies": { "a": "1" } }', '\n\n  npm install -D d@3.0.0'],
  ['packages', '{ "devDependencies": { "d": "1" } }', '\n\n  npm install a@1.0.0'],
  ['nothing', '{ "dependencies": { "a": "1", "d": "1" } }', 'Next:\n'],
  ['all, where it is no JSON', '{', '\n\n  npm install a@1.0.0\n  npm install -D d@3.0.0'],
])('of a kept package.json, only missing packages are named: %s', (_, kept, end) => {
  const target = temporaryFolder({ 'package.json': kept });
  const manifest = { dependencies: { a: '1.0.0' }, devDependencies: { d: '3.0.0' } };
  const text = printed({ cwd: target, target, manifest, keptFiles: ['package.json'] });
  expect(text).toContain('Kept as they were: package.json\n');
  expect(text.endsWith(end)).toBe(true);
});

test('--json names the examples too', () => {
  const { result } = printNext(stepContext({ ...MADE, ...WITH_ROOM, installed: true }));
  expect(result).toMatchObject({ examples: WITH_ROOM.example, notes: WITH_ROOM.addition.notes });
});

test('--json has the same facts', () => {
  const context = stepContext({ ...MADE, installed: true, repository: true });
  expect(printNext(context)).toEqual({
    result: {
      directory: '/code/app',
      name: 'app',
      workerName: 'app',
      packageManager: 'npm',
      kept: [],
      installed: true,
      repository: true,
      next: ['cd app', 'npm run dev', 'npm test', 'npm run perf', 'npm run deploy'],
    },
  });
});
