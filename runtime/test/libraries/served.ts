/** The object that the libraries' calls reach, behind a `MessagePort` of the same program. */
import {
  capabilities,
  createRpcClient,
  messagePortTransport,
  type RpcClient,
} from '../../src/client.ts';
import { compileContract, servePort } from '../../src/server.ts';

class Counter {
  getValue(): number {
    return 5;
  }

  /** Returns an object whose properties have names that React sets on a promise. */
  profile(): { status: string; value: number; reason: string } {
    return { status: 'new', value: 7, reason: 'none' };
  }
}

/** The methods that a row calls. */
type Calls = Pick<RpcClient<Counter>, 'getValue' | 'profile'>;

/**
 * Passes calls to a library. It returns a list with the value of `getValue()`, as the library gives
 * it.
 */
export type Row = (calls: Calls) => unknown;

/**
 * Gives a client to a row.
 *
 * @param isCapable - true if the client has the option `capabilities`
 * @returns the result of the row, and the number of calls that were sent besides those of the row
 */
export async function served(
  isCapable: boolean,
  row: Row,
): Promise<{ found: unknown; others: number }> {
  const { port1, port2 } = new MessageChannel();
  servePort(port2, new Counter(), compileContract({ getValue: [], profile: [] }));
  const transport = messagePortTransport(port1);
  let own = 0;
  let all = 0;
  const client = createRpcClient<Counter>('COUNTER', 'one', {
    transport: {
      ...transport,
      send(frame) {
        const messages = JSON.parse(frame as string) as unknown[][];
        all += messages.filter(([first]) => typeof first === 'number').length;
        transport.send(frame);
      },
    },
    ...(isCapable && { capabilities }),
  });
  const counted: Calls = {
    getValue() {
      own++;
      return client.getValue();
    },
    profile() {
      own++;
      return client.profile();
    },
  };
  const found = await row(counted);
  await client.getValue();
  client.close();
  return { found, others: all - own - 1 };
}
