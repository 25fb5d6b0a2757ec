/**
 * Loaded before a client's or the worker's code: every look at the clock sees another hour of the
 * last or next day. `performance.now()` and timers go on, as they do when someone sets a real clock.
 */
const HOUR = 3_600_000;
const RealDate = Date;

globalThis.Date = class extends RealDate {
  constructor(value?: number | string | Date) {
    super(value ?? jump());
  }

  static override now(): number {
    return jump();
  }
} as DateConstructor;

function jump(): number {
  return RealDate.now() + Math.floor((Math.random() - 0.5) * 48) * HOUR;
}
