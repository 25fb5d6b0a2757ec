/**
 * What a heap of times says: pure functions over numbers, the same result for the same input.
 * Imports nothing.
 */

/** An estimate and the interval that holds it with the confidence asked for. */
export interface Estimate {
  value: number;
  low: number;
  high: number;
}

export interface BootstrapOptions {
  /** How often to draw a sample of samples. Default 2 000. */
  resamples?: number;
  /** From 0 to 1. Default 0.95. */
  confidence?: number;
  /** Of the random numbers, so that the same samples give the same interval. Default 1. */
  seed?: number;
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
  return lower + (upper - lower) * (position - Math.floor(position));
}

/** Beyond this a modified z-score is an outlier's, say Iglewicz and Hoaglin, who made it. */
const FAR = 3.5;
/** The median absolute deviation of normally distributed samples, in standard deviations. */
const NORMAL = 0.6745;

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
  const deviation = median(distances);
  if (deviation === 0) return [];
  return [...samples.keys()].filter((index) => {
    return (NORMAL * (distances[index] as number)) / deviation > FAR;
  });
}

/**
 * How the times of one contender relate to another's: the median of the ratios of the rounds that
 * they did side by side. Noise that lasts longer than a round is in both times and cancels out.
 *
 * @param times - one for each round
 * @param floorTimes - of the same rounds, in the same order
 * @throws RangeError when the rounds are none, or not pairs
 */
export function pairedRatio(
  times: readonly number[],
  floorTimes: readonly number[],
  options?: BootstrapOptions,
): Estimate {
  if (times.length !== floorTimes.length) {
    throw new RangeError(`${times.length} rounds against ${floorTimes.length} are no pairs`);
  }
  const ratios = times.map((time, index) => time / (floorTimes[index] as number));
  return bootstrap(ratios, median, options);
}

/**
 * How the median of one series relates to that of another, measured in other rounds of the same run.
 *
 * @throws RangeError when a series has no samples
 */
export function ratioOfMedians(
  times: readonly number[],
  others: readonly number[],
  options?: BootstrapOptions,
): Estimate {
  const own = bootstrap(times, median, options);
  const other = bootstrap(others, median, options);
  return { value: own.value / other.value, low: own.low / other.high, high: own.high / other.low };
}

/**
 * A statistic of the samples, with the percentile bootstrap's interval: the statistic of many
 * samples drawn from the samples, each as large, with replacement.
 *
 * @throws RangeError when there are no samples
 */
export function bootstrap(
  samples: readonly number[],
  statistic: (samples: readonly number[]) => number,
  { resamples = 2000, confidence = 0.95, seed = 1 }: BootstrapOptions = {},
): Estimate {
  const random = randomNumbers(seed);
  const draw = (): number => samples[Math.floor(random() * samples.length)] as number;
  const value = statistic(samples);
  const drawn = Array.from({ length: resamples }, () => statistic(samples.map(draw)));
  const tail = (1 - confidence) / 2;
  return { value, low: percentile(drawn, tail), high: percentile(drawn, 1 - tail) };
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
