/**
 * Asks language servers of TypeScript as an editor does. Up to version 6 they run in this process,
 * and later versions use LSP.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type TypeScript from '../../../../e2e/compilers/typescript-6/node_modules/typescript/lib/typescript.js';

const REPOSITORY = join(import.meta.dirname, '../../../..');

/** A place in a source. */
interface Place {
  file: string;
  /** The text of its line, trimmed. */
  line: string;
}

/** The answers that an editor shows for a position in a file. */
export interface Editor {
  definitions(offset: number): Promise<Place[]>;
  references(offset: number): Promise<Place[]>;
  renames(offset: number): Promise<Place[]>;
  /** Returns the type and the comment of a name. */
  hover(offset: number): Promise<string>;
  /** Returns the errors of the file: the text of the line, and the error. */
  errors(): Promise<{ line: string; text: string }[]>;
  close(): Promise<void>;
}

/**
 * @param version - the version of TypeScript
 * @param file - a file in a folder with a `tsconfig.json`
 * @param text - the text of the file, as an editor has it before it is saved
 */
export function openEditor(version: 5 | 6 | 7, file: string, text: string): Promise<Editor> {
  return version === 7 ? openServer(file, text) : Promise.resolve(openService(version, file, text));
}

function placeIn(text: string, file: string, offset: number): Place {
  const end = text.indexOf('\n', offset);
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, end < 0 ? undefined : end);
  return { file, line: line.trim() };
}

function openService(version: 5 | 6, file: string, text: string): Editor {
  const folder = join(REPOSITORY, `e2e/compilers/typescript-${version}/package.json`);
  const ts = createRequire(folder)('typescript') as typeof TypeScript;
  const project = join(file, '..');
  const read = ts.readConfigFile(join(project, 'tsconfig.json'), ts.sys.readFile);
  const { options, fileNames } = ts.parseJsonConfigFileContent(read.config, ts.sys, project);
  const textOf = (name: string): string | undefined =>
    name === file ? text : ts.sys.readFile(name);
  const service = ts.createLanguageService({
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getCompilationSettings: () => options,
    getScriptFileNames: () => fileNames,
    getScriptVersion: () => '1',
    getScriptSnapshot(name) {
      const found = textOf(name);
      return found === undefined ? undefined : ts.ScriptSnapshot.fromString(found);
    },
    getCurrentDirectory: () => project,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
  });
  type Spans = readonly TypeScript.DocumentSpan[] | undefined;
  const placesOf = async (spans: Spans): Promise<Place[]> =>
    (spans ?? []).map(({ fileName, textSpan }) =>
      placeIn(textOf(fileName) ?? '', fileName, textSpan.start),
    );
  return {
    definitions: (offset) => placesOf(service.getDefinitionAtPosition(file, offset)),
    references: (offset) =>
      placesOf(service.findReferences(file, offset)?.flatMap(({ references }) => references)),
    renames: (offset) => placesOf(service.findRenameLocations(file, offset, false, false, {})),
    async hover(offset) {
      const shown = service.getQuickInfoAtPosition(file, offset);
      const parts = [
        ...(shown?.displayParts ?? []),
        { text: '\n' },
        ...(shown?.documentation ?? []),
      ];
      return parts.map((part) => part.text).join('');
    },
    errors: async () =>
      service.getSemanticDiagnostics(file).map(({ start = 0, messageText }) => ({
        line: placeIn(text, file, start).line,
        text: ts.flattenDiagnosticMessageText(messageText, '\n'),
      })),
    async close() {
      service.dispose();
    },
  };
}

/** A position in the form of LSP. */
interface Position {
  line: number;
  character: number;
}

interface Location {
  uri: string;
  range: { start: Position };
}

async function openServer(file: string, text: string): Promise<Editor> {
  const tsc = join(REPOSITORY, 'node_modules/typescript/bin/tsc');
  const server = spawn(process.execPath, [tsc, '--lsp', '--stdio'], {
    cwd: join(file, '..'),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting = new Map<number, (answer: { error?: unknown; result?: unknown }) => void>();
  const send = (message: object): void => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  let unread = Buffer.alloc(0);
  server.stdout.on('data', (chunk: Buffer) => {
    unread = Buffer.concat([unread, chunk]);
    for (;;) {
      const head = unread.indexOf('\r\n\r\n') + 4;
      const length = Number(/Content-Length: (\d+)/.exec(unread.toString('latin1', 0, head))?.[1]);
      if (head < 4 || unread.length < head + length) return;
      const message = JSON.parse(unread.toString('utf8', head, head + length)) as {
        id?: number;
        method?: string;
        result?: unknown;
        error?: unknown;
      };
      unread = unread.subarray(head + length);
      // The server asks for settings. This editor has none.
      if (message.method && message.id !== undefined) send({ id: message.id, result: null });
      else waiting.get(message.id as number)?.(message);
    }
  });
  let last = 0;
  const request = <Result>(method: string, params: object): Promise<Result> => {
    const id = ++last;
    send({ id, method, params });
    return new Promise((resolve, reject) => {
      waiting.set(id, ({ error, result }) =>
        error ? reject(new Error(JSON.stringify(error))) : resolve(result as Result),
      );
    });
  };
  const uri = pathToFileURL(file).href;
  const workspaceFolders = [{ uri: pathToFileURL(join(file, '..')).href, name: 'project' }];
  const hover = { contentFormat: ['plaintext'] };
  const capabilities = { textDocument: { hover, diagnostic: {} } };
  await request('initialize', {
    processId: process.pid,
    rootUri: null,
    capabilities,
    workspaceFolders,
  });
  send({ method: 'initialized', params: {} });
  const textDocument = { uri, languageId: 'typescript', version: 1, text };
  send({ method: 'textDocument/didOpen', params: { textDocument } });

  const at = (offset: number) => {
    const before = text.slice(0, offset).split('\n');
    const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
    return { textDocument: { uri }, position };
  };
  const placeOf = ({ uri: of, range }: Location): Place => {
    const name = fileURLToPath(of);
    const source = name === file ? text : readFileSync(name, 'utf8');
    return { file: name, line: (source.split('\n')[range.start.line] ?? '').trim() };
  };
  const placesOf = (found: Location | Location[] | null): Place[] =>
    found ? [found].flat().map(placeOf) : [];
  return {
    definitions: async (offset) => placesOf(await request('textDocument/definition', at(offset))),
    references: async (offset) =>
      placesOf(
        await request('textDocument/references', {
          ...at(offset),
          context: { includeDeclaration: true },
        }),
      ),
    async renames(offset) {
      const { changes = {} } = await request<{ changes?: Record<string, Omit<Location, 'uri'>[]> }>(
        'textDocument/rename',
        { ...at(offset), newName: 'renamed' },
      );
      return Object.entries(changes).flatMap(([of, edits]) =>
        edits.map((edit) => placeOf({ ...edit, uri: of })),
      );
    },
    async hover(offset) {
      const { contents } = await request<{ contents: { value: string } }>(
        'textDocument/hover',
        at(offset),
      );
      return contents.value;
    },
    async errors() {
      const { items } = await request<{ items: (Omit<Location, 'uri'> & { message: string })[] }>(
        'textDocument/diagnostic',
        { textDocument: { uri } },
      );
      return items.map((item) => ({ line: placeOf({ ...item, uri }).line, text: item.message }));
    },
    async close() {
      const ended = once(server, 'exit');
      server.kill();
      await ended;
    },
  };
}
