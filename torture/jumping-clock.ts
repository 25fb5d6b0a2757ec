/**
 * Makes each reading of `Date` wrong. It has to be loaded before the other code. `performance.now()` and timers stay right,
 * as they do when someone sets a real clock.
 *
 * Clients are wrong by up to a day. Objects forget clients by the clock, which is accurate on Cloudflare. In a Worker the
 * error has to be less than the half hour in which an object accepts a call again.
 */
const MINUTE = 60_000;

/** The maximum number of minutes in either direction. */
const MOST = navigator.userAgent === 'Cloudflare-Workers' ? 20 : 24 * 60;

const RealDate = Date;

function jump(): number {
  return RealDate.now() + Math.floor((Math.random() * 2 - 1) * MOST) * MINUTE;
}

globalThis.Date = class extends RealDate {
  constructor(value?: number | string | Date) {
    super(value ?? jump());
  }

  static override now(): number {
    return jump();
  }
} as DateConstructor;
