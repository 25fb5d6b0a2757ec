/**
 * What a heap of times says: pure functions over numbers, the same result for the same input.
 * Imports nothing.
 */

/** A value and the interval that holds it with a confidence of 95 %. */
export interface Estimate {
  value: number;
  low: number;
  high: number;
}

/** @throws RangeError when there are no samples */
export function median(samples: readonly number[]): number {
  return percentile(samples, 0.5);
}

/**
 * The value below which a part of the samples lies; between two samples, the line that joins them.
 *
 * @param part - from 0 (the least) to 1 (the greatest)
 * @throws RangeError when there are no samples, or the part is out of range
 */
export function percentile(samples: readonly number[], part: number): number {
  if (samples.length === 0) throw new RangeError('There are no samples');
  if (!(part >= 0 && part <= 1)) throw new RangeError(`${part} is not between 0 and 1`);
  const sorted = Float64Array.from(samples).toSorted();
  const position = part * (sorted.length - 1);
  const lower = sorted[Math.floor(position)] as number;
  const upper = sorted[Math.ceil(position)] as number;
  return lower + (upper - lower) * (position % 1);
}

/**
 * Which samples lie far from the others: by their distance from the median, in median absolute
 * deviations. None when more than half of them are the same.
 *
 * @returns their indices
 * @throws RangeError when there are no samples
 */
export function outliers(samples: readonly number[]): number[] {
  const middle = median(samples);
  const distances = samples.map((sample) => Math.abs(sample - middle));
  // A modified z-score of 3.5, say Iglewicz and Hoaglin: 0.6745 makes it one of standard deviations.
  const far = (median(distances) * 3.5) / 0.6745;
  return [...samples.keys()].filter((index) => far > 0 && (distances[index] as number) > far);
}

/**
 * How the times of one contender relate to another's: the median of the ratios of the rounds that
 * they did side by side. Noise that lasts longer than a round is in both times and cancels out.
 *
 * @param times - one for each round
 * @param floorTimes - of the same rounds, in the same order
 * @throws RangeError when the rounds are none, or not pairs
 */
export function pairedRatio(times: readonly number[], floorTimes: readonly number[]): Estimate {
  if (times.length !== floorTimes.length) {
    throw new RangeError(`${times.length} rounds against ${floorTimes.length} are no pairs`);
  }
  return estimate(times.map((time, index) => time / (floorTimes[index] as number)));
}

/**
 * How the median of one series relates to that of another, measured in other rounds of the same run.
 *
 * @throws RangeError when a series has no samples
 */
export function ratioOfMedians(times: readonly number[], others: readonly number[]): Estimate {
  const [own, other] = [estimate(times), estimate(others)];
  return { value: own.value / other.value, low: own.low / other.high, high: own.high / other.low };
}

/**
 * The median of the samples, with the percentile bootstrap's interval: the medians of many samples
 * drawn from the samples, each as large, with replacement.
 *
 * @throws RangeError when there are no samples
 */
export function estimate(samples: readonly number[]): Estimate {
  const random = randomNumbers(1);
  const draw = (): number => samples[Math.floor(random() * samples.length)] as number;
  const value = median(samples);
  const drawn = Array.from({ length: 2000 }, () => median(samples.map(draw)));
  return { value, low: percentile(drawn, 0.025), high: percentile(drawn, 0.975) };
}

/** Numbers from 0 up to 1 that look random, the same for the same seed: the mulberry32 generator. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
