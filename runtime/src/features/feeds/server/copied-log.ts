/** The events that the copy of a feed holds in memory. They have the numbers and the epochs of the origin. */
import type { EventLog } from './open-feed.ts';
import type { LogSection } from './feed-log.ts';
import type { EventText, Position } from '../../subscriptions/wire.ts';

/** Events after a position, without a gap. */
class Run {
  after: Position;
  readonly events: EventText[];

  constructor(after: Position, events: EventText[] = []) {
    this.after = after;
    this.events = events;
  }

  get end(): Position {
    const { event } = this.after;
    return this.events.length > 0
      ? { event: event + this.events.length, epoch: this.events.at(-1)?.epoch ?? '' }
      : this.after;
  }

  /** Returns the epoch of an event, or of the position before the first event; `undefined` for any other event. */
  epochOf(event: number): string | undefined {
    const { after, events } = this;
    return event === after.event ? after.epoch : events[event - after.event - 1]?.epoch;
  }
}

export class CopiedLog implements EventLog {
  #newest = new Run({ event: 0, epoch: '' });
  /** Earlier events that were requested, separate from the newest events. */
  #earlier: Run | undefined;
  /** The size of all events, in characters. */
  size = 0;

  /** Returns the position before the first of the newest events. */
  get start(): Position {
    return this.#newest.after;
  }

  get end(): Position {
    return this.#newest.end;
  }

  get length(): number {
    return this.#newest.events.length + (this.#earlier?.events.length ?? 0);
  }

  epochOf(event: number): string | undefined {
    return this.#newest.epochOf(event) ?? this.#earlier?.epochOf(event);
  }

  heldAfter(event: number): number {
    return this.#runWith(event)?.end.event ?? event;
  }

  read(after: number, last: number): LogSection {
    const run = this.#runWith(after);
    if (!run) return { before: undefined, texts: [], epochs: new Map() };
    const from = after - run.after.event;
    const events = run.events.slice(from, last - run.after.event);
    const before = run.epochOf(after);
    const epochs = new Map<number, string>();
    let epoch = before;
    for (const [index, event] of events.entries()) {
      if (event.epoch !== epoch) epochs.set(after + index + 1, (epoch = event.epoch));
    }
    return { before, texts: events.map(({ text }) => text), epochs };
  }

  /** Drops all events, and continues after a position. */
  restart(position: Position): void {
    this.#newest = new Run(position);
    this.#earlier = undefined;
    this.size = 0;
  }

  append(event: EventText): void {
    this.#newest.events.push(event);
    this.size += event.text.length;
  }

  /**
   * Adds older events. If no gap separates them from the newest events, they are added to these. Otherwise they replace
   * the earlier events that are held.
   *
   * @param after - the position before the events
   * @param keep - the maximum number of the newest events
   */
  add(after: Position, events: readonly EventText[], keep: number): void {
    const { start } = this;
    const missing = events.slice(0, Math.max(start.event - after.event, 0));
    if (missing.length === 0) return;
    const isNext = after.event + missing.length === start.event;
    const fits = isNext && (missing.at(-1)?.epoch ?? after.epoch) === start.epoch;
    this.forgetEarlier();
    for (const { text } of missing) this.size += text.length;
    if (fits && missing.length + this.length <= keep) {
      this.#newest = new Run(after, [...missing, ...this.#newest.events]);
    } else this.#earlier = new Run(after, missing);
  }

  forgetEarlier(): void {
    for (const { text } of this.#earlier?.events ?? []) this.size -= text.length;
    this.#earlier = undefined;
  }

  /** Drops the first of the newest events. */
  trim(count: number): void {
    const { after, events } = this.#newest;
    const dropped = events.splice(0, count);
    const last = dropped.at(-1);
    if (!last) return;
    this.#newest.after = { event: after.event + dropped.length, epoch: last.epoch };
    for (const { text } of dropped) this.size -= text.length;
  }

  #runWith(event: number): Run | undefined {
    return [this.#newest, this.#earlier].find((run) => run?.epochOf(event) !== undefined);
  }
}
