/** Several clients pass streams as arguments at the same time. */
import { expect, test } from 'vitest';
import { openSocket } from '../../support/open-socket.ts';
import { RawConnection } from '../../support/raw-connection.ts';

test.each([
  ['with ids', 'one', 'other'],
  ['without ids', undefined, undefined],
])(
  'the streams of clients %s stay apart, even if they have the same number',
  async (name, ...ids) => {
    const open = async (id?: string): Promise<RawConnection> =>
      RawConnection.socket(await openSocket('HIBERNATING', `streams ${name}`, id));
    const raws = await Promise.all(ids.map(open));
    for (const raw of raws) raw.sendMessages('[1,"collect","rich",[[["x",[1]]],["Stream",1]]]');
    for (const [index, raw] of raws.entries())
      raw.sendMessages(`["item",1,1,${index}]`, '["end",1,1]');
    for (const [index, raw] of raws.entries()) {
      expect(await raw.until(([id]) => id === 1)).toEqual([[1, [index]]]);
      await raw.close();
    }
  },
);
