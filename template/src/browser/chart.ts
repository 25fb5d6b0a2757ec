/** A histogram of times on a logarithmic axis, from 0.1 ms to 1 s. */
import { milliseconds } from './elements.ts';

const [BINS, HEIGHT] = [64, 10];

/** @param svg - has a path for the bars, and one for each mark */
export function drawHistogram(svg: Element, times: number[], marks: number[]): void {
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
