/** For tests of types: the methods that a client or `subscribe(client)` has, without those that only name a mistake. */
import type { Mismatch } from '../../src/wire/brands.ts';

export type Offered<Methods> = {
  [Name in keyof Methods]: Methods[Name] extends Mismatch<unknown> ? never : Name;
}[Exclude<keyof Methods, symbol | `~${string}`>];
