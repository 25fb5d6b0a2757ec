/**
 * An object that sends a client the messages of a test, over a real socket. The client has each
 * feature. The module runs in workerd.
 */
import {
  bindingTransport,
  capabilities,
  createRpcClient,
  type RpcClientOptions,
  traceCalls,
} from '../../../src/client.ts';
import { readAnyFrame } from '../../../src/wire/bytes.ts';
import { HEARTBEAT } from '../../../src/wire/messages.ts';
import type { AllClient } from './client-cases.ts';

/** More messages than any case needs. A client that sends more repeats its messages without end. */
const MOST_MESSAGES = 60;

export class ScriptedObject implements Disposable {
  readonly client: AllClient;
  /** The messages that have arrived. */
  readonly messages: unknown[][] = [];
  /** Messages of the client that are not frames. */
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
      tracing: traceCalls((_, run) => run({ end: () => {} })),
      ...options,
    }) as AllClient;
  }

  /** True if the client sends without end. */
  get isFlooded(): boolean {
    return this.messages.length > MOST_MESSAGES;
  }

  /** Sends a socket message unchanged. */
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
