/** How hostile frames are written down. */
export interface HostileFrame {
  name: string;
  frame: () => string;
  /** The results, or the codes of errors, by call, or for the frame. The counter stands at 7. */
  answers: Record<number | 'frame', unknown> | Record<number, unknown> | { frame: string };
}

/** A call of `increment` with a list of the general codec for its arguments. */
export function rich(list: string): () => string {
  return () => `[[1,"increment","rich",${list}]]`;
}

/** Such a call with one argument, which is the second object to be met, and what the list has beside it. */
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
 * So many arrays, each `width` times in the one before it; the last holds `end` so often.
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
