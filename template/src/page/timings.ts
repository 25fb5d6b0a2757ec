/** Measures three ways to make ten calls, in turn, and shows the times as they arrive. */
import type { Counter } from '../counter.ts';
import type { RpcClient } from 'lumenize-rpc/client';
import type { SocketFrame } from 'lumenize-rpc/debug';
import { element, milliseconds, onPress, setText } from './elements.ts';

const ROUNDS = 30;
const [BINS, HEIGHT] = [64, 10];

/** The frames and bytes that the measured client has sent and received. */
const traffic = { frames: 0, bytes: 0 };

export function countFrame({ bytes }: SocketFrame): void {
  traffic.frames++;
  traffic.bytes += bytes;
}

interface Way {
  name: string;
  /** The code that the page shows, in two lines. */
  code: string;
  run(trial: RpcClient<Counter>): Promise<unknown>;
}

/** Each way has a row on the page. */
const WAYS: readonly Way[] = [
  {
    name: 'Sequential',
    code: 'await trial.increment();\nawait trial.increment(); …',
    /** Each call waits for the answer to the call before: ten round trips. */
    async run(trial) {
      await trial.reset();
      for (let call = 0; call < 9; call++) await trial.increment();
    },
  },
  {
    name: 'Batched',
    code: 'await Promise.all([\n  trial.increment(), …]);',
    /** All calls are made in one tick, so they share a frame. */
    run(trial) {
      const increments = Array.from({ length: 9 }, () => trial.increment());
      return Promise.all([trial.reset(), ...increments]);
    },
  },
  {
    name: 'Pipelined',
    code: 'const sum = trial.increment();\nawait trial.increment(sum); …',
    /** Each call takes the result of the call before, which has no answer yet. All calls still share a frame. */
    run(trial) {
      const start = trial.reset();
      let sum = trial.increment();
      for (let call = 0; call < 8; call++) sum = trial.increment(sum);
      return Promise.all([start, sum]);
    },
  },
];

export function wireTimings(trial: RpcClient<Counter>): void {
  const panels = WAYS.map(panelOf);
  onPress('measure', async () => {
    const times = WAYS.map((): number[] => []);
    // The first calls open the connection.
    for (const { run } of WAYS) await run(trial);
    for (let round = 1; round <= ROUNDS; round++) {
      for (const [index, { run }] of WAYS.entries()) {
        const { frames, bytes } = traffic;
        const start = performance.now();
        await run(trial);
        times[index]!.push(performance.now() - start);
        showTimes(panels[index]!, times[index]!, traffic.frames - frames, traffic.bytes - bytes);
      }
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

/** @param sent - frames and bytes of the last measurement */
function showTimes(panel: HTMLElement, times: readonly number[], ...sent: number[]): void {
  const marks = [percentile(times, 0.5), percentile(times, 0.95)];
  const figures = [...marks.map(milliseconds), ...sent];
  panel.querySelectorAll('dd').forEach((cell, index) => (cell.textContent = `${figures[index]}`));
  drawHistogram(panel.querySelector('svg')!, times, marks);
}

function percentile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.ceil(part * sorted.length) - 1] ?? 0;
}

/**
 * Draws a histogram on a logarithmic axis, from 0.1 ms to 1 s.
 *
 * @param svg - contains a path for the bars, and one for each mark
 */
function drawHistogram(svg: Element, times: readonly number[], marks: number[]): void {
  const counts = new Map<number, number>();
  for (const time of times) {
    const bin = Math.floor(position(time));
    counts.set(bin, (counts.get(bin) ?? 0) + 1);
  }
  const unit = HEIGHT / Math.max(...counts.values());
  const bars = [...counts].map(([bin, count]) => `M${bin} ${HEIGHT}v${-count * unit}h.9V${HEIGHT}`);
  const paths = [bars.join(''), ...marks.map((time) => `M${position(time)} 0V${HEIGHT}`)];
  svg.querySelectorAll('path').forEach((path, index) => path.setAttribute('d', paths[index]!));
  const [least, most] = [Math.min(...times), Math.max(...times)].map(milliseconds);
  svg.ariaLabel = `${times.length} times from ${least} to ${most}`;
}

function position(time: number): number {
  return Math.min(Math.max(0, ((Math.log10(time) + 1) / 4) * BINS), BINS - 1);
}
