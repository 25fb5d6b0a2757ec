/** Runs the conformance suite from Node, over real sockets, against the bare runtime. */
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { Runtime } from '../../../harness/runtime.ts';
import type { RpcClientOptions } from '../../src/client.ts';
import { casesOf } from './case.ts';
import { parts } from './cases/subjects.ts';
import type { Way } from './caller.ts';
import { Callers } from './callers.ts';

/** Formats a value as a console and as a debugger do. */
function look(value: unknown): string {
  return inspect(value) + inspect(value, { showProxy: true, showHidden: true, depth: 9 });
}

/**
 * @param partOf - the selection of cases for a way; `wiring` suffices where another way is similar
 * @param compatibilityDate - the date of the Worker. Default: the date of the template.
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
      // `test.each` would shorten long names.
      for (const one of casesOf(cases, way)) test(one.name, () => callers.run(one));
    });
  });
}
