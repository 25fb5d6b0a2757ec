/** The interface of a connection, or of one POST, that calls and features use. `ClientConnection` implements it. */
import type { Encode, EncodedMessage } from '../../wire/encoded-message.ts';
import type { EncodingOptions } from '../../wire/frame-codec.ts';
import type { Limits } from '../base/limits.ts';
import type { ClientMemory } from '../base/memory.ts';

/** A client's subscription; `state` is the form that can be stored. */
export interface StorableSubscription {
  readonly state: readonly unknown[];
}

/** The subscriptions of a connection, by the client's numbers. */
export type Subscriptions<Subscription extends StorableSubscription = StorableSubscription> = Map<
  number,
  Subscription
> & {
  /** Records of the subscriptions from before hibernation that have not been restored. */
  stored: readonly StorableSubscription['state'][];
  /** The records to store. */
  readonly records: readonly StorableSubscription['state'][];
};

export interface RunningCall {
  readonly answer: Promise<EncodedMessage>;
  /** True if the client still waits for the answer. */
  isAwaited: boolean;
}

export interface Connection {
  readonly caller: unknown;
  readonly owner: string | undefined;
  readonly client: string | undefined;
  readonly running: Map<number, RunningCall>;
  /** The account of the bytes that the object holds for the client. */
  readonly memory: ClientMemory;
  readonly subscriptions: Subscriptions;
  limits: Limits;
  readsBytes: boolean;
  readonly isClosed: boolean;
  readonly isFull: boolean;
  readonly isConnection: boolean;
  readonly isOpen: boolean;
  queue(message: EncodedMessage): void;
  send(message: EncodedMessage): void;
  encode(encode: Encode, writing: EncodingOptions): EncodedMessage;
  close(code: number, reason: string): void;
  storeState(): void;
  countRejection(count?: number): void;
  countCall(): void;
  holdInFlight(bytes: number, isRunning?: boolean): () => void;
  mayCall(): boolean;
  rejectFrame(error: unknown): void;
}
