/** Serves the rooms. */
import { TestWorker } from '../../../support/test-worker.ts';
import { capabilities, type RpcClient } from '../../../../src/client.ts';
import type { Room } from './worker.ts';

export type Client = RpcClient<Room>;

const BINDINGS = { ROOM: 'Room', RATED: 'Rated' } as const;

export const serve = (): Promise<TestWorker<Room, keyof typeof BINDINGS>> =>
  TestWorker.forTests(import.meta.dirname, BINDINGS, {
    clients: { capabilities },
    fence: 'path',
  });
