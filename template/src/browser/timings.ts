/** Measures the ways to make ten calls, by turns, and shows their times as they come. */
import type { Counter } from '../counter.ts';
import type { RpcClient } from '../rpc/client.ts';
import { drawHistogram } from './chart.ts';
import { element, milliseconds, onPress, setText } from './elements.ts';
import type { Traffic } from './observed-socket.ts';
import { WAYS, type Way } from './ways.ts';

const ROUNDS = 30;

interface Series {
  run: Way['run'];
  panel: HTMLElement;
  times: number[];
}

export function wireTimings(trial: RpcClient<Counter>, traffic: Traffic): void {
  const panels = WAYS.map(panelOf);
  onPress('measure', async () => {
    const all = WAYS.map(({ run }, way) => ({ run, panel: panels[way]!, times: [] }));
    // The first calls open the connection.
    for (const { run } of all) await run(trial);
    for (let round = 1; round <= ROUNDS; round++) {
      for (const series of all) await measure(series, trial, traffic);
      setText('progress', `${round} of ${ROUNDS} rounds`);
      await new Promise(requestAnimationFrame);
    }
  });
}

function panelOf({ name, code }: Way): HTMLElement {
  const template = element('way') as HTMLTemplateElement;
  const panel = template.content.firstElementChild!.cloneNode(true) as HTMLElement;
  panel.id = name.toLowerCase();
  panel.querySelector('h3')!.textContent = name;
  panel.querySelector('pre')!.textContent = code;
  template.parentNode!.insertBefore(panel, template);
  return panel;
}

async function measure(
  { run, panel, times }: Series,
  trial: RpcClient<Counter>,
  traffic: Traffic,
): Promise<void> {
  const { frames, bytes } = traffic;
  const start = performance.now();
  await run(trial);
  times.push(performance.now() - start);
  const marks = [percentile(times, 0.5), percentile(times, 0.95)];
  const figures = [...marks.map(milliseconds), traffic.frames - frames, traffic.bytes - bytes];
  panel.querySelectorAll('dd').forEach((cell, index) => (cell.textContent = `${figures[index]}`));
  drawHistogram(panel.querySelector('svg')!, times, marks);
}

function percentile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.ceil(part * sorted.length) - 1] ?? 0;
}
