/** A Durable Object that computes the digits of π. Its method is a generator, which runs only as far as its client reads. */
import { DurableObject } from 'cloudflare:workers';
import { lumenizeRpcDO, type RpcObject, stream } from 'lumenize-rpc/server';
import * as Type from 'lumenize-rpc/typebox';

class PiImpl extends DurableObject<Env> {
  /** Gibbons' spigot algorithm: each turn of the loop yields a digit, or takes another term of a series. */
  *digits(count: number): Iterable<number> {
    let [q, r, t, k, digit, l] = [1n, 0n, 1n, 1n, 3n, 3n];
    for (let yielded = 0; yielded < count;) {
      if (4n * q + r - t < digit * t) {
        yield Number(digit);
        yielded++;
        const next = (10n * (3n * q + r)) / t - 10n * digit;
        [q, r, digit] = [10n * q, 10n * (r - digit * t), next];
      } else {
        const sum = (2n * q + r) * l;
        digit = (q * (7n * k + 2n) + r * l) / (t * l);
        [q, r, t, k, l] = [q * k, sum, t * l, k + 1n, l + 2n];
      }
    }
  }
}

/** The number of digits is limited, because each digit takes more work than the digit before. */
const count = Type.Integer({ minimum: 1, maximum: 1_000 });

export const Pi = lumenizeRpcDO(PiImpl, {
  digits: stream([count], { readonly: true }),
});
export type Pi = RpcObject<typeof Pi>;
