/**
 * The text of frames: what is to be said of calls, and then calls. Imports call and wire/.
 */
import { encodeControl } from '../wire/messages.ts';
import type { Call } from './call.ts';

/** What the object is not told yet of calls that are not awaited any more. */
export class Frames {
  /** Calls that were sent and are not awaited any more. */
  #settled: number[] = [];
  /** Those of them that the object need not work on. */
  #cancelled: number[] = [];

  settled(id: number): void {
    this.#settled.push(id);
  }

  cancelled(id: number): void {
    this.#cancelled.push(id);
  }

  /** Takes note of a lost connection: nobody is told to stop what another connection began. */
  lost(): void {
    this.#cancelled = [];
  }

  /** Whether there is something to say without a call. */
  get isUrgent(): boolean {
    return this.#cancelled.length > 0;
  }

  /** How long, in characters, what stands before the calls may be. */
  get overhead(): number {
    return 100 + 20 * (this.#settled.length + this.#cancelled.length);
  }

  /**
   * Writes a frame, and takes down when its calls left.
   *
   * @param calls - in the order of their ids
   * @param pending - every call that is awaited
   * @param lastId - of all calls
   */
  encode(calls: readonly Call[], pending: ReadonlyMap<number, Call>, lastId: number): string {
    const now = Date.now();
    let resent: number[] = [];
    let awaits: number[] = [];
    const texts = calls.map((call) => {
      const { sentAt } = call;
      // A clock can be set back.
      if (sentAt !== undefined) resent = [call.id, resent[1] ?? Math.max(0, now - sentAt)];
      call.sentAt ??= now;
      return call.message;
    });
    const last = calls.at(-1);
    if (last) {
      const [oldest = 0] = pending.keys();
      // With the last of all calls and every one that is awaited, a frame says so by itself.
      const isAll = calls.length === pending.size && last.id === lastId;
      if (!isAll) awaits = [oldest, ...this.#settled.filter((id) => id > oldest)];
      this.#settled = [];
    }
    for (const [kind, numbers] of Object.entries({ resent, awaits, cancel: this.#cancelled })) {
      if (numbers.length > 0) texts.unshift(encodeControl(kind as 'resent', ...numbers));
    }
    this.#cancelled = [];
    return `[${texts.join()}]`;
  }
}
