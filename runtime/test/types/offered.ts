/**
 * The methods that a client or `subscribe(client)` has, without members that only describe a
 * mistake.
 */
import type { Mismatch } from '../../src/wire/brands.ts';

export type Offered<Methods> = {
  [Name in keyof Methods]: Methods[Name] extends Mismatch<unknown> ? never : Name;
}[Exclude<keyof Methods, symbol | `~${string}`>];
