/** Functions that write hostile frames. */
export interface HostileFrame {
  name: string;
  frame: () => string;
  /**
   * The results or error codes by call, or the error code of the frame. The counter starts at 7.
   */
  answers: Record<number | 'frame', unknown> | Record<number, unknown> | { frame: string };
}

/** Returns a call of `increment` whose arguments are a list of the general codec. */
export function rich(list: string): () => string {
  return () => `[[1,"increment","rich",${list}]]`;
}

/**
 * Returns such a call with one argument, which is the second object of the list, and with further
 * items of the list.
 */
export function richArgument(argument: string, ...items: string[]): () => string {
  return rich(`[${[`[[${argument}]]`, ...items].join(',')}]`);
}

export function plain(argument: string): () => string {
  return () => `[[1,"increment",[${argument}]]]`;
}

export function called(method: string): () => string {
  return () => `[[1,${JSON.stringify(method)}]]`;
}

export function forCall(
  code: string,
  frames: [name: string, frame: () => string][],
): HostileFrame[] {
  return frames.map(([name, frame]) => ({ name, frame, answers: { 1: code } }));
}

export function forFrame(
  code: string,
  frames: [name: string, frame: () => string][],
): HostileFrame[] {
  return frames.map(([name, frame]) => ({ name, frame, answers: { frame: code } }));
}

/**
 * Returns nested arrays. Each array contains the next one `width` times, and the innermost contains
 * `end` `width` times.
 *
 * @param first - the number of the outermost among all objects
 */
export function nest(depth: number, width = 1, end = '1', first = 2): string {
  const ends = Array.from({ length: depth - 1 }, (_, level) =>
    `,[-${first + level + 1}]`.repeat(width - 1),
  );
  const last = Array.from({ length: width }).fill(end).join();
  return `${'[['.repeat(depth)}${last}]]${ends
    .map((again) => `${again}]]`)
    .toReversed()
    .join('')}`;
}
