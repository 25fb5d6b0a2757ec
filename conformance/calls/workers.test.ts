/** The conformance suite from inside the Workers runtime, by every way. */
import { exports } from 'cloudflare:workers';
import { describe, test } from 'vitest';
import { Caller, type Place, ways } from '../support/caller.ts';
import { WorkerSocket } from '../../template/test/support/worker-socket.ts';
import { subjects } from './cases/subjects.ts';

// The runner has it; the types of the Workers runtime do not.
const { inspect } = await import('node:util' as string);

const place: Place = {
  baseUrl: 'https://example.com',
  WebSocket: WorkerSocket,
  fetch: (input, init) => exports.default.fetch(new Request(input, init)),
  inspect,
};

describe.each(ways)('$name', (way) => {
  describe.each(Object.entries(subjects))('%s', (_, cases) => {
    const ours = cases.filter(({ only = way.transport }) => only === way.transport);
    // Not test.each, which cuts names short.
    for (const { name, run } of ours)
      test(name, async () => {
        using caller = new Caller(place, way);
        await run(caller);
      });
  });
});
