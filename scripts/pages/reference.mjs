/**
 * The reference of all options and error codes, from their doc comments: of each the first sentence, the default and the
 * unit.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { API } from 'typescript/unstable/sync';
import { markdownTable } from './markdown.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGE = 'runtime/docs/reference.md';
const RUNTIME = join(ROOT, 'runtime/src');
/** The file that declares interfaces that those of other files extend. */
const BASES = ['client/options.ts', 'server/contract/entries.ts'];

/**
 * @typedef {object} Part
 * @property {string} title - in Markdown
 * @property {string} file - in the runtime's folder
 * @property {string} [type] - the interface that declares the options
 * @property {Record<string, { file: string, type: string }>} [within] - the interfaces of options that have options
 * @property {string} [function] - in its place: a function without options
 * @property {boolean} [isDescribed] - whether the page has what the doc comment of the interface says
 */

/** @type {{ title: string, example: string, parts: Part[] }[]} */
const SECTIONS = [
  {
    title: 'Client',
    example: `const counter = createRpcClient<Counter>('COUNTER', 'my-counter', { timeout: 5_000 });
await withOptions(counter, { timeout: 500 }).increment();`,
    parts: [
      {
        title: 'Options of `createRpcClient`',
        file: 'client/proxy.ts',
        type: 'RpcClientOptions',
        within: { reconnect: { file: 'client/options.ts', type: 'ReconnectOptions' } },
      },
      { title: 'Detail of `onStateChange`', file: 'client/options.ts', type: 'StateDetail' },
      { title: 'Options of `withOptions`', file: 'client/options.ts', type: 'CallOptions' },
      {
        title: 'Options of `subscribe`',
        file: 'features/subscriptions/client.ts',
        type: 'SubscribeOptions',
      },
      {
        title: 'Options of `bindingTransport`; of `servePort` only `caller`',
        file: 'features/binding/client.ts',
        type: 'BindingOptions',
      },
      { title: '`delivery`', file: 'features/binding/client.ts', type: 'Delivery' },
    ],
  },
  {
    title: 'Object and Worker',
    example: `export const Counter = lumenizeRpcDO(
  CounterImpl,
  { increment: [Type.Optional(Type.Integer())], getValue: read() },
  { journalAge: 600_000, limits: { callsPerSecond: 100 } },
);`,
    parts: [
      {
        title: 'Entry of a contract',
        file: 'server/contract/entries.ts',
        type: 'LongEntry',
      },
      {
        title: 'Options of `stream`; of `live`, `events` and `rows` only `returns`',
        file: 'features/streams/entries.ts',
        type: 'StreamEntryOptions',
      },
      {
        title: 'Options of `lumenizeRpcDO` and `compileContract`',
        file: 'server/contract/options.ts',
        type: 'ContractOptions',
      },
      { title: '`limits`', file: 'server/base/limits.ts', type: 'Limits', isDescribed: true },
      { title: 'Report of `onCall`', file: 'server/calls/call-reports.ts', type: 'CallReport' },
      { title: 'Options of `feed`', file: 'features/feeds/feed.ts', type: 'FeedOptions' },
      { title: 'Options of `relay`', file: 'features/relay/relay.ts', type: 'RelayOptions' },
      {
        title: 'Options of `routeDORequest`',
        file: 'server/routing/router.ts',
        type: 'RouteOptions',
        within: { cors: { file: 'server/routing/cors.ts', type: 'CorsOptions' } },
      },
      { title: '`migrate`', file: 'server/migrate.ts', function: 'migrate' },
    ],
  },
];

/** @typedef {{ name: string, text: string }} Documented */

/**
 * @param {(file: string) => any} sourceOf
 * @returns {string} the page, which the formatter does not change
 */
function pageOf(sourceOf) {
  const sections = SECTIONS.map(({ title, example, parts }) => {
    const texts = parts.map((part) => (part.function ? functionText : partText)(part, sourceOf));
    return [`## ${title}`, `\`\`\`ts\n${example}\n\`\`\``, ...texts].join('\n\n');
  });
  sections.push(namesText(sourceOf));
  return `${INTRODUCTION}\n\n${sections.join('\n\n')}\n\n${errorsText(sourceOf)}\n`;
}

const INTRODUCTION = `# Reference

All options of the public functions, and all error codes. An editor shows the types, and more about each.`;

/**
 * @param {Part} part
 * @param {(file: string) => any} sourceOf
 */
function partText({ title, file, type = '', isDescribed, within = {} }, sourceOf) {
  const source = sourceOf(file);
  const rows = membersOf(type, source, sourceOf).flatMap((member) => {
    const inner = within[member.name];
    const members = inner ? membersOf(inner.type, sourceOf(inner.file), sourceOf) : [];
    const named = members.map(({ name, text }) => ({ name: `${member.name}.${name}`, text }));
    return [member, ...named].map(optionOf);
  });
  const hasDefaults = rows.some((row) => row.default);
  const head = ['name', hasDefaults && 'default', 'what it is'];
  const body = rows.map((row) => [code(row.name), hasDefaults && row.default, row.text]);
  const table = [head, ...body].map((row) => row.filter((cell) => cell !== false).map(cellText));
  const description = isDescribed && docOf(declarationOf(type, source), source).text;
  return [`### ${title}`, description, markdownTable(table)].filter(Boolean).join('\n\n');
}

/**
 * @param {Part} part
 * @param {(file: string) => any} sourceOf
 */
function functionText({ title, file, function: name = '' }, sourceOf) {
  const source = sourceOf(file);
  const { comment, text } = docOf(declarationOf(name, source), source);
  const [, thrown] = comment.replaceAll(/\n\s*\*\/?/g, '').split(' @throws ');
  if (!thrown) throw new Error(`The doc comment of ${name} has no @throws`);
  return `### ${title}\n\n${text} Throws ${thrown.replace(/ @[a-z][^]*/, '').trim()}.`;
}

/**
 * The names that no method can have.
 *
 * @param {(file: string) => any} sourceOf
 */
function namesText(sourceOf) {
  const source = sourceOf('server/contract/entries.ts');
  const lists = source.text.matchAll(/^export const \w+_NAMES =\s+'([^']+)'/gm);
  const names = Array.from(lists, ([, list]) => list.split(' ').map(code)).flat();
  if (names.length === 0)
    throw new Error('entries.ts has no names: see scripts/pages/reference.mjs');
  return `### Names that a method cannot have

The runtime calls these, or they have another meaning on a client, a promise or any object:

${names.join(', ')}, \`constructor\`, \`toString\` and the like.`;
}

/**
 * The properties of an interface, after those of the interfaces that it extends.
 *
 * @param {string} name
 * @param {any} source
 * @param {(file: string) => any} sourceOf
 * @returns {Documented[]}
 */
function membersOf(name, source, sourceOf) {
  const declaration = declarationOf(name, source);
  const bases = Array.from(declaration.heritageClauses ?? [], ({ types }) =>
    Array.from(types),
  ).flat();
  const inherited = bases.flatMap(({ expression }) => {
    const base = expression.getText(source);
    const sources = [source, ...BASES.map(sourceOf)];
    return membersOf(base, sources.find((one) => declares(base, one)) ?? source, sourceOf);
  });
  const own = Array.from(declaration.members, (member) => {
    const { comment, text } = docOf(member, source);
    if (!comment) throw new Error(`${name}.${member.name.getText(source)} has no doc comment`);
    return { name: member.name.getText(source), text };
  });
  return [...inherited, ...own];
}

/**
 * @param {string} name - of an interface or a type
 * @param {any} source
 */
function declarationOf(name, source) {
  const found = declares(name, source);
  if (!found)
    throw new Error(`${source.fileName} declares no ${name}: see scripts/pages/reference.mjs`);
  return found;
}

/**
 * @param {string} name
 * @param {any} source
 */
function declares(name, source) {
  return Array.from(source.statements).find((statement) => statement.name?.text === name);
}

/**
 * The text of a doc comment, up to its first tag.
 *
 * @param {any} node
 * @param {any} source
 */
function docOf(node, source) {
  const comment = node.jsDoc?.at(-1)?.getText(source) ?? '';
  return { comment, text: proseOf(comment) };
}

/** @param {string} comment */
function proseOf(comment) {
  const lines = comment.replaceAll(/^\/\*\*|\*\/$/g, '').split('\n');
  const text = lines.map((line) => line.replace(/^\s*\* ?/, '').trim());
  const end = text.findIndex((line) => line.startsWith('@'));
  return text
    .slice(0, end === -1 ? undefined : end)
    .filter(Boolean)
    .join(' ')
    .trim();
}

/**
 * Separates the default from the text of an option, of which the first sentence stays. The unit of a default is beside
 * it.
 *
 * @param {Documented} documented
 */
function optionOf({ name, text }) {
  const [found = '', value = ''] = /(?:^| )Default:? (.*?)\.(?= [A-Z]|$)/.exec(text) ?? [];
  const sentence = firstSentence(text.replace(found, '').trim());
  const [unit = ''] = /,? in milliseconds(?=,? )|,? in milliseconds/.exec(sentence) ?? [];
  if (!unit || !/^\d/.test(value)) return { name, default: value, text: sentence };
  return { name, default: `${value} ms`, text: sentence.replace(unit, '') };
}

/** @param {string} text */
function firstSentence(text) {
  return /^.*?\.(?= [A-Z`]|$)/.exec(text)?.[0] ?? text;
}

const CODE = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*\| '(\w+)'/g;

/** The three parts of an error code's comment. */
const FACTS = /^(.*?) Retry: (.*?) Executed: (.*)$/;

/** @param {(file: string) => any} sourceOf */
function errorsText(sourceOf) {
  const source = sourceOf('wire/errors.ts');
  const all = declarationOf('RpcErrorCode', source).getText(source);
  const rows = Array.from(all.matchAll(CODE), ([, comment = '', name = '']) => {
    const facts = FACTS.exec(proseOf(comment));
    if (!facts) throw new Error(`${name} does not say when, whether to retry and what has run`);
    const [when = '', ...others] = facts.slice(1);
    const cells = [firstSentence(when), ...others].map((fact) => fact.replace(/\.$/, ''));
    return [code(name), ...cells.map(cellText)];
  });
  if (rows.length !== all.match(/^\s*\| '/gm)?.length) throw new Error('A code has no doc comment');
  const details = membersOf('RpcErrorDetails', source, sourceOf).map(({ name, text }) =>
    [code(name), text].map(cellText),
  );
  return `## Errors

\`\`\`ts
try {
  await counter.increment(-1);
} catch (error) {
  if (error instanceof RpcError && error.code === 'INVALID_ARGUMENTS') show(error.path);
}
\`\`\`

A call rejects with what its method threw, or with an \`RpcError\`.

### Codes

"May have run" is about the method; where it says \`maybeExecuted\`, read that property of the error. "If not run" means
if that property is false, or the method is a \`read\`.

${markdownTable([['code', 'when', 'call again?', 'may have run'], ...rows])}

### Properties

${markdownTable([['name', 'what it is'], ...details])}`;
}

/** @param {string} text */
function code(text) {
  return `\`${text}\``;
}

/** @param {string | false | undefined} text */
function cellText(text) {
  return (text || '').replaceAll('|', String.raw`\|`);
}

/**
 * @param {import('./pages.mjs').Pages} pages
 * @returns {string} what it says about them
 */
export function writeReference(pages) {
  const api = new API({ cwd: ROOT });
  try {
    const config = join(ROOT, 'runtime/tsconfig.json');
    const [project] = api.updateSnapshot({ openProject: config }).getProjects();
    pages.set(
      PAGE,
      pageOf((file) => {
        const source = project?.program.getSourceFile(join(RUNTIME, file));
        if (!source) throw new Error(`There is no ${file}: see scripts/pages/reference.mjs`);
        return source;
      }),
    );
  } finally {
    api.close();
  }
  return `${PAGE} is what the doc comments say`;
}
