/** An encoded live value. It makes the message that brings a subscriber from another value to this value. */
import type { Connection } from '../../../server/feature.ts';
import { asText, type EncodedMessage, type TextAndBuffers } from '../../../wire/encoded-message.ts';
import type { EncodingOptions, FrameCodec } from '../../../wire/frame-codec.ts';
import { encodeTail } from '../../../wire/messages.ts';

/** The subscription that a message is for. */
export interface Receiver {
  readonly connection: Connection;
  readonly subscriptionId: number;
  /** The number of patches that were sent since all rows were sent. */
  patches: number;
}

/** Makes a message for a subscription. */
export type Update = (receiver: Receiver) => EncodedMessage;

export interface LiveValue {
  /** The size of the value, in characters and bytes. */
  readonly size: number;
  /**
   * @param sent - the last value that was sent to the subscriber; `undefined` if it is unknown
   * @returns the update that brings the subscriber to this value; `undefined` if it has this value
   */
  updateFrom(sent: LiveValue | undefined): Update | undefined;
}

/** A value that is always sent as a whole. */
export class WholeValue implements LiveValue {
  readonly #encoded: TextAndBuffers;
  readonly #frames: FrameCodec;
  /** The value with all bytes as text; set when a subscriber first needs it. */
  #plain: string | undefined;

  /** @throws RpcError `UNSERIALIZABLE` */
  constructor(value: unknown, { frames, referenceOf }: EncodingOptions) {
    const { text, buffers } = frames.split(
      (toReference) => encodeTail(value, toReference),
      referenceOf,
    );
    // The bytes are copied, because the object may change them before the next comparison.
    this.#encoded = { text, buffers: buffers.map((buffer) => new Uint8Array(buffer)) };
    this.#frames = frames;
  }

  get size(): number {
    const { text, buffers } = this.#encoded;
    return buffers.reduce((size, { length }) => size + length, text.length);
  }

  updateFrom(sent: LiveValue | undefined): Update | undefined {
    return sent instanceof WholeValue && this.#isSame(sent.#encoded) ? undefined : this.#message;
  }

  readonly #message = ({ connection, subscriptionId }: Receiver): EncodedMessage => {
    const { text, buffers } = this.#encoded;
    if (connection.readsBytes || buffers.length === 0)
      return this.#frames.pack({ text: `["value",${subscriptionId}${text}]`, buffers });
    return `["value",${subscriptionId}${(this.#plain ??= this.#withBase64())}]`;
  };

  #isSame({ text, buffers }: TextAndBuffers): boolean {
    if (this.#encoded.text !== text) return false;
    return this.#encoded.buffers.every((buffer, index) =>
      isEqual(buffer, buffers[index] as Uint8Array),
    );
  }

  /**
   * Returns the value's text with its bytes as Base64. Only a whole message can be converted, so the text is put into a
   * message with the id 0. The first two characters and the last character of that message are removed again.
   */
  #withBase64(): string {
    const { text, buffers } = this.#encoded;
    return asText(this.#frames.pack({ text: `[0${text}]`, buffers })).slice(2, -1);
  }
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
