/** Statistics of times: pure functions over numbers, with the same result for the same input. */

/** A value, and its confidence interval of 95 %. */
export interface Estimate {
  value: number;
  low: number;
  high: number;
}

/** The greatest ratio of an interval's end to its beginning. On an idle machine, nearly all intervals are narrower. */
const WIDEST = 2;

/** Returns whether an interval is so wide that its value says nothing, as on a busy machine. */
export function isWide({ low, high }: Estimate): boolean {
  return high > low * WIDEST;
}

/** @throws RangeError if there are no samples */
export function median(samples: readonly number[]): number {
  return percentile(samples, 0.5);
}

/**
 * Returns the value below which a part of the samples lies, with linear interpolation between two samples.
 *
 * @param part - the part, from 0 (the least) to 1 (the greatest)
 * @throws RangeError if there are no samples, or the part is out of range
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
 * Finds the samples that lie far from the others, by their distance from the median in median absolute
 * deviations. It finds none if more than half of the samples are the same.
 *
 * @returns the indices of these samples
 * @throws RangeError if there are no samples
 */
export function outliers(samples: readonly number[]): number[] {
  const middle = median(samples);
  const distances = samples.map((sample) => Math.abs(sample - middle));
  // Iglewicz and Hoaglin use a modified z-score of 3.5. The factor 0.6745 relates the median absolute
  // deviation to the standard deviation.
  const far = (median(distances) * 3.5) / 0.6745;
  return [...samples.keys()].filter((index) => far > 0 && (distances[index] as number) > far);
}

/**
 * Returns the times of one contender relative to the times of another contender: the median of the ratios of rounds
 * that ran side by side. Noise that lasts longer than a round affects both times and cancels out.
 *
 * @param times - one time for each round
 * @param floorTimes - the times of the floor in the same rounds, in the same order
 * @throws RangeError if there are no rounds, or if one series has more rounds
 */
export function pairedRatio(times: readonly number[], floorTimes: readonly number[]): Estimate {
  if (times.length !== floorTimes.length) {
    throw new RangeError(
      `There are ${times.length} rounds, and ${floorTimes.length} rounds of the floor: each round needs one of the floor`,
    );
  }
  return estimate(times.map((time, index) => time / (floorTimes[index] as number)));
}

/**
 * Returns the median of one series relative to the median of another series, which was measured in other rounds of the
 * same run.
 *
 * @throws RangeError if a series has no samples
 */
export function ratioOfMedians(times: readonly number[], others: readonly number[]): Estimate {
  const [own, other] = [estimate(times), estimate(others)];
  return { value: own.value / other.value, low: own.low / other.high, high: own.high / other.low };
}

/**
 * Returns the median of the samples, with an interval by the percentile bootstrap. The bootstrap draws many sets of the
 * same size from the samples, with replacement, and takes the percentiles of their medians.
 *
 * @throws RangeError if there are no samples
 */
export function estimate(samples: readonly number[]): Estimate {
  const random = randomNumbers(1);
  const draw = (): number => samples[Math.floor(random() * samples.length)] as number;
  const value = median(samples);
  const drawn = Array.from({ length: 2000 }, () => median(samples.map(draw)));
  return { value, low: percentile(drawn, 0.025), high: percentile(drawn, 0.975) };
}

/** Returns a generator of pseudorandom numbers from 0 up to 1 (mulberry32). Equal seeds give equal numbers. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
