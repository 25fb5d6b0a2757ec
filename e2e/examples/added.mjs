/** The examples that `--add` adds to projects, and the programs that it prints. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { write } from '../setup/projects.mjs';
import { REPOSITORY, run } from '../setup/outside.mjs';

export const EXAMPLES = join(REPOSITORY, 'examples');
const PROGRAM = join(REPOSITORY, 'scaffolder/index.mjs');

/** The output of each printed program, in a project in which it runs once. @type {Record<string, string>} */
export const ANSWERS = {
  room: "{ recent: [ { author: 'Ada (guest)', text: 'Hello' } ] }\n",
  board: "[ 'Buy tea' ]\n",
  bookings: '[]\nThe Worker has not named the caller: name it with withCaller in a hook\n',
  bank: '70\n',
  digits: '3\n1\n4\n1\n5\n9\n2\n6\n5\n3\n',
  meter: '{ tea: 3 }\n',
  relay: "{ recent: [ 'Kick-off' ] }\n",
};

/** The names of the examples that a new project does not have. */
export const ALL = Object.keys(ANSWERS);

/**
 * @param {string} name - the name of an example
 * @returns {{ module: string, class: string, binding: string }[]}
 */
export function objectsOf(name) {
  return JSON.parse(readFileSync(join(EXAMPLES, name, 'example.json'), 'utf8')).objects;
}

/** @returns {string[]} the names of the tests of all examples, without `.test.ts` */
export function tests() {
  const files = ALL.flatMap((name) => readdirSync(join(EXAMPLES, name, 'test')));
  return files.map((file) => file.replace('.test.ts', ''));
}

/**
 * Adds examples to a project. The user has nothing left to do.
 *
 * @param {string} project
 * @param {readonly string[]} names
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string>} the printed program
 */
export async function add(project, names, env) {
  const args = [PROGRAM, '--add', names.join(), '--yes'];
  const { out } = await run(process.execPath, args, { cwd: project, env });
  if (out.includes('yourself:')) throw new Error(out);
  const [, program] = /^Then call it.*\n\n((?:(?: {2}.*)?\n)+)/m.exec(out) ?? [];
  if (!program) throw new Error(`No program is printed:\n${out}`);
  return program.replaceAll(/^ {2}/gm, '');
}

/**
 * Runs a printed program in the project's folder. Only its address is changed.
 *
 * @param {string} program
 * @param {string} project
 * @param {string} url - the address of the Worker
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<string>} its output
 */
export async function runProgram(program, project, url, env) {
  if (!program.includes("'http://localhost:8787'")) throw new Error(program);
  write(join(project, 'call.ts'), program.replace('http://localhost:8787', url));
  const { out } = await run('node', ['call.ts'], { cwd: project, env });
  return out;
}
