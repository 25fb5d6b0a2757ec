/** Damages frames at random. A seed always gives the same damage. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The replacements of tokens and parts: numbers, names, texts and whole parts. */
const SPLINTERS: Json[] = [
  JSON.parse('[0,1,2,5,-1,-2,0.5,1e21,4294967295,9007199254740992,true,false,null,""]'),
  'rich error cancel __proto__ constructor prototype toString length Function Object'.split(' '),
  'Date Map Set RegExp BigInt Boxed Sparse Null ArrayBuffer Uint8Array DataView URL'.split(' '),
  'URLSearchParams Headers Error TypeError AggregateError DOMException RpcError Call'.split(' '),
  'NaN -0 cause errors 1e999 2000-13-99 (( https:// AAAA a\0b'.split(' '),
  JSON.parse(
    `[[], {}, [[]], [[[1]]], [0], [1], [2], [3], [4294967295], ["Number","NaN"], ["Number","-0"], [[[2]]]]`,
  ),
  JSON.parse(`[["Map",[1],[2]], ["Set",[1],[1]], ["Null",{"a":[-1]}], ["Boxed",[2]], ["Boxed",1]]`),
  JSON.parse(
    `[["Sparse",{"7":1},4294967295], ["Sparse",{"1":[2]},3], ["Date",1e99], ["BigInt","x"]]`,
  ),
  JSON.parse(`[["ArrayBuffer","AAAA"], ["Uint8Array",[2],0,1], ["DataView",[3],8,4294967295]]`),
  JSON.parse(`[["Error","TypeError","Odd","",[],{"cause":[-1]}], ["Error","Object","","",""]]`),
  JSON.parse(`[["Call",1], ["Call",2,"total"], ["Call",[1],"__proto__"], ["Headers","a b",[2]]]`),
  JSON.parse(`[["RegExp","((","gg"], ["URL","//"], {"then":1}, {"toString":1,"valueOf":[2]}]`),
  JSON.parse(`[{"constructor":{"name":1}}, {"__proto__":{"polluted":1}}, {"a":[1],"b":[9]}]`),
].flat();

const CHARACTERS = '[]{}",:-0123456789.eE\\u ntfRM\0_';

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[[\]{}:,]|true|false|null/g;

export class Mutator {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** Returns a whole number from 0 up to, but not including, `limit`, by mulberry32. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let hash = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    hash = (hash + Math.imul(hash ^ (hash >>> 7), 61 | hash)) ^ hash;
    return Math.floor((((hash ^ (hash >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }

  /** Replaces, removes, adds or repeats some characters, or truncates the text. */
  damageText(text: string): string {
    const start = this.below(text.length);
    const end = start + this.below(6);
    switch (this.below(4)) {
      case 0:
        return text.slice(0, start) + CHARACTERS[this.below(CHARACTERS.length)] + text.slice(end);
      case 1:
        return text.slice(0, start) + text.slice(end);
      case 2:
        return text.slice(0, end) + text.slice(start);
      default:
        return text.slice(0, start);
    }
  }

  /** Replaces a few tokens, so that most of the frame stays JSON. */
  damageTokens(text: string): string {
    const tokens = text.match(TOKEN) ?? [];
    for (let times = 1 + this.below(3); times > 0; times--) {
      const position = this.below(tokens.length);
      if (/^["\dtfn-]/.test(tokens[position] as string)) {
        tokens[position] = JSON.stringify(this.pick(SPLINTERS));
      } else if (this.below(4) === 0) {
        tokens.splice(position, 1);
      }
    }
    return tokens.join('');
  }

  /** Replaces a few parts of a frame by parts of other frames. The result is always JSON. */
  damageTree(frame: Json, others: readonly Json[]): string {
    let damaged = frame;
    for (let times = 1 + this.below(3); times > 0; times--) {
      damaged = this.#graft(damaged, () =>
        this.below(2) ? this.pick(SPLINTERS) : this.#anyPart(this.pick(others)),
      );
    }
    return JSON.stringify(damaged);
  }

  /** Returns a copy in which one part, often a deep one, is replaced. */
  #graft(part: Json, other: () => Json): Json {
    if (typeof part !== 'object' || part === null || this.below(5) === 0) return other();
    const entries = Object.entries(part);
    const [key, value] = entries.length > 0 ? this.pick(entries) : ['0', 0];
    const grafted = this.#graft(value, other);
    if (Array.isArray(part)) return part.length > 0 ? part.with(+key, grafted) : [grafted];
    return { ...part, [key]: grafted };
  }

  #anyPart(part: Json): Json {
    if (typeof part !== 'object' || part === null || this.below(4) === 0) return part;
    const values = Object.values(part);
    return values.length > 0 ? this.#anyPart(this.pick(values)) : part;
  }
}
