/** Serves the Worker with one class for each library. */
import type { RpcClient } from '../../../../src/client.ts';
import { TestWorker } from '../../../support/test-worker.ts';
import type { Library } from './libraries.ts';
import type { Shop } from './worker.ts';

export type Client = RpcClient<Shop>;

/** The bindings, by the names of the libraries. */
export const BINDING_OF = {
  zod: 'ZOD',
  'zod/mini': 'MINI',
  valibot: 'VALIBOT',
  arktype: 'ARK',
} as const satisfies Record<Library, string>;

const CLASSES = {
  ZOD: 'ZodShop',
  MINI: 'MiniShop',
  VALIBOT: 'ValibotShop',
  ARK: 'ArkShop',
} as const;
export type Binding = keyof typeof CLASSES;

export const serve = (
  options: Parameters<typeof TestWorker.forTests>[2] = {},
): Promise<TestWorker<Shop, Binding>> => TestWorker.forTests(import.meta.dirname, CLASSES, options);
