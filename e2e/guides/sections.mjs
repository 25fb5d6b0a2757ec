/** Inserts the blocks of sections of the guides into a project, as a reader does. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '../outside.mjs';
import { apply, blocksOf } from './blocks.mjs';
import { GUIDE, guides, PAGES, write } from './project.mjs';

/** @typedef {import('./blocks.mjs').Block} Block */

const source = readFileSync(join(REPOSITORY, GUIDE), 'utf8');
const blocks = blocksOf(GUIDE);

/** A text with the form of a JWT, which replaces the guide's token. */
const TOKEN = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJBZGEifQ.c2ln_bmF0dXJl-x';

/** All sections with a block that has a place. */
export const FOLLOWED = [
  'Add a method',
  'Add a Durable Object',
  'Add a page',
  'Live values, feeds, streams, sessions',
  'Authenticate callers',
  'Call your object',
];

/**
 * @param {string} title
 * @returns {Block[]}
 */
export function sectionOf(title) {
  const lines = source.split('\n');
  const begin = lines.indexOf(`## ${title}`);
  const end = lines.findIndex((line, index) => index > begin && line.startsWith('## '));
  const found = blocks.filter(({ line }) => begin >= 0 && line > begin && line < end);
  if (found.length === 0) throw new Error(`${GUIDE} has no code in a section "${title}"`);
  return found;
}

/** Blocks of an example with a page and a project of its own. */
export const sessionRecovery = blocksOf('docs/session-recovery.md').filter(({ file }) => file);

/** Blocks of another such example. */
export const objectToObject = blocksOf('docs/object-to-object.md').filter(({ file }) => file);

/** Blocks for a project to which `--add` has added the runtime. */
export const addition = blocksOf('docs/add.md').filter(({ file }) => file);

/** Blocks of the pages that answer one question each. */
export const recipes = guides
  .filter((path) => path.startsWith('docs/guides/') || path === `${PAGES}testing.md`)
  .flatMap(blocksOf)
  .filter(({ file }) => file);

/** Blocks of the package's pages: objects in `src/`, and programs that call them. */
export const features = guides
  .filter((path) => path.startsWith(PAGES) && !recipes.some(({ guide }) => guide === path))
  .flatMap(blocksOf)
  .filter(({ file }) => file);

/** Blocks of the recipe that makes a project authenticate callers. */
export const cookie = recipes.filter(({ guide }) => guide.includes('cookie'));

/** Whether a block is for a project with React or Svelte, not for a scaffolded one. */
const isForFramework = ({ file = '' }) => /\.(tsx|svelte)$/.test(file);

/**
 * Follows the sections with a new method, another Durable Object, another page, a live value on the first page,
 * and the files for callers: programs beside `src/`, an interface, and permission for a page of another origin.
 *
 * @param {string} project
 * @param {{ origin: string }} [page]
 */
export function addToProject(project, { origin } = { origin: 'http://localhost:5173' }) {
  for (const title of FOLLOWED.filter((followed) => followed !== 'Authenticate callers')) {
    for (const block of sectionOf(title)) {
      if (!block.file || block.file.startsWith('other/') || isForFramework(block)) continue;
      applyWithTests(
        { ...block, text: block.text.replace('http://localhost:5173', origin) },
        project,
      );
    }
  }
  rewrite(join(project, 'src/counter.ts'), [
    [/ extends DurableObject<Env>/, '$& implements CounterApi'],
    [/^import .*lumenizeRpcDO.*\n/m, "import type { CounterApi } from './counter-api.ts';\n$&"],
  ]);
}

/**
 * Follows all recipes. Of the recipe that makes the project refuse callers without a login, it adds only the files.
 *
 * @param {string} project
 */
export function addRecipes(project) {
  for (const block of recipes) {
    const changesRouting = cookie.includes(block) && block.place;
    if (!changesRouting && !isForFramework(block)) applyWithTests(block, project);
  }
  // The recipe about cookies uses this setting, which no file of the repository contains.
  write(join(project, '.dev.vars'), `COOKIE_SECRET=${crypto.randomUUID()}\n`);
}

/**
 * Inserts a block also into the configuration of the tests, as the guides say.
 *
 * @param {Block} block
 * @param {string} project
 */
export function applyWithTests(block, project) {
  apply(block, project);
  if (block.file === 'wrangler.jsonc') apply({ ...block, file: 'test/wrangler.jsonc' }, project);
}

const asking = sectionOf('Authenticate callers');
for (const block of asking) block.text = block.text.replaceAll('secret-of-ada', TOKEN);
const isOfClients = ({ place = '' }) => place.includes('client');

/** Blocks that make the Worker authenticate callers. */
export const forServer = asking.filter((block) => block.file && !isOfClients(block));
/** Blocks with which the project's own clients then send credentials. */
export const forClients = asking.filter((block) => block.file && isOfClients(block));
/** Options with which other clients send credentials, by transport. */
export const tokenOptions = asking
  .filter(({ file, language }) => !file && language === 'ts')
  .flatMap(({ text }) =>
    Array.from(text.matchAll(/'mine', (\{[\s\S]*?\})\);/g), ([, options]) =>
      Function(`return (${options});`)(),
    ),
  );

/**
 * @param {string} path
 * @param {[RegExp, string][]} changes
 */
export function rewrite(path, changes) {
  const text = readFileSync(path, 'utf8');
  write(
    path,
    changes.reduce((changed, change) => changed.replace(...change), text),
  );
}
