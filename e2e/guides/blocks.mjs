/**
 * Reads the guides and their code blocks. A block belongs to a file if its first line is a comment that names the file.
 * With the name alone, the block is the whole file. After a comma, the comment names the place in an existing file.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { filesOfGit, REPOSITORY } from '../setup/outside.mjs';

/** The guide of the template. */
export const GUIDE = 'template/README.md';

/** The folder of the package's pages. */
export const PAGES = 'runtime/docs/';

/** The folder of the package's pages about a task. */
export const GUIDES = `${PAGES}guides/`;

/** All guides, by path relative to the repository's root. */
export const guides = filesOfGit('.').filter(
  (path) => path.endsWith('.md') && path !== 'CHANGELOG.md' && !path.includes('/vendor/'),
);

/**
 * @typedef {object} Block
 * @property {string} guide
 * @property {number} line - the number of its first line
 * @property {string} language
 * @property {string} text - the text without the comment that names its place
 * @property {string} [file]
 * @property {string} [place]
 */

const BLOCK = /^```(\w*)\n([\s\S]*?)^```$/gm;
const HEADER = /^(?:\/\/|#|<!--) ([\w./-]+\.\w+)(?: of the (other) Worker)?(?:, (.+?))?(?: -->)?\n/;

/**
 * @param {string} guide - path from the repository's root
 * @returns {Block[]}
 */
export function blocksOf(guide) {
  const source = readFileSync(join(REPOSITORY, guide), 'utf8');
  return Array.from(source.matchAll(BLOCK), ({ 1: language = '', 2: text = '', index }) => {
    const line = source.slice(0, index).split('\n').length;
    const [header = '', file, other, place] = HEADER.exec(text) ?? [];
    return {
      guide,
      line,
      language,
      text: text.slice(header.length),
      file: other && file ? `${other}/${file}` : file,
      place,
    };
  });
}

/**
 * Places in files: the text before the insertion, and the text after it.
 *
 * @type {Record<string, RegExp>}
 */
const PLACES = {
  'in the class': /(^export class [\s\S]*?)(^\})/m,
  'before the imports': /()(^import )/m,
  'in the contract': /(lumenizeRpcDO\([\s\S]*?)(^\}\);)/m,
  'after the contract': /(lumenizeRpcDO\([\s\S]*?^\})()(?=\);)/m,
  'before the routing': /(async fetch\(request, env\) \{)()/,
  'in the options of routeDORequest': /(routeDORequest\(request, env, \{[\s\S]*?)( \})/,
  'in the options of each client': /(createRpcClient<\w+>\([^{]*\{)()/g,
  'in the list of bindings': /(bindings(?: =|:) \[[^\]]*)(\])/,
  'before the exports': /()(^export \{)/m,
  'after the exports': /(^export \{.*\n)()/m,
  'in the default export': /(^export default \{[\s\S]*?)(^\} satisfies)/m,
  'at the end': /([\s\S]*)()$/,
  'in the configuration': /([\s\S]*)(\n\})/,
  'in "compatibility_flags"': /("compatibility_flags": \[[^\]]*)(\])/,
  'in "bindings"': /("bindings": \[[^\]]*\},?)(\s*\])/,
  'in "exports"': /("exports": \{[\s\S]*?\},?)(\s*\},?\s*\n)/,
};

/**
 * Inserts a block that names a file, as a reader does.
 *
 * @param {Block} block
 * @param {string} project
 */
export function apply({ file = '', place, text }, project) {
  const path = join(project, file);
  mkdirSync(dirname(path), { recursive: true });
  if (!place) return writeFileSync(path, text);
  return insert(file, place, text, project);
}

/**
 * @param {string} file
 * @param {string} place - one of `PLACES`
 * @param {string} text
 * @param {string} project
 */
function insert(file, place, text, project) {
  const path = join(project, file);
  const source = readFileSync(path, 'utf8');
  const anchor = PLACES[place];
  if (!anchor) throw new Error(`There is no rule for the place "${place}"`);
  const changed = source.replace(anchor, (_, before, after) => {
    const isAmongItems = /[^,\s{(]$/.test(before);
    return `${before}${isAmongItems ? ',' : ''}\n${text}${after}`;
  });
  if (changed === source) throw new Error(`${file} has no place "${place}"`);
  writeFileSync(path, changed);
}

/**
 * Adds what the pages leave out, because it is similar for each object: its export, its binding, permission for
 * clients, and its class in the configuration.
 *
 * @param {string} project
 * @param {string} name - the name of its class; the binding has it in capitals
 * @param {string} module - the module that exports the class
 */
export function addObject(project, name, module) {
  const binding = name.toUpperCase();
  const declaration = `"${name}": { "type": "durable-object", "storage": "sqlite" }`;
  /** @type {[file: string, place: string, text: string][]} */
  const edits = [
    ['src/index.ts', 'after the exports', `export { ${name} } from '${module}';\n`],
    ['src/index.ts', 'in the list of bindings', `'${binding}',\n`],
    ['wrangler.jsonc', 'in "bindings"', JSON.stringify({ name: binding, class_name: name })],
    ['wrangler.jsonc', 'in "exports"', declaration],
  ];
  for (const [file, place, text] of edits) insert(file, place, text, project);
}

/** Names that a fragment may use without an import or a declaration. */
const KNOWN = {
  openApi: "import { openApi } from 'lumenize-rpc/http';",
  ServedOpenApi: "import type { ServedOpenApi } from 'lumenize-rpc/http';",
  DurableObject: "import { DurableObject } from 'cloudflare:workers';",
  Type: "import * as Type from 'lumenize-rpc/typebox';",
  lumenizeRpcDO: "import { lumenizeRpcDO } from 'lumenize-rpc/server';",
  routeDORequest: "import { routeDORequest } from 'lumenize-rpc/server';",
  capability: "import { capability } from 'lumenize-rpc/server';",
  read: "import { read } from 'lumenize-rpc/server';",
  live: "import { live } from 'lumenize-rpc/server';",
  internal: "import { internal } from 'lumenize-rpc/server';",
  SessionImpl:
    'declare class SessionImpl { constructor(bank: object, user: string); balance(): number }',
  subscribe: "import { subscribe } from 'lumenize-rpc/client';",
  createRpcClient: "import { createRpcClient } from 'lumenize-rpc/client';",
  Counter: "import type { Counter } from './counter.ts';",
  CounterImpl: "import { CounterImpl } from './counter.ts';",
  authenticate: "declare const authenticate: import('lumenize-rpc/server').Hook;",
  currentToken: 'declare function currentToken(): Promise<string>;',
  contract: 'const contract = { reset: [] } as const;',
  useRpcClient: "import { useRpcClient } from 'lumenize-rpc/react';",
  withOptions: "import { withOptions } from 'lumenize-rpc/client';",
  RpcError: "import { RpcError } from 'lumenize-rpc/client';",
  counter:
    "declare const counter: import('lumenize-rpc/client').RpcClient<import('./counter.ts').Counter>;",
  relays: 'declare const relays: DurableObjectNamespace;',
  connectTo:
    "declare function connectTo(env: object): NonNullable<import('lumenize-rpc/server').RouteOptions['connectTo']>;",
  location: 'declare const location: { reload(): void };',
  Topic: "import type { Topic } from './topic.ts';",
  Stock: "import type { Stock } from './stock.ts';",
  paper: "declare const paper: import('lumenize-rpc/client').RpcClient<import('./news.ts').News>;",
  queryClient: "declare const queryClient: import('@tanstack/query-core').QueryClient;",
  token: 'declare const token: string;',
  Table: 'declare class Table { load(csv: string, onProgress: (percent: number) => void): number }',
  Files:
    'declare class Files { upload(name: string, lines: AsyncIterable<string>): Promise<number>; store(name: string, bytes: ArrayBuffer): void }',
  table:
    "declare const table: import('lumenize-rpc/client').RpcClient<{ rows(kind: string): Iterable<object> }>;",
  files:
    "declare const files: import('lumenize-rpc/client').RpcClient<{ upload(name: string, chunks: AsyncIterable<Uint8Array>): Promise<number> }>;",
  News: "declare class News { news(): import('lumenize-rpc/server').Feed<string> }",
  Notes: 'declare class Notes { add(text: string): string; list(): string[] }',
  file: 'declare const file: Blob;',
  localStorage: 'declare const localStorage: { cursor?: string | undefined; session: string };',
  answers:
    "declare const answers: import('lumenize-rpc/client').RpcClient<{ answer(question: string): AsyncIterable<string> }>;",
  hall: "declare const hall: import('lumenize-rpc/client').RpcClient<{ seats(row: number): Iterable<{ place: string }> }>;",
  print: 'declare function print(printed: unknown): void;',
  show: 'declare function show(...shown: unknown[]): void;',
  app: 'declare const app: { all(path: string, handle: (c: { req: { raw: Request }; env: Env; notFound(): Response }) => unknown): void };',
  env: 'declare const env: Env;',
  request: 'declare const request: Request;',
  baseUrl: 'declare const baseUrl: string;',
};

const IMPORT = /^import .*\n+/gm;

/**
 * A module in `src/` in which a fragment compiles: with the imports that the fragment omits, and in a method
 * unless the fragment exports something.
 *
 * @param {Block} block
 * @returns {string}
 */
export function moduleOf({ text }) {
  const declares = (/** @type {string} */ name) =>
    new RegExp(`(class|const|using|type|function|^import .*) ${name}\\b`, 'm').test(text);
  const needed = Object.entries(KNOWN).filter(
    ([name]) => new RegExp(`\\b${name}\\b`).test(text) && !declares(name),
  );
  const head = [...needed.map(([, line]) => line), ...(text.match(IMPORT) ?? [])].join('\n');
  const body = text.replaceAll(IMPORT, '');
  if (/^export /m.test(body)) return `${head}\n${body}`;
  const method = `async method(this: { ctx: DurableObjectState }) {\n${body}\n}`;
  return `${head}\nexport const fragment = { ${method} };\n`;
}
