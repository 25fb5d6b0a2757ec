/** Loaded before the Worker: its clock and its timers run four times as fast, so that it waits a quarter of what it would. */
const FASTER = 4;

const { now } = Date;
const set = globalThis.setTimeout;

Date.now = () => FASTER * now();

/** Takes the place of the global function. */
function setFastTimeout(run: () => void, delay = 0): unknown {
  return set(run, delay / FASTER);
}

export { setFastTimeout as setTimeout };
