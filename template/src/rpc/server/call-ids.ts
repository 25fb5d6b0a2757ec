/**
 * A set of call ids that takes little room: ids ascend, so what is in it is a few runs without gaps.
 * Imports nothing.
 */

/**
 * How many gaps are remembered. A gap is a call that its client still awaits or that has not
 * arrived. Beyond this number the oldest gaps are closed, so that nobody can make the set grow.
 */
const MAX_GAPS = 2_000;

export class CallIds {
  /** The first and the last id of each run, ascending. */
  readonly #edges: number[];

  /** @param edges - from `edges` of another set; taken over */
  constructor(edges: number[] = []) {
    this.#edges = edges;
  }

  /** What it takes to make the set again. */
  get edges(): readonly number[] {
    return this.#edges;
  }

  has(id: number): boolean {
    if (id > this.#newest) return false;
    const start = this.#firstRunEndingAt(id);
    return id >= (this.#edges[start] ?? Infinity);
  }

  /**
   * Adds all ids of a range, both ends included.
   *
   * @returns whether any of them is new
   */
  add(first: number, last = first): boolean {
    if (first > last) return false;
    const edges = this.#edges;
    // Nearly always it goes on with the last run, if all of it is not there yet.
    if (first >= (edges[edges.length - 2] ?? Infinity) && first <= this.#newest + 1) {
      if (last <= this.#newest) return false;
      edges[edges.length - 1] = last;
      return true;
    }
    // Runs that touch the range become one with it.
    const start = this.#firstRunEndingAt(first - 1);
    if (first >= (edges[start] ?? Infinity) && last <= (edges[start + 1] as number)) return false;
    let end = start;
    while ((edges[end] ?? Infinity) <= last + 1) end += 2;
    const merged =
      end > start
        ? [Math.min(first, edges[start] as number), Math.max(last, edges[end - 1] as number)]
        : [first, last];
    edges.splice(start, end - start, ...merged);
    if (edges.length > 2 * MAX_GAPS) edges.splice(1, 2);
    return true;
  }

  /** The last id of the last run: most of what is asked and added is newer, or the next one. */
  get #newest(): number {
    const edges = this.#edges;
    return edges.length > 0 ? (edges[edges.length - 1] as number) : -Infinity;
  }

  /** The index in `edges` of the first run that ends at an id or after it. */
  #firstRunEndingAt(id: number): number {
    const edges = this.#edges;
    let low = 0;
    let high = edges.length / 2;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((edges[2 * middle + 1] as number) < id) low = middle + 1;
      else high = middle;
    }
    return 2 * low;
  }
}
