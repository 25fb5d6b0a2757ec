/** The client of objects in a web worker and in an iframe. Bundle it, load it into a page, and call `useBoth`. */
import { messagePortTransport } from '../../src/client/transports/message-port.ts';
import { subscribe } from '../../src/features/subscriptions/client/subscribe.ts';
import { createRpcClient } from '../../src/client.ts';
import type { Till } from '../server/port/till.ts';

/** The features that only pages have. */
declare const Worker: new (url: string) => Target;
declare const document: {
  createElement(name: 'iframe'): Frame;
  body: { append(element: Frame): void };
};

interface Target {
  postMessage(message: unknown, ...rest: unknown[]): void;
}

interface Frame extends EventTarget {
  srcdoc: string;
  contentWindow: Target;
}

/** Returns the answers and the values of an object. */
async function use(port: MessagePort): Promise<unknown[]> {
  using till = createRpcClient<Till>('TILL', 'x', { transport: messagePortTransport(port) });
  const first = till.add(2);
  const heard: unknown[] = [await till.add(first), await till.who()];
  for await (const value of subscribe(till).sum()) {
    heard.push(value);
    if (value === 7) break;
    await till.add(3);
  }
  return heard;
}

/** @param script - the bundled script that serves the object */
async function useBoth(script: string): Promise<unknown[][]> {
  const [toWorker, toFrame] = [new MessageChannel(), new MessageChannel()];
  const worker = new Worker(URL.createObjectURL(new Blob([script])));
  worker.postMessage('serve', [toWorker.port2]);
  const frame = document.createElement('iframe');
  frame.srcdoc = `<script>${script.replaceAll('</script', '<\\/script')}</script>`;
  document.body.append(frame);
  await new Promise((resolve) => frame.addEventListener('load', resolve));
  frame.contentWindow.postMessage('serve', '*', [toFrame.port2]);
  return [await use(toWorker.port1), await use(toFrame.port1)];
}

Object.assign(globalThis, { useBoth });
