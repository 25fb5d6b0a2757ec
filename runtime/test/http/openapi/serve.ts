/** Serves the library of books, and writes its document. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { TestWorker } from '../../support/test-worker.ts';
import type { Library } from './worker.ts';

/** The URL of a running Worker, and a folder with its document. */
export interface Served {
  readonly url: string;
  /** The folder has `openapi.json`. It is removed after the tests of the file. */
  readonly folder: string;
}

/** @param prefix - the beginning of the name of the folder */
export async function serveLibrary(prefix: string): Promise<Served> {
  const { runtime } = await TestWorker.forTests<Library, 'LIBRARY'>(import.meta.dirname, {
    LIBRARY: 'Library',
  });
  const folder = mkdtempSync(join(tmpdir(), prefix));
  afterAll(() => rmSync(folder, { recursive: true }));
  const response = await fetch(`${runtime.url}/__rpc/openapi.json`);
  writeFileSync(join(folder, 'openapi.json'), await response.text());
  return { url: runtime.url, folder };
}
