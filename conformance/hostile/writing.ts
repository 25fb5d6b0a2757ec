/** How hostile frames are written down. Imports nothing. */
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

/** Such a call with one argument, the first of the items; it has the index 2. */
export function richArgument(...items: string[]): () => string {
  return rich(`[[1],[[[2]]],${items.join(',')}]`);
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
