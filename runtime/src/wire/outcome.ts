/** How the end of a call is named in reports and in traces. */
import { RpcError } from './errors.ts';

/** The outcome of a call that threw a value. */
export function outcomeOf(thrown: unknown): string {
  try {
    if (thrown instanceof RpcError) return thrown.code;
    return thrown instanceof Error ? thrown.name : 'Error';
  } catch {
    // A proxy that was thrown can throw from any of its traps.
    return 'Error';
  }
}
