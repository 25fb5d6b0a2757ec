/**
 * A grammar of frames. A plan names the rules that make a frame. The plan is small and can be changed, while the frame can
 * have megabytes. The rules repeat costly contents, such as members of a Set that V8 puts into one bucket.
 */

/** A plan for a text: a rule, and the plans of inner texts. */
export interface Plan {
  readonly rule: string;
  /** A number from 0 up to 1, which distinguishes the texts of one rule. */
  readonly knob: number;
  readonly inner: readonly Plan[];
}

/** The values and functions that a rule can use to make a text. */
interface Making {
  /** The approximate number of characters of the text. */
  readonly size: number;
  readonly knob: number;
  /** Makes the text of an inner plan. Without inner plans, it makes a small number. */
  inner(size: number, index?: number): string;
  /** Returns the next number, for texts that must differ. */
  next(): number;
}

type Rule = (making: Making) => string;

/** Joins texts by commas, until they have this number of characters. */
function many(size: number, make: (index: number) => string): string {
  const texts: string[] = [];
  for (let length = 0, index = 0; length < size && index < 1_000_000; index++) {
    const text = make(index);
    texts.push(text);
    length += text.length + 1;
  }
  return texts.join(',');
}

function pick<Item>(items: readonly Item[], knob: number): Item {
  return items[Math.floor(knob * items.length)] as Item;
}

/** Returns a text of 8 to 10 digits. All such numbers have equal last 17 bits, so they share a place in a table of V8. */
function sameBits(index: number): string {
  return JSON.stringify(String(10_092_544 + (index % 32_000) * 2 ** 17));
}

const CLASSES = ['Error', 'TypeError', 'RpcError', 'DOMException', 'AggregateError'];
const SOURCES = [
  String.raw`\\p{L}`,
  '(a|b)*',
  '[^a]',
  '(?<=a)',
  'a{1,9}',
  '(?:)',
  String.raw`[\\w--a]`,
];
const FLAGS = ['', 'iv', 'iu', 'v', 'gi'];
const VIEWS = ['DataView', 'Int8Array', 'Float64Array', 'BigInt64Array'];
const ADDRESSES = ['a:', 'http://a', 'http://ü', 'http://a/../', 'http://[::1]', 'http://1.1'];

/** The rules of values without a tag. */
const PLAIN: Readonly<Record<string, Rule>> = {
  number: ({ knob }) =>
    pick(['0', '-1', '1e-310', '1.7976931348623157e308', '7'.repeat(400)], knob),
  text: ({ size }) => JSON.stringify('x'.repeat(size)),
  escapes: ({ size }) => `"${String.raw`\u0031`.repeat(size / 6)}"`,
  digits: ({ next, knob }) => (knob < 0.5 ? sameBits(next()) : `"${10_000_000 + next()}"`),
  array: ({ size, inner }) => `[[${many(size, () => inner(size / 50))}]]`,
  object: ({ size, inner, next }) => `{${many(size, () => `"k${next()}":${inner(size / 50)}`)}}`,
  indexes: ({ size, knob, next }) =>
    `{${many(size, () => `"${Math.floor(knob * 10_000) * next()}":0`)}}`,
  keys: ({ size, next }) => `{${many(size, () => `${sameBits(next())}:0`)}}`,
  nested: ({ size, knob, inner }) => {
    const depth = Math.min(1 + Math.floor(knob * 100), size / 4);
    return `${'[[0,'.repeat(depth)}${inner(size - depth * 8)}${']]'.repeat(depth)}`;
  },
};

/** The rules of values that only the general codec has. */
const RICH: Readonly<Record<string, Rule>> = {
  undefined: () => '[]',
  earlier: ({ knob }) => `[${-1 - Math.floor(knob * 5)}]`,
  repeated: ({ knob }) => {
    const levels = 4 + Math.floor(knob * 30);
    let text = '[0,0]';
    for (let level = levels; level > 0; level--) text = `[${text},[${-2 - level}]]`;
    return text;
  },
  bigint: ({ size, knob }) => `["BigInt","${knob < 0.1 ? '0x' : ''}${'7'.repeat(size)}"]`,
  bigints: ({ next }) => `["BigInt","${(BigInt(next() + 1) << 64n) + 5n}"]`,
  numeral: ({ size, knob }) => `["Number","${knob < 0.5 ? '0.' : ''}${'7'.repeat(size)}"]`,
  boxed: ({ inner, size }) => `["Boxed",${inner(size)}]`,
  date: ({ knob }) => `["Date",${knob}]`,
  regExp: ({ size, knob, next }) => {
    const source = pick(SOURCES, (knob * 7) % 1);
    return `["RegExp","${source.repeat(Math.max(1, size / source.length))}${next()}","${pick(FLAGS, knob)}"]`;
  },
  url: ({ size, knob }) =>
    `["URL","${pick(ADDRESSES, knob)}${size > 100 ? 'a/../'.repeat(size / 5) : ''}"]`,
  query: ({ size }) => `["URLSearchParams","${'a&'.repeat(size / 2)}"]`,
  headers: ({ size, knob, next }) =>
    `["Headers",${many(size, () => (knob < 0.5 ? '"a",""' : `"a${next()}","b"`))}]`,
  set: ({ size, inner }) => `["Set",${many(size, () => inner(size / 50))}]`,
  map: ({ size, inner }) =>
    `["Map",${many(size, () => `${inner(size / 50)},${inner(size / 50, 1)}`)}]`,
  sparse: ({ size, knob, inner }) =>
    `["Sparse",{"0":${inner(size)}},${pick([1, 700, 2_000, 99_000, 4e9], knob)}]`,
  null: ({ inner, size }) => `["Null",{"a":${inner(size)}}]`,
  error: ({ inner, size, knob }) =>
    `["Error","${pick(CLASSES, knob)}","a","",${knob < 0.5 ? '[]' : '"s"'},{"cause":${inner(size)}}]`,
  view: ({ knob }) => `["${pick(VIEWS, knob)}",["ArrayBuffer"],0,0]`,
};

/** The bytes and the other references that values can refer to. */
const ITEMS = ',["ArrayBuffer","AAAAAAAAAAA="],["Function",1],["Stream",1],["Call",1]';

/** The rules of messages of all kinds. Each message has the values of one inner plan. */
const MESSAGES: Readonly<Record<string, Rule>> = {
  plainCall: ({ size, inner }) => `[2,"take",[${inner(size)}]]`,
  call: ({ size, inner }) => `[2,"take","rich",[[[${inner(size)}]]]]`,
  listCall: ({ size, inner }) => `[2,"takeList","rich",[[[${inner(size)}]]]]`,
  calls: ({ size, inner }) =>
    many(size, (index) => `[${index + 2},"take","rich",[[[${inner(60)}]]]]`),
  listCalls: ({ size, inner }) =>
    many(size, (index) => `[${index + 2},"takeList","rich",[[[${inner(60)}]]]]`),
  references: ({ size, inner }) => `[1,"ping"],[2,"take","rich",[[[[4]]],${inner(size)}${ITEMS}]]`,
  buffers: ({ size }) => {
    const count = Math.floor(size / 25);
    const indexes = many(count * 4, (index) => `[${index + 1}]`);
    return `[2,"take","rich",[[[[${indexes}]]]${',["ArrayBuffer",""]'.repeat(count)}]]`;
  },
  views: ({ size, knob }) =>
    `[2,"take","rich",[[[[[1],${many(size, () => `["${pick(VIEWS, knob)}",[-4],0,0]`)}]]],["ArrayBuffer",""]]]`,
  path: ({ size }) => `[1,"ping"],[2,["take",1,${many(size, () => '"a"')}]]`,
  address: ({ size, inner }) => `[2,["take","Class","1",${inner(size)}]]`,
  method: ({ size }) => `[2,"${'x'.repeat(size)}"]`,
  unknown: ({ size }) => many(Math.min(size, 40_000), (index) => `[${index + 2},"x"]`),
  cancel: ({ size }) => `["cancel",${many(size, String)}]`,
  awaits: ({ size }) => `["awaits",1,${many(size, (index) => String(index + 1))}]`,
  subscribe: ({ size, inner }) => `["subscribe",1,null,"watch","rich",[[[${inner(size)}]]]]`,
  subscribes: ({ size, knob }) =>
    many(Math.min(size, 150_000), (index) => {
      const method = knob < 0.5 ? 'watch' : 'follow';
      return `["subscribe",${index + 1},"5.abc","${method}",[${index}]],["unsubscribe",${index + 1}]`;
    }),
  cursor: ({ size }) => `["subscribe",1,"${'1'.repeat(size)}","watch",[1]]`,
  item: ({ size, inner }) =>
    `[2,"receive","rich",[[[[1]]],["Stream",1]]],["item",1,1,"rich",[${inner(Math.min(size, 250_000))}]]`,
  end: ({ size, inner }) =>
    `[2,"receive","rich",[[[[1]]],["Stream",1]]],["end",1,0,"error",[${inner(size)}]]`,
  return: ({ size, inner }) =>
    `[2,"ask","rich",[[[[1]]],["Function",1]]],["return",1,"rich",[${inner(size)}]]`,
  thrown: ({ size, inner }) =>
    `[2,"ask","rich",[[[[1]]],["Function",1]]],["return",1,"error",[${inner(size)}]]`,
  anything: ({ size, inner }) => `["a",${inner(size)}]`,
};

const VALUES = { ...PLAIN, ...RICH };
const RULES: Readonly<Record<string, Rule>> = { ...VALUES, ...MESSAGES };

/**
 * Makes the text of a frame.
 *
 * @param first - the first number in the frame. Another number makes another frame, because V8 remembers the regular
 *   expressions of an equal frame
 */
export function frameOf(plan: Plan, size: number, first: number): string {
  let count = first;
  const make = ({ rule, knob, inner }: Plan, most: number): string =>
    (RULES[rule] as Rule)({
      size: Math.max(1, most),
      knob,
      inner: (less, index = 0) => {
        const chosen = inner[index] ?? inner[0];
        return chosen ? make(chosen, less) : '0';
      },
      next: () => count++,
    });
  return `[${make(plan, size)}]`;
}

/** Returns plans with each rule: a value alone and in an array, keys of Maps and Sets, messages. */
export function firstPlans(): Plan[] {
  const leaf = (rule: string, knob = 0.29): Plan => ({ rule, knob, inner: [] });
  const within = (rule: string, ...inner: Plan[]): Plan => ({ rule, knob: 0.1, inner });
  const values = Object.keys(VALUES);
  return [
    ...values.map((value) => within('call', leaf(value))),
    ...values.flatMap((value) =>
      [0.1, 0.29, 0.65].map((knob) => within('call', within('array', leaf(value, knob)))),
    ),
    ...['set', 'map'].flatMap((rule) =>
      ['bigints', 'digits'].map((key) => within('call', within(rule, leaf(key)))),
    ),
    ...['repeated', 'sparse', 'regExp'].map((rule) => within('calls', leaf(rule, 0.65))),
    ...Object.keys(MESSAGES).map((rule) => within(rule, within('array', leaf('regExp')))),
  ];
}

/** Changes one part of a plan. */
export function changed(plan: Plan, random: () => number): Plan {
  const isMessage = plan.rule in MESSAGES;
  const choice = random();
  if (plan.inner.length > 0 && choice < 0.5) {
    const index = Math.floor(random() * plan.inner.length);
    return {
      ...plan,
      inner: plan.inner.map((one, at) => (at === index ? changed(one, random) : one)),
    };
  }
  if (choice < 0.7) return { ...plan, knob: random() };
  const rule = pick(Object.keys(isMessage ? MESSAGES : VALUES), random());
  // The new rule surrounds the plan, or replaces it.
  if (!isMessage && choice < 0.85) return { rule, knob: random(), inner: [plan] };
  return {
    rule,
    knob: random(),
    inner: plan.inner.length > 0 ? plan.inner : [randomValue(random)],
  };
}

function randomValue(random: () => number): Plan {
  const inner = random() < 0.4 ? [randomValue(random)] : [];
  return { rule: pick(Object.keys(VALUES), random()), knob: random(), inner };
}

/** Describes a plan in a line, such as `call(set(bigints 0.10) 0.10) 0.10`. */
export function describePlan({ rule, knob, inner }: Plan): string {
  const parts = inner.length > 0 ? `(${inner.map(describePlan).join(', ')})` : '';
  return `${rule}${parts} ${knob.toFixed(2)}`;
}
