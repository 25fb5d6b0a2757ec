/** Opens a port to an object without a client. */
import { onTestFinished } from 'vitest';
import { type CompiledContract, servePort, type ServePortOptions } from '../../src/server.ts';
import { RawConnection } from './raw-connection.ts';

/**
 * Serves an object over a port until the test has finished. For `exchange`, its contract must list
 * `one`.
 */
export function openPort(
  instance: object,
  contract: CompiledContract,
  options?: ServePortOptions,
): RawConnection {
  const { port1, port2 } = new MessageChannel();
  const served = servePort(port2, instance, contract, options);
  onTestFinished(() => served.close());
  return RawConnection.port(port1);
}
