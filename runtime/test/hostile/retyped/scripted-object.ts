/** An object that sends what a test tells it, over a real socket, to a client with each feature. Runs in workerd. */
import {
  bindingTransport,
  capabilities,
  createRpcClient,
  type RpcClientOptions,
} from '../../../src/client.ts';
import { readAnyFrame } from '../../../src/wire/bytes.ts';
import { HEARTBEAT } from '../../../src/wire/messages.ts';
import type { AllClient } from './client-cases.ts';

/** More messages than any case sends: a client that sends more asks again and again. */
const MOST_MESSAGES = 60;

export class ScriptedObject implements Disposable {
  readonly client: AllClient;
  /** The messages that have arrived. */
  readonly messages: unknown[][] = [];
  /** What the client has sent that is no frame. */
  readonly malformed: unknown[] = [];
  readonly #answer: (message: unknown[], object: ScriptedObject) => void;
  #socket: WebSocket | undefined;

  /** @param answer - called with each message of the client */
  constructor(
    answer: (message: unknown[], object: ScriptedObject) => void,
    options: RpcClientOptions = {},
  ) {
    this.#answer = answer;
    const transport = bindingTransport({ fetch: async () => this.#accept() }, { socket: true });
    this.client = createRpcClient('ALL', 'scripted', {
      transport,
      capabilities,
      ...options,
    }) as AllClient;
  }

  /** Whether the client sends without end. */
  get isFlooded(): boolean {
    return this.messages.length > MOST_MESSAGES;
  }

  /** Sends a message of a socket as it stands. */
  send(frame: string | ArrayBuffer): void {
    this.#socket?.send(frame);
  }

  [Symbol.dispose](): void {
    this.client.close();
  }

  #accept(): Response {
    const { 0: client, 1: server } = new WebSocketPair();
    this.#socket = server;
    server.binaryType = 'arraybuffer';
    server.accept();
    server.addEventListener('message', ({ data }) => this.#receive(data as string | ArrayBuffer));
    return new Response(null, { status: 101, webSocket: client });
  }

  #receive(frame: string | ArrayBuffer): void {
    if (frame === HEARTBEAT || String(frame) === '\x06') return;
    const messages = readAnyFrame(frame);
    if (!messages) this.malformed.push(frame);
    for (const message of messages ?? []) {
      this.messages.push(message);
      if (!this.isFlooded) this.#answer(message, this);
    }
  }
}
