/**
 * Two customers of the bank in one terminal: run `npm run bank` while `npm run dev` runs in another terminal. Each line that
 * you type is a transfer, such as `ann bob 20`. Above 50, the bank asks first. You can stop `npm run dev` and start it again:
 * this program goes on.
 */
import { createInterface } from 'node:readline';
import { callback, capabilities, createRpcClient, subscribe } from 'lumenize-rpc/client';
import type { Bank } from './src/bank.ts';

// Each run has a bank of its own.
const bank = createRpcClient<Bank>('BANK', crypto.randomUUID(), {
  baseUrl: process.env['BASE_URL'] ?? 'http://localhost:8787',
  capabilities,
});

/** Takes the line that answers the open question; `undefined` if there is no question. */
let answer: ((line: string) => void) | undefined;

async function enter(user: string) {
  const token = crypto.randomUUID();
  await bank.register(user, token);
  const session = await bank.login(user, token);
  await session.onAlert(
    callback(async (text) => {
      console.log(`${user}: ${text} (y or n)`);
      const line = await new Promise<string>((resolve) => (answer = resolve));
      answer = undefined;
      return line.startsWith('y');
    }),
  );
  void showBalance();
  return session;

  async function showBalance(): Promise<void> {
    for await (const balance of subscribe(session).balance()) console.log(`${user} has ${balance}`);
  }
}

const sessions = new Map([
  ['ann', await enter('ann')],
  ['bob', await enter('bob')],
]);
console.log('Type "ann bob 20" and Enter, or "bob ann 10"; end with Ctrl-D');

for await (const line of createInterface({ input: process.stdin })) {
  if (answer) {
    answer(line);
    continue;
  }
  const [from = '', to = '', amount] = line.trim().split(/\s+/);
  // The transfer is not awaited, because the next line may answer a question about it.
  sessions
    .get(from)
    ?.transfer(to, Number(amount))
    .catch((error) => console.log(`${error}`));
}
// Otherwise the loops over the balances would keep the program running.
process.exit();
