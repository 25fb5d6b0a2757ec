/**
 * Runs the template's lint rules in an editor, whose language server runs as long as the editor.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { OXLINT, PLUGIN } from './linted.ts';

const SOURCE = `import { DurableObject } from 'cloudflare:workers';
export class Late extends DurableObject {
  count(): number { return 1; }
}
`;

interface Message {
  id?: number;
  method?: string;
  params?: { diagnostics: { message: string }[] };
}

/**
 * Starts a language server. The returned function sends it a version of a text, and returns its
 * reports.
 */
async function openEditor(folder: string) {
  const server = spawn(process.execPath, [OXLINT, '--lsp'], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    const ended = once(server, 'exit');
    server.kill();
    await ended;
  });
  const received: Message[] = [];
  let arrived = Promise.withResolvers<void>();
  let unread = Buffer.alloc(0);
  server.stdout.on('data', (chunk: Buffer) => {
    unread = Buffer.concat([unread, chunk]);
    for (;;) {
      const head = unread.indexOf('\r\n\r\n') + 4;
      const length = Number(/Content-Length: (\d+)/.exec(unread.toString('latin1', 0, head))?.[1]);
      if (head < 4 || unread.length < head + length) return;
      received.push(JSON.parse(unread.toString('utf8', head, head + length)) as Message);
      unread = unread.subarray(head + length);
      arrived.resolve();
    }
  });
  const send = (message: object): void => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  const next = async (isMeant: (message: Message) => boolean): Promise<Message> => {
    for (;;) {
      const message = received.shift();
      if (!message) {
        arrived = Promise.withResolvers();
        if (received.length === 0) await arrived.promise;
      } else if (isMeant(message)) return message;
    }
  };
  const workspaceUri = pathToFileURL(folder).href;
  const initializationOptions = [{ workspaceUri, options: { run: 'onType' } }];
  const workspaceFolders = [{ uri: workspaceUri, name: 'project' }];
  const params = { processId: process.pid, capabilities: {}, workspaceFolders };
  send({ id: 1, method: 'initialize', params: { ...params, initializationOptions } });
  await next(({ id }) => id === 1);
  send({ method: 'initialized', params: {} });

  const uri = pathToFileURL(join(folder, 'late.ts')).href;
  let version = 0;
  return async (text: string): Promise<string[]> => {
    version++;
    const textDocument = { uri, languageId: 'typescript', version, text };
    if (version === 1) send({ method: 'textDocument/didOpen', params: { textDocument } });
    else {
      const changed = { textDocument: { uri, version }, contentChanges: [{ text }] };
      send({ method: 'textDocument/didChange', params: changed });
    }
    const { params: told } = await next(
      ({ method }) => method === 'textDocument/publishDiagnostics',
    );
    return told?.diagnostics.map(({ message }) => message) ?? [];
  };
}

test('a report follows a change of wrangler.jsonc without a restart of the editor', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lint-editor-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  const rules = { 'durable-object/no-missing-sqlite': 'error' };
  const config = { categories: { correctness: 'off' }, jsPlugins: [PLUGIN], rules };
  writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify(config));
  writeFileSync(join(folder, 'late.ts'), SOURCE);
  const migrate = (...classes: string[]): void => {
    const bindings = [{ name: 'LATE', class_name: 'Late' }];
    const migrations = [{ tag: 'v1', new_sqlite_classes: classes }];
    const text = JSON.stringify({ durable_objects: { bindings }, migrations });
    writeFileSync(join(folder, 'wrangler.jsonc'), text);
  };
  migrate('Other');
  const reportsFor = await openEditor(folder);
  expect(await reportsFor(SOURCE)).toEqual([
    expect.stringContaining("wrangler.jsonc binds 'Late'"),
  ]);
  migrate('Other', 'Late');
  expect(await reportsFor(`${SOURCE}// changed\n`)).toEqual([]);
});
