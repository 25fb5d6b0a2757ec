/** Loops over subscriptions, for tests that look at what came. */
import type { Subscription } from '../../src/rpc/client/subscribe.ts';

/** @returns what the loop is given, which grows */
export function listen<Value>(subscription: Subscription<Value>): Value[] {
  const heard: Value[] = [];
  void (async () => {
    // It ends with its client.
    for await (const value of subscription) heard.push(value);
  })().catch(() => {});
  return heard;
}
