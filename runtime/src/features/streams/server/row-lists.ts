/** Packs rows into messages. Small rows share a list, which is twice as fast as a message for each row. */
import type { Connection } from '../../../server/feature.ts';
import { joinMessages, type EncodedMessage } from '../../../wire/encoded-message.ts';
import { limitExceeded } from '../../../wire/limits.ts';
import { encodeTail } from '../../../wire/messages.ts';
import { encodeNext } from '../../subscriptions/wire.ts';
import { encodeStreamItem, type StreamContext } from './item-message.ts';

/**
 * The approximate number of characters from which a list becomes a message. The number is estimated before the list is
 * encoded.
 */
const LIST_SIZE = 16_384;

/** Maximum size of one row, in characters and bytes. */
const MAX_ROW_SIZE = 1_048_576;

export class RowLists {
  readonly #context: StreamContext & { readonly connection: Connection };
  #messages: EncodedMessage[] = [];
  /** The rows that are not in a message yet. `#before` is the number of rows before them. */
  #rows: unknown[] = [];
  #before = 0;
  #estimate = 0;
  /** The size of the page's messages, in characters and bytes. */
  #size = 0;

  constructor(context: StreamContext & { readonly connection: Connection }) {
    this.#context = context;
  }

  /** Returns the size of the page so far. It is estimated for rows that are not in a message yet. */
  get size(): number {
    return this.#size + this.#estimate;
  }

  beginPage(): void {
    this.#size = 0;
  }

  /**
   * @param index - the index of the row, from 0
   * @throws RpcError for a row that cannot be sent
   */
  add(row: unknown, index: number): void {
    if (this.#rows.length === 0) this.#before = index;
    this.#rows.push(row);
    this.#estimate += estimateOf(row);
    if (this.#estimate >= LIST_SIZE) this.close();
  }

  /** @throws RpcError for a row that cannot be sent; the rows before it are then in messages */
  close(): void {
    const rows = this.#rows;
    const { target, connection } = this.#context;
    if (rows.length === 0) return;
    this.#rows = [];
    this.#estimate = 0;
    try {
      this.#encode(rows, this.#before);
    } catch {
      for (const [offset, row] of rows.entries()) {
        // This throws an error that names the row, unless the row can be sent.
        encodeStreamItem(row, this.#before + offset, this.#context, (encode) =>
          connection.encode(encode, target.contract),
        );
        this.#encode([row], this.#before + offset);
      }
    }
  }

  /** Removes and returns the messages, with commas between them. */
  take(): EncodedMessage {
    const messages = joinMessages(this.#messages);
    this.#messages = [];
    return messages;
  }

  #encode(rows: unknown[], before: number): void {
    const { subscriptionId, target, connection } = this.#context;
    const message = connection.encode(
      (referenceOf) => encodeNext(subscriptionId, before + 1, encodeTail(rows, referenceOf)),
      target.contract,
    );
    const { length } = message;
    // If there are several rows, they are then sent one by one.
    if (length > MAX_ROW_SIZE) limitExceeded('the size of a row', MAX_ROW_SIZE);
    this.#messages.push(message);
    this.#size += length;
  }
}

/** Estimates the number of characters of a row. A row that contains objects counts as a full list. */
function estimateOf(row: unknown): number {
  let size = 2;
  for (const key in row as Record<string, unknown>) {
    const value = (row as Record<string, unknown>)[key];
    if (typeof value === 'object' && value !== null) return LIST_SIZE;
    size += key.length + (typeof value === 'string' ? value.length + 6 : 10);
  }
  return size;
}
