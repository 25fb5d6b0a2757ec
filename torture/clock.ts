/** Makes the clock wrong. `performance.now()` and timers stay right, as they do when someone sets a real clock. */
const MINUTE = 60_000;

/** Makes each reading of `Date` wrong, by up to this many minutes in either direction. */
export function jumpBy(minutes: number): void {
  const RealDate = Date;
  const jump = (): number =>
    RealDate.now() + Math.floor((Math.random() * 2 - 1) * minutes) * MINUTE;
  globalThis.Date = class extends RealDate {
    constructor(value?: number | string | Date) {
      super(value ?? jump());
    }

    static override now(): number {
      return jump();
    }
  } as DateConstructor;
}
