/**
 * Objects of a message whose contents are costly to make: they are made once a schema has accepted the value, or when
 * the schema uses them.
 *
 * - A regular expression: V8 takes up to 10 µs for a character of its source.
 * - A large Map or Set: a client can choose members that V8 puts into one bucket, and then each member costs more time
 *   than the one before.
 * - An array with holes: see `array-holes.ts`.
 *
 * Until then, the object is empty, and its prototype is one of this file: each method makes the contents first, except
 * for those that read the parts as they were sent.
 */
import { RpcError } from '../../wire/errors.ts';
import { limitExceeded } from '../../wire/limits.ts';
import { createError } from '../../wire/values/error-codec.ts';
import { requireText } from '../../wire/values/part-checks.ts';
import { type Tag, TAGS, type Unchecked } from '../../wire/values/tags.ts';

/** Maps and Sets of so many parts are made at once. Even in one bucket, these cost less than to parse their text. */
const SMALL = 256;

/** As a base class, makes its argument the object that gets the private fields. */
const Existing = function (object: object) {
  return object;
} as unknown as new (object: object) => object;

/**
 * Adds a private field to an object: its parts as they were sent, until its contents are made. A WeakMap takes ten times
 * as long when it has many entries.
 */
class Late extends Existing {
  #parts: readonly unknown[] | undefined;

  constructor(object: object, parts: readonly unknown[]) {
    super(object);
    this.#parts = parts;
  }

  /** The parts of an object whose contents are not made; otherwise `undefined`. */
  static partsOf(object: object): readonly unknown[] | undefined {
    return #parts in object ? object.#parts : undefined;
  }

  static clear(object: object): void {
    if (#parts in object) object.#parts = undefined;
  }
}

/** How to make the contents of objects of one class. */
interface LateClass {
  readonly original: object;
  readonly prototype: object;
  make(object: never, parts: never): void;
}

/** Puts the contents of an object off. */
function putOff(
  object: object,
  { prototype }: LateClass,
  parts: readonly unknown[],
  unchecked: Unchecked | undefined,
): void {
  Object.setPrototypeOf(object, prototype);
  void new Late(object, parts);
  unchecked?.late.push(object);
}

/**
 * Makes the contents of an object, unless it has them.
 *
 * @throws RpcError `BAD_MESSAGE` for a regular expression that is none
 */
export function makeContents(object: object): void {
  const parts = Late.partsOf(object);
  if (!parts) return;
  const { original, make } = classOf(object);
  Late.clear(object);
  Object.setPrototypeOf(object, original);
  make(object as never, parts as never);
}

/** Returns whether an object has no contents yet. */
export function isLate(object: object): boolean {
  return Late.partsOf(object) !== undefined;
}

/** By property, what returns its value from the parts alone. */
type Reads = Readonly<Record<string | symbol, (parts: readonly unknown[]) => unknown>>;

/** The prototype is made with the first object, because to make all takes 0.2 ms of a Worker's start. */
function lateClass(original: object, make: unknown, reads: Reads): LateClass {
  let prototype: object | undefined;
  return {
    original,
    get prototype() {
      return (prototype ??= latePrototype(original, reads));
    },
    make: make as LateClass['make'],
  };
}

/** Makes the prototype to put before that of a class. */
function latePrototype(original: object, reads: Reads): object {
  const prototype = Object.create(original) as object;
  for (const key of Reflect.ownKeys(original)) {
    if (key === 'constructor' || key === Symbol.toStringTag) continue;
    // Not `toString`, which every object inherits.
    const read = Object.hasOwn(reads, key) ? reads[key] : undefined;
    Object.defineProperty(prototype, key, {
      get(this: object): unknown {
        const parts = Late.partsOf(this);
        if (read && parts) return read(parts);
        makeContents(this);
        return Reflect.get(original, key, this);
      },
    });
  }
  return prototype;
}

function everySecond(parts: readonly unknown[], first: 0 | 1): unknown[] {
  return parts.filter((_, index) => index % 2 === first);
}

function pairs(parts: readonly unknown[]): [unknown, unknown][] {
  const values = everySecond(parts, 1);
  return everySecond(parts, 0).map((key, index) => [key, values[index]]);
}

type Act = (value: unknown, key: unknown) => void;

const SET = lateClass(Set.prototype, TAGS.get('Set')?.fill, {
  size: (members) => members.length,
  forEach: (members) => (act: Act) => members.forEach((member) => act(member, member)),
  values: (members) => () => members.values(),
  keys: (members) => () => members.values(),
  entries: (members) => () => members.map((member) => [member, member]).values(),
  [Symbol.iterator]: (members) => () => members.values(),
});

const MAP = lateClass(Map.prototype, TAGS.get('Map')?.fill, {
  size: (parts) => parts.length / 2,
  forEach: (parts) => (act: Act) => pairs(parts).forEach(([key, value]) => act(value, key)),
  values: (parts) => () => everySecond(parts, 1).values(),
  keys: (parts) => () => everySecond(parts, 0).values(),
  entries: (parts) => () => pairs(parts).values(),
  [Symbol.iterator]: (parts) => () => pairs(parts).values(),
});

const REG_EXP = lateClass(RegExp.prototype, compile, {
  source: ([source]) => source,
  flags: ([, flags]) => flags,
});

/** The one way to change a regular expression that others refer to already. */
function compile(regExp: RegExp, [source, flags]: [source: string, flags: string]): void {
  try {
    regExp.compile(source, flags);
  } catch {
    throw new RpcError('BAD_MESSAGE', 'Malformed value');
  }
}

function classOf(object: object): LateClass {
  if (object instanceof Set) return SET;
  return object instanceof Map ? MAP : REG_EXP;
}

/** The `fill` of a Map or a Set, which leaves large ones empty. */
function fillLater(late: LateClass): Tag['fill'] {
  return (made: object, parts: unknown[], unchecked) => {
    const isComplete = late === SET || parts.length % 2 === 0;
    if (isComplete && parts.length > SMALL) putOff(made, late, parts, unchecked);
    else late.make(made as never, parts as never);
  };
}

/** V8 takes 60 ms for a bigint of so many digits, and more for each digit of a longer one. */
const MAX_DIGITS = 1_000_000;

/** V8's property, which the types of Workers lack. */
const engine = Error as ErrorConstructor & { stackTraceLimit: number };

const OWN_TAGS: Readonly<Record<string, Partial<Tag>>> = {
  Map: { fill: fillLater(MAP) },
  Set: { fill: fillLater(SET) },
  RegExp: {
    make(parts: unknown[], unchecked) {
      const regExp = new RegExp('');
      putOff(regExp, REG_EXP, [requireText(parts[0]), requireText(parts[1])], unchecked);
      return regExp;
    },
  },
  BigInt: {
    make(parts: unknown[]) {
      if (requireText(parts[0]).length > MAX_DIGITS)
        limitExceeded('digits of a bigint', MAX_DIGITS);
      return TAGS.get('BigInt')?.make(parts as never);
    },
  },
  Sparse: {
    fill(array: unknown[], parts, unchecked) {
      (TAGS.get('Sparse') as Required<Tag>).fill(array as never, parts);
      unchecked?.sparse.add(array);
    },
  },
  Error: {
    // Its own stack replaces the one of this decoder, which takes longer to find than all the rest.
    make(parts) {
      const { stackTraceLimit } = engine;
      engine.stackTraceLimit = 0;
      try {
        return createError(parts);
      } finally {
        engine.stackTraceLimit = stackTraceLimit;
      }
    },
  },
};

/** Made with the first value that is not plain. */
let lateTags: ReadonlyMap<string, Tag> | undefined;

/** For a value that is about to be decoded. */
export function uncheckedValue(): Unchecked {
  lateTags ??= new Map(Array.from(TAGS, ([name, tag]) => [name, { ...tag, ...OWN_TAGS[name] }]));
  return { tags: lateTags, late: [], sparse: new Set(), isShared: false };
}
