/** Serves an object by the port in a message: in a web worker, or in an iframe. */
import { servePort } from '../../../src/server.ts';
import { till, Till } from './till.ts';

(globalThis as unknown as EventTarget).addEventListener('message', (event) => {
  const [port] = (event as MessageEvent).ports;
  if (port) servePort(port, new Till(), till, { caller: 'the page' });
});
