/** The tests of others for servers of MCP: the conformance suite, and the command line of the inspector. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../../../../harness/guarded-process.mjs';
import { endpoint, serve } from './serve.ts';

const worker = await serve();

const PACKAGES = join(import.meta.dirname, '../../../../node_modules/@modelcontextprotocol');

describe('the conformance suite', () => {
  // The other scenarios are about prompts, completion, logging, sampling and elicitation, about content other than
  // text, and about resources whose names the suite has chosen.
  test.each([
    'server-initialize',
    'ping',
    'tools-list',
    'tools-call-simple-text',
    'tools-call-error',
    'resources-list',
    'server-sse-multiple-streams',
    'dns-rebinding-protection',
  ])('%s', async (scenario) => {
    const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
    const program = join(PACKAGES, 'conformance/dist/index.js');
    const url = endpoint(worker, 'suite', 'SUITE').href;
    const args = ['server', '--url', url, '--scenario', scenario, '--output-dir', folder];
    // The program fails if the scenario fails.
    const { all } = await run(process.execPath, [program, ...args], { output: 'pipe' });
    rmSync(folder, { recursive: true });
    expect(all).toMatch(/ 0 failed/);
  });
});

describe('the inspector', () => {
  async function inspect(...method: string[]): Promise<unknown> {
    const program = join(PACKAGES, 'inspector/clients/launcher/build/index.js');
    const url = endpoint(worker, 'inspected').href;
    const args = [program, '--cli', url, '--transport', 'http', '--method', ...method];
    const { out } = await run(process.execPath, args, { output: 'pipe' });
    return JSON.parse(out);
  }

  test('lists and calls tools', async () => {
    const { tools } = (await inspect('tools/list')) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toContain('increment');
    const call = ['tools/call', '--tool-name', 'increment', '--tool-arg', 'by=2'];
    expect(await inspect(...call)).toMatchObject({ structuredContent: { result: 2 } });
    expect(await inspect(...call)).toMatchObject({ structuredContent: { result: 4 } });
  });

  test('lists and reads resources', async () => {
    expect(await inspect('resources/list')).toMatchObject({ resources: [{ uri: 'live:stock' }] });
    const read = ['resources/read', '--uri', 'live:stock'];
    expect(await inspect(...read)).toMatchObject({ contents: [{ uri: 'live:stock' }] });
  });
});
