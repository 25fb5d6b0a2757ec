/**
 * Reads TOML as far as Wrangler's configurations need it: tables, keys, strings, lists and inline tables. Numbers, dates
 * and escapes in strings stay as they are written.
 */

const STRING = /"""[^]*?"""|'''[^]*?'''|"(?:\\.|[^"\\\n])*"|'[^'\n]*'/;
const TOKEN = new RegExp(
  String.raw`${STRING.source}|#.*|\n|[^\S\n]+|[[\]{}=,.]|[^\s[\]{}=,.#"']+`,
  'g',
);
const BLANK = /^(?:#.*|[^\S\n]+)$/;

/**
 * @param text
 * @returns {object}
 * @throws if the text is not valid, or has a form that this reader does not know
 */
export function valueOfToml(text) {
  const tokens = (text.match(TOKEN) ?? []).filter((token) => !BLANK.test(token));
  const root = {};
  let table = root;
  let at = 0;
  const skip = (token) => {
    if (tokens[at] !== token) throw new SyntaxError(`Expected ${token}, found ${tokens[at]}`);
    at += 1;
  };
  const skipLines = () => {
    while (tokens[at] === '\n') at += 1;
  };

  const readKey = () => {
    const path = [plain(tokens[at++])];
    while (tokens[at] === '.') {
      at += 1;
      path.push(plain(tokens[at++]));
    }
    return path;
  };
  const readPair = (into) => {
    const path = readKey();
    skip('=');
    tableAt(into, path.slice(0, -1))[path.at(-1)] = readValue();
  };
  const readItems = (close, readItem) => {
    at += 1;
    for (skipLines(); tokens[at] !== close; skipLines()) {
      readItem();
      skipLines();
      if (tokens[at] !== close) skip(',');
    }
    at += 1;
  };
  const readValue = () => {
    if (tokens[at] === '[') {
      const list = [];
      readItems(']', () => list.push(readValue()));
      return list;
    }
    if (tokens[at] === '{') {
      const inline = {};
      readItems('}', () => readPair(inline));
      return inline;
    }
    if (STRING.test(tokens[at])) return plain(tokens[at++]);
    // The dot of a number is a token of its own.
    let other = '';
    while (at < tokens.length && !/^[\n,\]}]$/.test(tokens[at])) other += tokens[at++];
    if (!other) throw new SyntaxError(`Expected a value, found ${tokens[at]}`);
    return other;
  };
  const readHeader = () => {
    skip('[');
    const isList = tokens[at] === '[';
    if (isList) skip('[');
    const path = readKey();
    if (isList) skip(']');
    skip(']');
    if (!isList) return tableAt(root, path);
    const list = (tableAt(root, path.slice(0, -1))[path.at(-1)] ??= []);
    list.push({});
    return list.at(-1);
  };

  for (skipLines(); at < tokens.length; skipLines()) {
    if (tokens[at] === '[') table = readHeader();
    else readPair(table);
    if (at < tokens.length) skip('\n');
  }
  return root;
}

/** Returns the text of a key or a string, without its quotes. */
function plain(token) {
  const quote = /^(?:"""|'''|"|')/.exec(token ?? '\n')?.[0].length ?? 0;
  if (!quote && !/^[\w-]+$/.test(token)) throw new SyntaxError(`Expected a key, found ${token}`);
  return token.slice(quote, token.length - quote);
}

/** Returns the table at a path, or the last table of a list of tables. Creates a table that does not exist. */
function tableAt(root, path) {
  return path.reduce((table, key) => {
    const found = (table[key] ??= {});
    return Array.isArray(found) ? found.at(-1) : found;
  }, root);
}
