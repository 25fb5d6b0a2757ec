/** Tests the WebSocket classes that a client accepts, from the platform and from packages. */
import { test } from 'vitest';
import type { WebSocket as WebSocketOfNode } from 'undici-types';
import type WebSocketOfPackage from 'ws';
import { createRpcClient, type WebSocketClass } from '../../src/client.ts';
import { observeSockets } from '../../src/debug.ts';

declare const ofPackage: typeof WebSocketOfPackage;
declare const ofNode: typeof WebSocketOfNode;

test('a client accepts each class', () => {
  void (() => [
    createRpcClient('COUNTER', 'mine', { WebSocket: ofPackage }),
    createRpcClient('COUNTER', 'mine', { WebSocket: ofNode }),
    createRpcClient('COUNTER', 'mine', { WebSocket }),
    createRpcClient('COUNTER', 'mine', { WebSocket: class extends WebSocket {} }),
    createRpcClient('COUNTER', 'mine', {
      WebSocket: observeSockets(() => {}, ofPackage).WebSocket,
    }),
    createRpcClient('COUNTER', 'mine', { WebSocket: undefined }),
  ]);
  // @ts-expect-error: a Date is not a WebSocket
  void ((): WebSocketClass => Date);
});
