/** The conformance suite from Node, over real sockets, against the bare runtime: for a test file. */
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { Runtime } from '../../../harness/runtime.ts';
import type { RpcClientOptions } from '../../src/client.ts';
import { casesOf } from './case.ts';
import { parts } from './cases/subjects.ts';
import type { Way } from './caller.ts';
import { Callers } from './callers.ts';

/** As a console does, and as a debugger. */
function look(value: unknown): string {
  return inspect(value) + inspect(value, { showProxy: true, showHidden: true, depth: 9 });
}

/**
 * @param partOf - how much is tried by a way: where another is like it, the wiring is enough
 * @param compatibilityDate - of the Worker. Default: that of the template.
 */
export function testCallsFromNode(
  ways: readonly Way[],
  partOf: (way: Way) => keyof typeof parts,
  compatibilityDate?: string,
): void {
  let runtime: Runtime;

  beforeAll(async () => {
    const config = join(import.meta.dirname, '../wrangler.jsonc');
    runtime = await Runtime.serve({ config, compatibilityDate });
  });

  afterAll(() => runtime?.stop());

  describe.each(ways)('$name', (way) => {
    let callers: Callers;

    beforeAll(() => {
      const WebSocket = globalThis.WebSocket as RpcClientOptions['WebSocket'] & {};
      callers = new Callers({ baseUrl: runtime.url, WebSocket, fetch, inspect: look }, way);
    });

    afterAll(() => callers[Symbol.dispose]());

    describe.each(Object.entries(parts[partOf(way)]))('%s', (_, cases) => {
      // Not test.each, which cuts names short.
      for (const one of casesOf(cases, way)) test(one.name, () => callers.run(one));
    });
  });
}
