/** The streams of arguments that several clients pass at once. */
import { expect, test } from 'vitest';
import { overSocket } from '../../support/raw-end.ts';

test.each([
  ['with ids', 'one', 'other'],
  ['without ids', undefined, undefined],
])('clients %s have streams of the same number apart', async (name, ...ids) => {
  const ends = await Promise.all(ids.map((id) => overSocket('HIBERNATING', `streams ${name}`, id)));
  for (const { raw } of ends) raw.send('[1,"collect","rich",[[["x",[1]]],["Stream",1]]]');
  for (const [index, { raw }] of ends.entries()) raw.send(`["item",1,1,${index}]`, '["end",1,1]');
  for (const [index, { raw, close }] of ends.entries()) {
    expect(await raw.until(([id]) => id === 1)).toEqual([[1, [index]]]);
    await close();
  }
});
