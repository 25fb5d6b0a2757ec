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
  /** RPC sockets of one object at a time. Default no limit. */
  connections: number;
  /** Arguments of one call. Default 32. */
  argumentCount: number;
  /** Levels of objects within objects in the arguments of one call. Default 100. */
  valueDepth: number;
  /** Objects, primitives and holes in the arguments of one call. Default 100 000. */
  valueCount: number;
}

/** The limits that a client keeps to by itself; alone, so that its bundle holds no others. */
export const FRAME_SIZE = 4_194_304;
export const CALLS_PER_FRAME = 5_000;
export const CALLS_IN_FLIGHT = 10_000;

export const DEFAULT_LIMITS: Limits = {
  frameSize: FRAME_SIZE,
  callsPerFrame: CALLS_PER_FRAME,
  callsInFlight: CALLS_IN_FLIGHT,
  connections: Infinity,
  argumentCount: 32,
  valueDepth: 100,
  valueCount: 100_000,
};

/** @throws RpcError `LIMIT_EXCEEDED` that names the limit */
export function exceeded(limit: keyof Limits | 'maxQueue' | 'nesting', allowed: number): never {
  throw new RpcError('LIMIT_EXCEEDED', `More than ${limit} allows: ${allowed}`);
}
