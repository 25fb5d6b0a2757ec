/** Tests results of methods with `plain: true` in a Worker that is bundled for deployment. */
import { expect, test } from 'vitest';
import { serve } from '../../served/serve.ts';

const worker = await serve();

test.each(['websocket', 'http'] as const)(
  'a result that is not plain becomes JSON by %s',
  async (transport) => {
    const { client } = worker.watch('plain results', { transport });
    expect(await client.moment()).toEqual({ at: '1970-01-01T00:00:00.000Z' });
  },
);
