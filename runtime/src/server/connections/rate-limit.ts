/** Limits how many calls a connection may begin in a second: `limits.callsPerSecond`. */

export class RateLimit {
  /** The number of calls that may begin now, and the time of its computation, in the time of `Date.now()`. */
  #tokens = Infinity;
  #refilled = 0;

  /**
   * Returns whether one more call may begin now, and counts the call if so.
   *
   * @param callsPerSecond - the limit; all calls of a second can come at once
   */
  admits(callsPerSecond: number): boolean {
    const now = Date.now();
    const added = (Math.max(now - this.#refilled, 0) / 1000) * callsPerSecond;
    this.#tokens = Math.min(this.#tokens + added, callsPerSecond);
    this.#refilled = now;
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }
}
