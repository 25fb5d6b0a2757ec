/** A process with many readers of relays, whose parent is the scenario `relays`. Each compares what it reads at once. */
import { readSettings } from '../../harness/child-program.ts';
import { until } from '../../harness/waiting.mjs';
import { createRpcClient, subscribe } from '../../runtime/src/client.ts';
import type { RoomRelay } from '../objects/relays.ts';

export interface ReaderSettings {
  baseUrl: string;
  /** Names of the relays; a reader has one of them, in turn. */
  relays: readonly string[];
  readers: number;
}

/** `ready`: report when every reader has begun. A number: report when all have read up to it. */
export type ReaderOrder = 'ready' | number;

export interface ReaderReport {
  read: number;
  /** Numbers that did not arrive before a later one, or not at all. */
  lost: number;
  doubled: number;
  /** Values of the live value, and those that were lower than the one before. */
  values: number;
  wrong: number;
  errors: string[];
}

const { baseUrl, relays, readers } = readSettings<ReaderSettings>();
const report: ReaderReport = { read: 0, lost: 0, doubled: 0, values: 0, wrong: 0, errors: [] };
/** The last number of each reader. */
const lasts = new Float64Array(readers);
let begun = 0;

for (let reader = 0; reader < readers; reader++) {
  const name = relays[reader % relays.length] ?? '';
  const client = createRpcClient<RoomRelay>('RELAY', name, { baseUrl });
  const read = async (): Promise<void> => {
    const loop = subscribe(client).numbers();
    void until(() => loop.cursor !== undefined).then(() => begun++);
    for await (const number of loop) {
      const last = lasts[reader] ?? 0;
      report.read++;
      if (number <= last) report.doubled++;
      else report.lost += number - last - 1;
      lasts[reader] = Math.max(number, last);
    }
  };
  const follow = async (): Promise<void> => {
    let last = -1;
    for await (const value of subscribe(client).said()) {
      report.values++;
      if (value < last) report.wrong++;
      last = value;
    }
  };
  read().catch((error: unknown) => report.errors.push(`${error}`));
  // Of all of them it would be twice the work.
  if (reader % 10 === 0) follow().catch((error: unknown) => report.errors.push(`${error}`));
}

process.on('message', async (order: ReaderOrder) => {
  if (order === 'ready') await until(() => begun === readers);
  else {
    await until(() => report.errors.length > 0 || lasts.every((last) => last >= order)).catch(
      () => {},
    );
    for (const last of lasts) report.lost += Math.max(order - last, 0);
  }
  process.send?.(report);
});
