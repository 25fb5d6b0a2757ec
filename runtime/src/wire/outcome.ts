/** Names the outcome of a call in reports and in traces. */
import { RpcError } from './errors.ts';

/** Returns the outcome of a call that threw a value. */
export function outcomeOf(thrown: unknown): string {
  try {
    if (thrown instanceof RpcError) return thrown.code;
    return thrown instanceof Error ? thrown.name : 'Error';
  } catch {
    // A proxy that was thrown can throw from any of its traps.
    return 'Error';
  }
}
