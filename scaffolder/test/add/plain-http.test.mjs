/** Tests `--add http`: the classes that it reaches, the files that it writes, and the projects that it refuses. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contents, temporaryFolder } from '../support/folders.mjs';
import { runScaffolder } from '../support/run-scaffolder.mjs';
import { SHAPES } from './shapes.mjs';

const PACKAGE = /^vendor\/|\/vendor\//;

/** @param {string} folder */
const ownFiles = (folder) =>
  Object.fromEntries(Object.entries(contents(folder)).filter(([path]) => !PACKAGE.test(path)));

test.each(Object.entries(SHAPES))(
  '%s gets it with the counter, or after it, and only once',
  async (_, { before, folder = '.', byHand }) => {
    const [together, later] = [temporaryFolder(before), temporaryFolder(before)];
    const both = await runScaffolder([folder, '--add', 'counter,http', '--yes'], { cwd: together });
    expect(both).toMatchObject({ code: 0, err: '' });
    await runScaffolder([folder, '--add', '--yes'], { cwd: later });
    const added = ownFiles(later);
    const dry = await runScaffolder([folder, '--add', 'http', '--dry-run'], { cwd: later });
    expect(dry).toMatchObject({ code: 0, err: '' });
    expect(dry.out).toContain('Nothing was written.');
    expect(ownFiles(later)).toEqual(added);
    const outcome = await runScaffolder([folder, '--add', 'http', '--yes'], { cwd: later });
    expect(outcome).toMatchObject({ code: 0, err: '' });
    expect(outcome.out).toContain('routeHttpRequest was added');
    expect(ownFiles(later)).toEqual(ownFiles(together));
    expect(outcome.out.includes('yourself:')).toBe(byHand !== undefined);
    expect(outcome.out).toMatch(/classes: \{ (RPC_)?COUNTER: (Rpc)?Counter \}/);
    if (byHand) return;
    const done = contents(later);
    const again = await runScaffolder([folder, '--add', 'http', '--yes'], { cwd: later });
    expect(again).toMatchObject({ code: 3, out: '' });
    expect(again.err).toContain('has plain HTTP already.\nNothing was changed. To reach another ');
    expect(contents(later)).toEqual(done);
  },
);

test('a project without a class is refused, and nothing changes', async () => {
  const cwd = temporaryFolder(Object.values(SHAPES)[0]?.before ?? {});
  const before = contents(cwd);
  const outcome = await runScaffolder(['--add', 'http', '--yes'], { cwd });
  expect(outcome).toMatchObject({ code: 3, out: '' });
  expect(outcome.err).toMatch(/exports no class with a contract .* --add counter,http\n/s);
  expect(contents(cwd)).toEqual(before);
});

test('a new project has plain HTTP for its objects, and later objects get a note', async () => {
  const cwd = temporaryFolder();
  const args = ['app', '--example', 'http,relay', '--no-install', '--no-git'];
  expect(await runScaffolder(args, { cwd })).toMatchObject({ code: 0, err: '' });
  const files = contents(join(cwd, 'app'));
  expect(files['src/index.ts']).toContain('classes: { COUNTER: Counter, MATCH: Match },');
  expect(files).toHaveProperty(['test/http.test.ts']);
  const { out } = await runScaffolder(['app', '--add', 'room', '--yes'], { cwd });
  expect(out).toContain('add ROOM: Room to "classes" of routeHttpRequest in src/index.ts.');
});
