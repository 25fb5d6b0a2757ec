/** How much one peer may ask of the other. Imports errors only. */
import { RpcError } from './errors.ts';

/** Every limit is checked before the work that it bounds; a breach answers `LIMIT_EXCEEDED`. */
export interface Limits {
  /** Characters of text in one frame. Default 4 194 304 (4 MiB of ASCII). */
  frameSize: number;
  /** Calls in one frame. Default 5 000. */
  callsPerFrame: number;
  /** Calls of one connection that have not been answered yet. Default 10 000. */
  callsInFlight: number;
  /** Arguments of one call. Default 32. */
  argumentCount: number;
  /** Levels of objects within objects in the arguments of one call. Default 100. */
  valueDepth: number;
  /** Objects, primitives and holes in the arguments of one call. Default 100 000. */
  valueCount: number;
}

export const DEFAULT_LIMITS: Limits = {
  frameSize: 4 * 1024 * 1024,
  callsPerFrame: 5_000,
  callsInFlight: 10_000,
  argumentCount: 32,
  valueDepth: 100,
  valueCount: 100_000,
};

/** @throws RpcError `LIMIT_EXCEEDED` that names the limit */
export function exceeded(limit: keyof Limits, allowed: number): never {
  throw new RpcError('LIMIT_EXCEEDED', `More than ${allowed}, the limit named ${limit}`);
}
