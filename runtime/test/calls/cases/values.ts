/** Every kind of value there is, as an argument and as a result; the object has the same table. */
import type { Case } from '../case.ts';
import { check, equal } from '../check.ts';
import { difference, withoutStacks } from '../../support/same.ts';
import { arrivalOf, type Case as Entry, cases } from '../../wire/cases.ts';
import type { RpcClient } from '../../../src/client.ts';
import type { Hibernating } from '../../worker.ts';

type Client = RpcClient<Hibernating>;

/** Made by the runtime, or with a stack that cannot be removed: not the same on two sides. */
const UNLIKE = new Set(['the reason of an abort', 'a DOMException as it is written']);

/** As an argument, compared by the object. */
async function checkThere(client: Client, entry: Entry): Promise<void> {
  const argument = withoutStacks(entry.value());
  equal(await client.differenceFrom(entry.name, argument), undefined);
}

/** As a result. */
async function checkHere(client: Client, entry: Entry): Promise<void> {
  const expected = withoutStacks(arrivalOf(entry, entry.value()));
  same(expected, withoutStacks(await client.give(entry.name)));
}

/** There and back, with its stack. */
async function checkBack(client: Client, entry: Entry): Promise<void> {
  const sent = entry.value();
  // In Chromium one has a stack only once it has been thrown; it arrives with one.
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
