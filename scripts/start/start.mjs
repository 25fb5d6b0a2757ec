/**
 * `npm start [directory]`: installs the packages of this repository, and then runs `tour.ts` on the Node
 * from the package `node`. This file itself runs on the machine's own Node, without any package.
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../../harness/guarded-process.mjs';
import { endWithParent } from './end-with-parent.mjs';
import { installation } from './progress.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const here = process.env['INIT_CWD'] ?? process.cwd();
if (process.argv[2]?.startsWith('-')) {
  console.error('npm start [directory]: creates a project there, calls it and measures it.');
  console.error('For other projects: node scaffolder/index.mjs --help');
  process.exit(2);
}
const project = path.resolve(here, process.argv[2] ?? path.join(ROOT, 'my-app'));

console.log(
  'This installs packages, scaffolds a project, checks its types, calls it and measures it. ' +
    'It takes about 2 minutes, or 1 minute if the packages are installed.\n',
);
await endWithParent(async () => {
  const title = '1/5  Installing the packages of this repository';
  await installation(title, 'npm', ['install', '--no-audit', '--no-fund'], { cwd: ROOT });
  const bin = path.join(ROOT, 'node_modules/.bin');
  const env = { ...process.env, PATH: `${bin}${path.delimiter}${process.env['PATH']}` };
  await run('node', [path.join(ROOT, 'scripts/start/tour.ts'), project, here], { env });
});
