/** Measures the ways to make ten calls, by turns, and shows their times as they come. */
import type { Counter } from '../counter.ts';
import type { RpcClient } from '../rpc/client.ts';
import { drawHistogram } from './chart.ts';
import { element, milliseconds, onPress, setText } from './elements.ts';
import type { Traffic } from './observed-socket.ts';
import { WAYS, type Way } from './ways.ts';

const ROUNDS = 30;

interface Series {
  name: string;
  way: Way;
  times: number[];
}

export function wireTimings(counter: RpcClient<Counter>, traffic: Traffic): void {
  onPress('measure', async () => {
    const all = Object.entries(WAYS).map(([name, way]) => ({ name, way, times: [] }));
    // The first calls open the connection.
    for (const { way } of all) await way(counter);
    for (let round = 1; round <= ROUNDS; round++) {
      for (const series of all) await measure(series, counter, traffic);
      setText('progress', `${round} of ${ROUNDS} rounds`);
      await new Promise(requestAnimationFrame);
    }
  });
}

async function measure(
  { name, way, times }: Series,
  counter: RpcClient<Counter>,
  traffic: Traffic,
): Promise<void> {
  const { frames, bytes } = traffic;
  const start = performance.now();
  await way(counter);
  times.push(performance.now() - start);
  const marks = [percentile(times, 0.5), percentile(times, 0.95)];
  const figures = [...marks.map(milliseconds), traffic.frames - frames, traffic.bytes - bytes];
  const panel = element(name);
  panel.querySelectorAll('dd').forEach((cell, index) => (cell.textContent = `${figures[index]}`));
  drawHistogram(panel.querySelector('svg')!, times, marks);
}

function percentile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.ceil(part * sorted.length) - 1] ?? 0;
}
