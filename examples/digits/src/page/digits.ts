/** The page of the digits: shows items that arrive while the method runs, until the user stops it. */
import { createRpcClient, subscribe } from 'lumenize-rpc/client';
import type { Pi } from '../pi.ts';
import { element, onPress, setText, showConnection } from './elements.ts';

const COUNT = 200;

/** The pause after each digit, in milliseconds. The method pauses too: it is at most one window ahead. */
const PAUSE = 15;

const pi = createRpcClient<Pi>('PI', 'digits', { onStateChange: showConnection });

let isStopped = false;
element('stop').addEventListener('click', () => (isStopped = true));
onPress('start', async () => {
  isStopped = false;
  setText('digits', '');
  let read = 0;
  for await (const digit of subscribe(pi).digits(COUNT)) {
    element('digits').append(read === 1 ? `.${digit}` : `${digit}`);
    setText('read', `${++read} of ${COUNT} digits`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
    if (isStopped) break;
  }
});
