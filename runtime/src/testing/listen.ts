/** Collects what subscriptions receive. */
import type { Subscription } from '../client.ts';

/** @returns the values that the loop has received; more are added as they arrive */
export function listen<Value>(subscription: Subscription<Value>): Value[] {
  const heard: Value[] = [];
  void (async () => {
    // The loop ends when its client is closed.
    for await (const value of subscription) heard.push(value);
  })().catch(() => {});
  return heard;
}
