/** A project with every example and with exports of each kind, which compiles with the options of other projects. */
import * as fs from 'node:fs';
import { join } from 'node:path';
import { add, ALL } from '../examples/added.mjs';
import { write } from '../setup/projects.mjs';
import { REPOSITORY, run } from '../setup/outside.mjs';

const DECLARATIONS = {
  noEmit: false,
  declaration: true,
  emitDeclarationOnly: true,
  composite: true,
};

const STRICTEST = {
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitReturns: true,
  noUnusedLocals: true,
};

const NODE = { module: 'nodenext', moduleResolution: 'nodenext' };
const NO_DISPOSABLES = { target: 'es2022', lib: ['es2023'] };

const SOURCES = ['worker-configuration.d.ts', 'src/*.ts'];
const PAGE = ['worker-configuration.d.ts', 'src/page/*.ts'];

/** The options of a project and its sources, by name. @type {Record<string, [options: object, include: string[]]>} */
export const OPTIONS = {
  'declaration and composite': [DECLARATIONS, SOURCES],
  'declarations without the checks of packages left out': [
    { ...DECLARATIONS, skipLibCheck: false },
    SOURCES,
  ],
  'the strictest checks': [STRICTEST, SOURCES],
  'no strict checks': [{ strict: false }, SOURCES],
  'imports of types without `type`': [
    { verbatimModuleSyntax: false, isolatedModules: true },
    SOURCES,
  ],
  'the resolution of Node': [NODE, SOURCES],
  'a lib without disposables': [NO_DISPOSABLES, SOURCES],
  isolatedDeclarations: [
    { ...DECLARATIONS, isolatedDeclarations: true },
    ['src/annotated-exports.ts'],
  ],
  'all of these at once': [
    { ...DECLARATIONS, ...STRICTEST, ...NO_DISPOSABLES, skipLibCheck: false },
    SOURCES,
  ],
  'a page, with a lib without disposables': [
    { ...STRICTEST, target: 'es2022', lib: ['es2023', 'dom', 'dom.iterable'] },
    PAGE,
  ],
};

/**
 * @param {ReturnType<typeof import('../setup/projects.mjs').projects>} place - creates the project
 * @returns {Promise<string>} its folder
 */
export async function projectOfAll({ scaffold, npm, env }) {
  const project = await scaffold('compiled');
  await add(project, ALL, env);
  for (const name of ['inferred-exports.ts', 'annotated-exports.ts'])
    fs.cpSync(join(REPOSITORY, 'e2e/projects', name), join(project, 'src', name));
  await npm(project, 'types');
  return project;
}

/**
 * Compiles the project. Rejects with the output of the compiler.
 *
 * @param {string} project
 * @param {keyof typeof OPTIONS} name - the name of the options
 * @param {5 | 6 | 7} version - the version of TypeScript
 * @param {NodeJS.ProcessEnv} env
 */
export async function compile(project, name, version, env) {
  const [compilerOptions, include] = OPTIONS[name] ?? [];
  const file = `tsconfig.${Object.keys(OPTIONS).indexOf(String(name))}-${version}.json`;
  const outDir = `declarations/${version}`;
  const configuration = {
    extends: './tsconfig.json',
    compilerOptions: { ...compilerOptions, outDir, rootDir: '.' },
    include,
    exclude: [],
  };
  write(join(project, file), JSON.stringify(configuration));
  const installed = version === 7 ? '' : `e2e/compilers/typescript-${version}`;
  const program = join(REPOSITORY, installed, 'node_modules/typescript/bin/tsc');
  await run('node', [program, '-p', file, '--pretty', 'false'], { cwd: project, env });
}
