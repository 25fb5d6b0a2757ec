/** Inserts the blocks of sections of the guides into a project, as a reader does. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '../setup/outside.mjs';
import { apply, blocksOf, GUIDE, GUIDES, guides, PAGES } from './blocks.mjs';
import { write } from '../setup/projects.mjs';

/** @typedef {import('./blocks.mjs').Block} Block */

/** A text with the form of a JWT, which replaces the guide's token. */
const TOKEN = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJBZGEifQ.c2ln_bmF0dXJl-x';

/** The page that explains how to name the callers. */
export const AUTHENTICATION = `${PAGES}authentication.md`;

/** The pages of sections that the template's guide does not have. @type {Record<string, string>} */
const PAGE_OF = {
  'With a token': AUTHENTICATION,
  'With a cookie': AUTHENTICATION,
  'Another Worker': `${PAGES}transports.md`,
  'A page of another project (CORS)': `${GUIDES}frameworks.md`,
};

/** All sections with a block that has a place. */
export const FOLLOWED = [
  'Add a method',
  'Add a Durable Object',
  'Call your object',
  'With a token',
  'A page of another project (CORS)',
];

/**
 * @param {string} title
 * @returns {Block[]}
 */
export function sectionOf(title) {
  const page = PAGE_OF[title] ?? GUIDE;
  const { begin, end } = linesOf(title, page);
  const found = blocksOf(page).filter(({ line }) => line > begin && line < end);
  if (found.length === 0) throw new Error(`${page} has no code in a section "${title}"`);
  return found;
}

/**
 * @param {string} title
 * @param {string} page
 * @returns the text of a section, and its position
 */
function linesOf(title, page) {
  const lines = readFileSync(join(REPOSITORY, page), 'utf8').split('\n');
  const begin = lines.indexOf(`## ${title}`);
  if (begin === -1) throw new Error(`${page} has no section "${title}"`);
  const next = lines.findIndex((line, index) => index > begin && line.startsWith('## '));
  const end = next === -1 ? lines.length : next;
  return { begin, end, text: lines.slice(begin, end).join('\n') };
}

/** @param {string[]} pages */
const filesOf = (...pages) => pages.flatMap(blocksOf).filter(({ file }) => file);

/** The program of the README for a new project. */
export const first = filesOf('README.md');

/** Blocks of an example with a project of its own. */
export const objectToObject = filesOf(`${GUIDES}object-to-object.md`);

/** Blocks for a project to which `--add` has added the runtime. */
export const addition = filesOf(`${GUIDES}add-to-a-worker.md`);

/** Blocks that make a project authenticate callers by a cookie. The hooks are the hooks for a token. */
export const cookie = sectionOf('With a cookie').filter(({ file }) => file);

/** Blocks of the guides that change one project. */
export const recipes = [
  ...filesOf(
    ...['changes-and-deploys', 'observe-and-debug', 'queues-and-crons', 'testing', 'tracing'].map(
      (name) => `${GUIDES}${name}.md`,
    ),
  ),
  ...cookie,
];

/** Blocks of pages about other programs. Each page has a project of its own: `answers.slow.test.mjs`. */
export const answers = Object.fromEntries(
  ['better-auth', 'large-files', 'leaving', 'playwright', 'sentry'].map((name) => [
    name,
    filesOf(`${GUIDES}${name}.md`),
  ]),
);

/** The page on OpenAPI, which has a project of its own: `openapi.slow.test.mjs`. */
export const OPENAPI = `${PAGES}openapi.md`;
export const openapi = filesOf(OPENAPI);

/** The page on server-sent events, which has a project of its own: `server-sent-events.slow.test.mjs`. */
export const EVENTS = `${PAGES}server-sent-events.md`;
export const serverSentEvents = filesOf(EVENTS);

/** The pages on plain HTTP, which have a project of their own: `http.slow.test.mjs`. */
export const HTTP = `${PAGES}http.md`;
export const http = filesOf(HTTP, `${GUIDES}other-languages.md`);

const inSections = new Set(FOLLOWED.flatMap(sectionOf).map(({ guide, line }) => guide + line));

/** Blocks of the package's pages: objects in `src/`, and programs that call them. */
export const features = filesOf(...guides.filter((path) => path.startsWith(PAGES))).filter(
  ({ guide, line }) =>
    !inSections.has(guide + line) &&
    ![
      ...recipes,
      ...objectToObject,
      ...addition,
      ...openapi,
      ...serverSentEvents,
      ...http,
      ...Object.values(answers).flat(),
    ].some((block) => block.guide === guide),
);

/** Returns true if a block is for a project with a framework, and not for a scaffolded project. */
const isForFramework = ({ file = '' }) => /\.(tsx|svelte|vue)$/.test(file);

/**
 * Follows the sections with a new method, another Durable Object, a page with a live value, and the files for other
 * callers: programs beside `src/`, an interface, and permission for a page of another origin.
 *
 * @param {string} project
 * @param {{ origin: string }} [page]
 */
export function addToProject(project, { origin } = { origin: 'http://localhost:5173' }) {
  for (const title of FOLLOWED.filter((followed) => followed !== 'With a token')) {
    for (const block of sectionOf(title)) {
      if (!block.file || block.file.startsWith('other/') || isForFramework(block)) continue;
      apply({ ...block, text: block.text.replace('http://localhost:5173', origin) }, project);
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
    if (!changesRouting && !isForFramework(block)) apply(block, project);
  }
  // The recipe about cookies uses this setting, which no file of the repository contains.
  write(join(project, '.dev.vars'), `COOKIE_SECRET=${crypto.randomUUID()}\n`);
}

const AUTHENTICATE = 'With a token';
const asking = sectionOf(AUTHENTICATE);
for (const block of asking) block.text = block.text.replaceAll('secret-of-ada', TOKEN);

/** The block that gives the router its hooks. */
export const hooks = asking.filter(({ place = '' }) => place.includes('routeDORequest'));
/** Blocks that make the Worker authenticate callers. */
export const forServer = asking.filter(({ file }) => file);
/** The credentials that the clients of the template's page then send. @type {Block} */
export const forClients = {
  guide: AUTHENTICATION,
  line: 0,
  language: 'ts',
  file: 'src/page/app.ts',
  place: 'in the options of each client',
  text: `protocols: ['token.${TOKEN}'],\n`,
};
/** Options with which other clients send credentials, over a WebSocket and over HTTP. */
export const tokenOptions = [
  { ...option(/protocols: \[.*?\]/) },
  { ...option(/headers: \{.*?\}/), transport: 'http' },
];

/** @param {RegExp} pattern - the pattern of an option in the section on authentication */
function option(pattern) {
  const [text] = pattern.exec(linesOf(AUTHENTICATE, AUTHENTICATION).text) ?? ['missing'];
  return Function(`return ({ ${text.replace('secret-of-ada', TOKEN)} });`)();
}

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
