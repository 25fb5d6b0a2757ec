/** Results of methods with `plain: true`, from a Worker that is bundled for deployment. */
import { expect, test } from 'vitest';
import { Server } from '../../served/server.ts';
import { Watched } from '../../served/watched.ts';

const server = await Server.forTests();

test.each(['websocket', 'http'] as const)(
  'one that is not plain is JSON by %s',
  async (transport) => {
    const { client } = new Watched('DEFAULT', 'plain results', { baseUrl: server.url, transport });
    expect(await client.moment()).toEqual({ at: '1970-01-01T00:00:00.000Z' });
  },
);
