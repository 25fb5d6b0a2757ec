/** The address of a capability must be plain data, and short enough for a storage key. */
import * as Type from '../../../src/typebox.ts';
import { beforeEach, expect, test } from 'vitest';
import { capability, compileContract, read } from '../../../src/server.ts';
import { openPort } from '../../support/open-port.ts';
import type { RawConnection } from '../../support/raw-connection.ts';

class TicketImpl {
  readonly #place: unknown;

  constructor(_desk: object, place: unknown) {
    this.#place = place;
  }

  place(): unknown {
    return this.#place;
  }
}

const Ticket = capability(TicketImpl, [Type.Unknown()], { place: read() });

class Desk {
  ticket(place: unknown): InstanceType<typeof Ticket> {
    return new Ticket(this, place);
  }

  /** The address of this capability is a date, which is no plain data. */
  dated(): InstanceType<typeof Ticket> {
    return new Ticket(this, new Date(0));
  }

  one(): number {
    return 1;
  }
}

const contract = compileContract({
  ticket: { input: [Type.Unknown()], returns: Ticket },
  dated: { input: [], returns: Ticket },
  one: read(),
});

/** The maximum size of a storage key, in bytes. */
const MAX_KEY_SIZE = 2_048;
const most = MAX_KEY_SIZE - '__rpc_capability:Ticket[""]'.length;

let raw: RawConnection;

beforeEach(() => {
  raw = openPort(new Desk(), contract);
});

/** Returns the answer to a call as text. */
async function answerTo(method: string, args: string): Promise<string> {
  return JSON.stringify(await raw.exchange(`[1,"${method}",${args}]`));
}

test.each(['[null]', '[{"a":[1]}]', `["${'x'.repeat(most)}"]`])(
  'an address can have the arguments %#',
  async (args) => {
    expect(await answerTo('ticket', args)).toContain('"Capability","Ticket"');
  },
);

test.each([
  ['x'.repeat(most + 1), 'has one byte more'],
  ['é'.repeat(most / 2 + 1), 'has fewer characters, and more bytes'],
])('an address cannot be longer than a key: %#', async (place) => {
  expect(await answerTo('ticket', `["${place}"]`)).toContain(
    'The address of a Ticket is longer than 2048 bytes, the limit of a key in the storage',
  );
});

test('an address cannot be anything but plain data', async () => {
  expect(await answerTo('dated', '[]')).toContain(
    'The address of a Ticket must be data that JSON represents',
  );
});
