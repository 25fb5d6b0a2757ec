import { readMethods } from './field-use.js';
import { rule } from './rule.js';
import { nameOf } from './tree.js';

/** Fields whose loss costs time only, or that hold what storage cannot: by name, type or value. */
const TRANSIENT_NAME = /cache|memo|promise|^[#_]*(ws|(web)?socket|conn(ection)?|client)$/i;
const TRANSIENT =
  /\b(Promise(WithResolvers)?|Weak(Map|Set|Ref)|AbortController|Time(out|r)|set(Timeout|Interval))\b|^\(?async\b|^: WebSocket\b(?!\[)|^(: |new \w+<).*=>/;

export const noUnstoredField = rule('state', (object, report) => {
  const methods = [...readMethods(object).entries()];
  const isKept = (field) =>
    methods.some(
      ([, { kept, writes, calls }]) =>
        kept.has(field) ||
        (writes.some((write) => nameOf(write) === field) &&
          methods.some(([called, { isTouching }]) => isTouching && calls.has(called))),
    );
  const done = new Set();
  for (const node of methods.flatMap(([, { isSetup, writes }]) => (isSetup ? [] : writes))) {
    const field = nameOf(node);
    const isOwn = object.node.range[0] < node.range[0] && node.range[1] < object.node.range[1];
    const isTransient =
      TRANSIENT_NAME.test(field) ||
      object.fields.get(field)?.some(({ text }) => TRANSIENT.test(text));
    if (!isOwn || isTransient || done.has(field) || isKept(field)) continue;
    done.add(field);
    report(
      node,
      `'${field}' is in memory only: hibernation, eviction and every deploy lose it. Keep it in ` +
        'storage.kv (a copy: write it through, restore it in the constructor), or in the ' +
        'serializeAttachment() of the socket it belongs to.',
    );
  }
});
