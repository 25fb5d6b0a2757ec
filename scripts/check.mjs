/**
 * `npm run check`: checks the code without running it: lint, format, types, dead code, and generated pages that
 * disagree with the code. The checks run at the same time. The program prints the output of checks that fail. Type checks are
 * incremental. `npm run check -- lint types` runs only the checks whose names begin with "lint" or "types".
 */
import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PROGRAMS = join(ROOT, 'node_modules/.bin');
const env = {
  ...process.env,
  PATH: `${PROGRAMS}${delimiter}${process.env.PATH}`,
  // tsc, a program in Go, then collects no garbage. It needs 25 % less CPU time, and no more memory.
  GOGC: 'off',
};

/** @typedef {{ name: string, command: string[], cwd?: string }} Check */

/** @type {Check[]} */
const all = [
  { name: 'lint', command: ['oxlint', '--deny-warnings', '--disable-nested-config'] },
  { name: 'format', command: ['oxfmt', '--check'] },
  { name: 'dead code', command: ['knip'] },
  { name: 'pages', command: ['node', 'scripts/pages/pages.mjs'] },
  { name: 'built package', command: ['node', 'runtime/build.mjs', '--check'] },
  ...[
    'tsconfig.json',
    'jsconfig.json',
    'runtime',
    'site',
    'template',
    'template/src/page',
    'template/tsconfig.node.json',
  ].map((project) => ({ name: `types of ${project}`, command: tsc(project) })),
  {
    name: 'types of bindings',
    command: ['wrangler', 'types', '--include-runtime=false', '--check'],
    cwd: 'template',
  },
];

const chosen = process.argv.slice(2);
const checks = all.filter(
  ({ name }) => chosen.length === 0 || chosen.some((beginning) => name.startsWith(beginning)),
);
if (checks.length === 0)
  throw new Error(
    `No check begins with ${chosen.join(' or ')}. The checks are ${all.map(({ name }) => name).join(', ')}`,
  );

const begun = performance.now();
const failed = (await Promise.all(checks.map(check))).filter((passed) => !passed).length;
console.log(`${checks.length} checks, ${failed} failed, in ${secondsSince(begun)} s`);
process.exitCode = failed > 0 ? 1 : 0;

/**
 * @param {Check} check
 * @returns {Promise<boolean>} true if it passed
 */
async function check({ name, command: [program = '', ...args], cwd = '.' }) {
  const start = performance.now();
  const child = spawn(program, args, { cwd: join(ROOT, cwd), env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  const code = await new Promise((resolve) => {
    child.on('error', ({ message }) => resolve(message));
    child.on('close', resolve);
  });
  console.log(`${code === 0 ? 'passed' : 'FAILED'}  ${name}, ${secondsSince(start)} s`);
  if (code !== 0) console.log(`\n${output.trim() || code}\n`);
  return code === 0;
}

/** @param {string} project */
function tsc(project) {
  const memory = `node_modules/.cache/types/${project.replaceAll(/\W/g, '-')}.tsbuildinfo`;
  // With several threads, tsc checks shared types once in each thread. The other checks use the other processors.
  return ['tsc', '-p', project, '--singleThreaded', '--incremental', '--tsBuildInfoFile', memory];
}

/** @param {number} start */
function secondsSince(start) {
  return ((performance.now() - start) / 1000).toFixed(1);
}
