/**
 * Every type of value arrives unchanged, as an argument and as a result. The object has the same
 * table.
 */
import type { Case } from '../case.ts';
import { check, equal } from '../check.ts';
import { difference, withoutStacks } from '../../support/same.ts';
import { arrivalOf, type Case as Entry, cases } from '../../wire/cases.ts';
import type { RpcClient } from '../../../src/client.ts';
import type { Hibernating } from '../../worker.ts';

type Client = RpcClient<Hibernating>;

/**
 * The runtime makes these errors, or their stack cannot be removed, so they differ between the two
 * sides.
 */
const UNLIKE = new Set(['the reason of an abort', 'a DOMException as it is written']);

/** Sends the value as an argument. The object compares it. */
async function checkThere(client: Client, entry: Entry): Promise<void> {
  const argument = withoutStacks(entry.value());
  equal(await client.differenceFrom(entry.name, argument), undefined);
}

/** Receives the value as a result. */
async function checkHere(client: Client, entry: Entry): Promise<void> {
  const expected = withoutStacks(arrivalOf(entry, entry.value()));
  same(expected, withoutStacks(await client.give(entry.name)));
}

/** Sends the value and receives it again, with its stack. */
async function checkBack(client: Client, entry: Entry): Promise<void> {
  const sent = entry.value();
  // In Chromium a DOMException has a stack only after it was thrown, but it arrives with a stack.
  if (sent instanceof DOMException && sent.stack === undefined) withoutStacks(sent);
  same(arrivalOf(entry, sent), await client.map(sent));
}

function same(expected: unknown, received: unknown): void {
  const found = difference(expected, received);
  check(found === undefined, String(found));
}

export const values: Case[] = cases.map((entry) => ({
  name: entry.name,
  isShared: true,
  async run(caller) {
    const ways = UNLIKE.has(entry.name) ? [checkBack] : [checkBack, checkThere, checkHere];
    await Promise.all(ways.map((way) => way(caller.standing, entry)));
  },
}));
