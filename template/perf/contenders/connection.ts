/** What every contender offers: the few methods that the measuring code calls. Imports nothing. */

/** One connection to one counter. Every method rejects when the connection is lost. */
export interface CounterConnection {
  increment(by?: number): Promise<number>;
  getValue(): Promise<number>;
  /** Sends a value there and back. */
  echo?(value: unknown): Promise<unknown>;
  /** Holds a place in a table of bookings, gives it free again, and returns it. */
  book?(): Promise<unknown>;
  close(): void;
  /** Whether `echo` takes JSON and bytes only: such a one sends a rich value's data as JSON. */
  readonly isJsonOnly?: boolean;
}
