/**
 * Writes the reference of all options and error codes from their doc comments. It has the first sentence, the default and
 * the unit of each option.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { API } from 'typescript/unstable/sync';
import { HTTP_STATUS } from '../../runtime/src/wire/status.ts';
import { markdownTable } from './markdown.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGE = 'runtime/docs/reference.md';
const RUNTIME = join(ROOT, 'runtime/src');
/** The folders of the code that users import. */
const DOCUMENTED = '{client,features,http,server,tanstack,wire}/**/*.ts';

/**
 * @typedef {object} Part
 * @property {string} title - in Markdown
 * @property {string} [type] - the interface that declares the options; it is found in any file
 * @property {Record<string, string>} [within] - the interfaces of options that have options
 * @property {Record<string, string>} [ends] - the interfaces of the two ends, in place of `type`. A column names the end
 *   that has a property.
 * @property {string} [without] - the interface that `type` extends, whose options are in another part
 * @property {string} [function] - a function without options, in place of `type`
 * @property {boolean} [isDescribed] - true if the page gets the doc comment of the interface
 * @property {string} [note] - a sentence before the table, in Markdown
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
        type: 'RpcClientOptions',
        within: { reconnect: 'ReconnectOptions' },
      },
      { title: 'Detail of `onStateChange`', type: 'ConnectionDetails' },
      { title: 'Options of `withOptions`', type: 'CallOptions' },
      {
        title: 'Options of `subscribe`',
        type: 'SubscribeOptions',
      },
      { title: 'Options of `useLive` and `liveStore`', type: 'LiveOptions' },
      { title: 'Options of `feedOptions`', type: 'ReducedFeedQueryOptions' },
      {
        title: 'Options of `bindingTransport` and `servePort`',
        type: 'BindingOptions',
        note: '`servePort` has only the option `caller`.',
      },
      { title: '`delivery`', type: 'DeliveryOptions' },
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
        type: 'LongEntry',
      },
      {
        title: 'Options of `read`, `volatile`, `live`, `events`, `rows` and `stream`',
        type: 'StreamEntryOptions',
        note: 'Only `stream` has the option `readonly`.',
      },
      {
        title: 'A further option of `live`',
        type: 'LiveEntryOptions',
        without: 'MethodOptions',
      },
      {
        title: 'Options of `lumenizeRpcDO` and `compileContract`',
        type: 'ContractOptions',
      },
      { title: '`limits`', type: 'Limits', isDescribed: true },
      {
        title: 'Report of `reportCalls`, of an object and of a client',
        ends: { object: 'CallReport', client: 'ClientCallReport' },
      },
      { title: 'Options of `reportCalls`', type: 'CallReportOptions' },
      { title: 'Options of `debugOnDemand`', type: 'DebugOnDemandOptions' },
      { title: 'Options of `debugFor`', type: 'DebugForOptions' },
      { title: 'Report of `inspect`', type: 'ObjectReport' },
      { title: 'Options of `feed`', type: 'FeedOptions' },
      { title: 'Options of `read` of a feed', type: 'FeedReadOptions' },
      { title: 'Options of `relay`', type: 'RelayOptions' },
      {
        title: 'Options of `routeDORequest`',
        type: 'RouteOptions',
        within: { cors: 'CorsOptions' },
      },
      {
        title: 'Options of `routeHttpRequest`',
        type: 'HttpOptions',
        note: '`routeHttpRequest` also has the options of `routeDORequest`.',
        without: 'RouteOptions',
      },
      {
        title: 'Options of `openApi` and `openapi`',
        type: 'OpenApiSettings',
        note: '`openApi` also has the option `prefix`.',
      },
      { title: '`migrate`', function: 'migrate' },
    ],
  },
];

/** @typedef {{ name: string, text: string }} Documented */
/** @typedef {{ declaration: any, source: any }} Declared */

/** The sources of the runtime, in which a declaration is found by its name. */
class Sources {
  #program;
  /** @type {Map<string, string>} */
  #texts;

  /** @param {any} program */
  constructor(program) {
    this.#program = program;
    const files = globSync(DOCUMENTED, { cwd: RUNTIME }).map((file) => join(RUNTIME, file));
    this.#texts = new Map(files.toSorted().map((file) => [file, readFileSync(file, 'utf8')]));
  }

  /**
   * @param {string} name - the name of an interface, a type or a function that is declared once
   * @returns {Declared}
   */
  find(name) {
    const pattern = new RegExp(`^(?:export )?(?:interface|type|function) ${name}\\b`, 'm');
    const files = [...this.#texts].flatMap(([file, text]) => (pattern.test(text) ? [file] : []));
    const [file] = files;
    if (!file || files.length > 1) {
      throw new Error(
        `${files.length} files declare ${name}: ${files.join(', ')}. See scripts/pages/reference.mjs`,
      );
    }
    const source = this.#program.getSourceFile(file);
    const isNamed = (/** @type {any} */ statement) => statement.name?.text === name;
    return { declaration: Array.from(source.statements).find(isNamed), source };
  }

  /**
   * @param {RegExp} pattern - with one group
   * @returns {string[]} the matches of the group in all sources
   */
  matches(pattern) {
    const texts = [...this.#texts.values()];
    return texts.flatMap((text) => Array.from(text.matchAll(pattern), ([, found = '']) => found));
  }
}

/**
 * @param {Sources} sources
 * @returns {string} the page, which the formatter does not change
 */
function pageOf(sources) {
  const sections = SECTIONS.map(({ title, example, parts }) => {
    const texts = parts.map((part) => {
      if (part.function) return functionText(part, sources);
      return part.ends ? endsText(part, part.ends, sources) : partText(part, sources);
    });
    return [`## ${title}`, `\`\`\`ts\n${example}\n\`\`\``, ...texts].join('\n\n');
  });
  sections.push(namesText(sources));
  return `${INTRODUCTION}\n\n${sections.join('\n\n')}\n\n${errorsText(sources)}\n`;
}

const INTRODUCTION = `# Options, limits and error codes

Look up all options of the public functions with their defaults, all limits, and all error codes. An editor shows the types,
and the whole description of each option.`;

/**
 * @param {Part} part
 * @param {Sources} sources
 */
function partText({ title, type = '', isDescribed, note, within = {}, without }, sources) {
  const others = without ? membersOf(without, sources) : [];
  const isInOthers = (/** @type {Documented} */ member) =>
    others.some(({ name, text }) => name === member.name && text === member.text);
  const rows = membersOf(type, sources)
    .filter((member) => !isInOthers(member))
    .flatMap((member) => {
      const inner = within[member.name];
      const members = inner ? membersOf(inner, sources) : [];
      const named = members.map(({ name, text }) => ({ name: `${member.name}.${name}`, text }));
      return [member, ...named].map(optionOf);
    });
  const hasDefaults = rows.some((row) => row.default);
  const head = ['name', hasDefaults && 'default', 'description'];
  const body = rows.map((row) => [code(row.name), hasDefaults && row.default, row.text]);
  const table = [head, ...body].map((row) => row.filter((cell) => cell !== false).map(cellText));
  const description = isDescribed && docOf(sources.find(type)).text;
  return [`### ${title}`, note, description, markdownTable(table)].filter(Boolean).join('\n\n');
}

/**
 * Writes the properties of both ends into one table. The text of a property that both ends have is that of the first end.
 *
 * @param {Part} part
 * @param {Record<string, string>} ends
 * @param {Sources} sources
 */
function endsText({ title }, ends, sources) {
  /** @type {Map<string, { text: string, having: string[] }>} */
  const properties = new Map();
  for (const [end, type] of Object.entries(ends)) {
    for (const { name, text } of membersOf(type, sources)) {
      const known = properties.get(name);
      if (known) known.having.push(end);
      else properties.set(name, { text: optionOf({ name, text }).text, having: [end] });
    }
  }
  const rows = Array.from(properties, ([name, { text, having }]) =>
    [code(name), having.length > 1 ? 'both' : having[0], text].map(cellText),
  );
  return `### ${title}\n\n${markdownTable([['name', 'end', 'description'], ...rows])}`;
}

/**
 * @param {Part} part
 * @param {Sources} sources
 */
function functionText({ title, function: name = '' }, sources) {
  const { comment, text } = docOf(sources.find(name));
  const [, thrown] = comment.replaceAll(/\n\s*\*\/?/g, '').split(' @throws ');
  if (!thrown) throw new Error(`The doc comment of ${name} has no @throws`);
  return `### ${title}\n\n${text} Throws ${thrown.replace(/ @[a-z][^]*/, '').trim()}.`;
}

/**
 * Lists the names that no method can have.
 *
 * @param {Sources} sources
 */
function namesText(sources) {
  const lists = sources.matches(/^export const \w+_NAMES =\s+'([^']+)'/gm);
  const names = lists.flatMap((list) => list.split(' ').map(code));
  if (names.length === 0)
    throw new Error('No source has such names: see scripts/pages/reference.mjs');
  return `### Names that a method cannot have

The Workers runtime calls methods with these names, or the names have another meaning on a client, a promise or any object:

${names.join(', ')}, \`constructor\`, \`toString\` and the like.`;
}

/**
 * Returns the properties of an interface, after the properties of the interfaces that it extends. A property that the
 * interface declares again has its own text.
 *
 * @param {string} name
 * @param {Sources} sources
 * @returns {Documented[]}
 */
function membersOf(name, sources) {
  const { declaration, source } = sources.find(name);
  const bases = Array.from(declaration.heritageClauses ?? [], ({ types }) =>
    Array.from(types),
  ).flat();
  const inherited = bases.flatMap(({ expression }) =>
    membersOf(expression.getText(source), sources),
  );
  const own = Array.from(declaration.members, (member) => {
    const { comment, text } = docOf({ declaration: member, source });
    if (!comment) throw new Error(`${name}.${member.name.getText(source)} has no doc comment`);
    return { name: member.name.getText(source), text };
  });
  return [...new Map([...inherited, ...own].map((member) => [member.name, member])).values()];
}

/**
 * Returns the text of a doc comment, up to its first tag.
 *
 * @param {Declared} declared
 */
function docOf({ declaration, source }) {
  const comment = declaration.jsDoc?.at(-1)?.getText(source) ?? '';
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
 * Separates the default of an option from its text, and keeps the first sentence of the text. The unit moves to the
 * default.
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

/** @param {Sources} sources */
function errorsText(sources) {
  const { declaration, source } = sources.find('RpcErrorCode');
  const all = declaration.getText(source);
  const rows = Array.from(all.matchAll(CODE), ([, comment = '', name = '']) => {
    const facts = FACTS.exec(proseOf(comment));
    if (!facts) throw new Error(`The doc comment of ${name} lacks "Retry:" or "Executed:"`);
    const [when = '', ...others] = facts.slice(1);
    const cells = [firstSentence(when), ...others].map((fact) => fact.replace(/\.$/, ''));
    const status = HTTP_STATUS[/** @type {keyof typeof HTTP_STATUS} */ (name)];
    return [code(name), ...cells.map(cellText), `${status}`];
  });
  if (rows.length !== all.match(/^\s*\| '/gm)?.length) throw new Error('A code has no doc comment');
  const details = membersOf('RpcErrorDetails', sources).map(({ name, text }) =>
    [code(name), text].map(cellText),
  );
  return `## Errors

A call rejects with the error that its method threw, or with an \`RpcError\`. [Errors](errors.md) has a section for each code.

### Codes

- "May have run" says whether the method may have run. For \`maybeExecuted\`, read this property of the error.
- "If not run" means: if \`maybeExecuted\` is false, or if the method is a \`read\`.
- "Status" is the status of an HTTP response that reports the error. The answer to a call has the code instead.

${markdownTable([['code', 'when', 'call again?', 'may have run', 'status'], ...rows])}

### Properties

${markdownTable([['name', 'description'], ...details])}`;
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
 * @returns {string} a line to print
 */
export function writeReference(pages) {
  const api = new API({ cwd: ROOT });
  try {
    const config = join(ROOT, 'runtime/tsconfig.json');
    const [project] = api.updateSnapshot({ openProject: config }).getProjects();
    pages.set(PAGE, pageOf(new Sources(project?.program)));
  } finally {
    api.close();
  }
  return `${PAGE} is what the doc comments say`;
}
