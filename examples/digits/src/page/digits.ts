/** Shows items that arrive while the method runs, until the user stops it. */
import type { Pi } from '../pi.ts';
import { type RpcClient, subscribe } from 'lumenize-rpc/client';
import { element, onPress, setText } from './elements.ts';

const COUNT = 200;

/** The pause after each digit, in milliseconds. The method pauses too: it is at most one window ahead. */
const PAUSE = 15;

export function wireStream(pi: RpcClient<Pi>): void {
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
}
