/** Runs before the Worker, and makes its clock and its timers four times as fast. */
const FASTER = 4;

const { now } = Date;
const set = globalThis.setTimeout;

Date.now = () => FASTER * now();

/** Replaces the global function. */
function setFastTimeout(run: () => void, delay = 0): unknown {
  return set(run, delay / FASTER);
}

export { setFastTimeout as setTimeout };
