/** The page of the meter: a producer that counts presses of buttons, and a dashboard of all producers. */
import { createRpcClient, subscribe } from 'lumenize-rpc/client';
import { MeterProducer } from '../meter-producer.ts';
import type { MeterShard } from '../meter-shard.ts';
import { shardName } from '../meter-shards.ts';
import type { Meter } from '../meter.ts';
import { element, setText, showConnection, showProblem } from './elements.ts';

const METER = 'drinks';

const shard = createRpcClient<MeterShard>('METER_SHARD', shardName(METER));
const meter = createRpcClient<Meter>('METER', METER, { onStateChange: showConnection });
const totals = element('totals');

const producer = new MeterProducer(shard, 1000, (error) => {
  void showProblem(element('tea'), async () => {
    throw error;
  });
});
let pressed = 0;
for (const [id, key, count] of [
  ['tea', 'tea', 1],
  ['coffee', 'coffee', 1],
  ['crowd', 'tea', 100],
] as const) {
  element(id).addEventListener('click', () => {
    producer.count(key, count);
    pressed += count;
    setText('pressed', `This page has counted ${pressed}`);
  });
}
// The sums are sent now, because a page may not come back after this event.
addEventListener('pagehide', () => void producer.flush());

void showProblem(totals, async () => {
  for await (const all of subscribe(meter).getTotals()) {
    const rows = Object.entries(all).map(([key, total]) => {
      const row = document.createElement('li');
      row.textContent = `${key}: ${total}`;
      return row;
    });
    totals.replaceChildren(...rows);
  }
});
