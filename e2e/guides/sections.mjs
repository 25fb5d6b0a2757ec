/** The sections of the template's guide whose blocks are put into a project, as a reader does it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '../outside.mjs';
import { apply, blocksOf } from './blocks.mjs';
import { GUIDE, guides, write } from './project.mjs';

/** @typedef {import('./blocks.mjs').Block} Block */

const source = readFileSync(join(REPOSITORY, GUIDE), 'utf8');
const blocks = blocksOf(GUIDE);

/** What a JWT looks like; the guide's token is replaced by it. */
const TOKEN = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJBZGEifQ.c2ln_bmF0dXJl-x';

/** All that have a block with a place. */
export const FOLLOWED = [
  'Add a method',
  'Add a Durable Object',
  'Live values and feeds',
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

/** Of an example that is a page of its own, put into a project of its own. */
export const sessionRecovery = blocksOf('docs/session-recovery.md').filter(({ file }) => file);

/** Likewise. */
export const objectToObject = blocksOf('docs/object-to-object.md').filter(({ file }) => file);

/** Of the pages that answer one question each. */
export const recipes = guides
  .filter((path) => path.startsWith('docs/guides/'))
  .flatMap(blocksOf)
  .filter(({ file }) => file);

/** The one that makes a project ask who is calling. */
export const cookie = recipes.filter(({ guide }) => guide.includes('cookie'));

/** For a project with React or Svelte; every other block is for one that was scaffolded. */
const isForFramework = ({ file = '' }) => /\.(tsx|svelte)$/.test(file);

/**
 * A further method, another Durable Object, a script that shows a live value, and what callers are
 * given: programs beside `src/`, an interface, and leave for a page of another origin.
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
 * All recipes, but the one after which the project would refuse who has not logged in: of that the files alone.
 *
 * @param {string} project
 */
export function addRecipes(project) {
  for (const block of recipes) {
    const changesRouting = cookie.includes(block) && block.place;
    if (!changesRouting && !isForFramework(block)) applyWithTests(block, project);
  }
  // What the recipe of the cookie has in no file of the repository.
  write(join(project, '.dev.vars'), `COOKIE_SECRET=${crypto.randomUUID()}\n`);
}

/**
 * In the configuration of the tests too, as the guides say.
 *
 * @param {Block} block
 * @param {string} project
 */
function applyWithTests(block, project) {
  apply(block, project);
  if (block.file === 'wrangler.jsonc') apply({ ...block, file: 'test/wrangler.jsonc' }, project);
}

const asking = sectionOf('Authenticate callers');
for (const block of asking) block.text = block.text.replaceAll('secret-of-ada', TOKEN);
const isOfClients = ({ place = '' }) => place.includes('client');

/** What makes the Worker ask who is calling. */
export const forServer = asking.filter((block) => block.file && !isOfClients(block));
/** What its own clients bring from then on. */
export const forClients = asking.filter((block) => block.file && isOfClients(block));
/** The options with which others bring it, by transport. */
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
