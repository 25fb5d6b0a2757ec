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
    try {
      const series = Object.entries(WAYS).map(([name, way]) => ({ name, way, times: [] }));
      // The first calls open the connection.
      for (const { way } of series) await way(counter);
      for (let round = 1; round <= ROUNDS; round++) {
        for (const one of series) await measure(one, counter, traffic);
        setText('progress', `${round} of ${ROUNDS} rounds`);
        await new Promise(requestAnimationFrame);
      }
    } catch (error) {
      setText('progress', error);
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
  const [p50, p95] = [0.5, 0.95].map((part) => percentile(times, part)) as [number, number];
  const figures = [
    milliseconds(p50),
    milliseconds(p95),
    traffic.frames - frames,
    traffic.bytes - bytes,
  ];
  const panel = element(name);
  panel.querySelectorAll('dd').forEach((cell, index) => (cell.textContent = `${figures[index]}`));
  drawHistogram(panel.querySelector('svg')!, times, p50, p95);
}

function percentile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.ceil(part * sorted.length) - 1] ?? 0;
}
