/**
 * Objects of a message whose contents are costly to make. The contents are made when a schema has accepted the value, or
 * when the schema uses them.
 *
 * - A regular expression: V8 takes up to 10 µs for a character of its source.
 * - A large Map or Set: a client can choose members that V8 puts into one bucket, and then each member takes longer than
 *   the member before.
 * - An array with holes: see `array-holes.ts`.
 *
 * Until then, the object is empty and has a prototype from this file. Each method of the prototype makes the contents
 * first, except for methods that only need the parts as they were sent.
 */
import { RpcError } from '../../wire/errors.ts';
import { limitExceeded } from '../../wire/limits.ts';
import { createError } from '../../wire/values/error-codec.ts';
import { requireText } from '../../wire/values/part-checks.ts';
import { type Tag, TAGS, type Unchecked } from '../../wire/values/tags.ts';

/** Maps and Sets with up to this many parts are made at once. Even in one bucket, this costs less than parsing them. */
const SMALL = 256;

/** A base class whose constructor returns its argument, so that the argument gets the private fields of a subclass. */
const Existing = function (object: object) {
  return object;
} as unknown as new (object: object) => object;

/**
 * Adds a private field to an object. The field has the parts of the object as they were sent, until the contents are
 * made. A WeakMap with many entries would be ten times slower.
 */
class Late extends Existing {
  #parts: readonly unknown[] | undefined;

  constructor(object: object, parts: readonly unknown[]) {
    super(object);
    this.#parts = parts;
  }

  /** Returns the parts of an object whose contents are not made; otherwise `undefined`. */
  static partsOf(object: object): readonly unknown[] | undefined {
    return #parts in object ? object.#parts : undefined;
  }

  static clear(object: object): void {
    if (#parts in object) object.#parts = undefined;
  }
}

/** A class of objects whose contents are made late. */
interface LateClass {
  readonly original: object;
  readonly prototype: object;
  make(object: never, parts: never): void;
}

/** Postpones the making of an object's contents. */
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
 * @throws RpcError `BAD_MESSAGE` for an invalid regular expression
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

/** For each property that needs no contents, a function that returns its value from the parts. */
type Reads = Readonly<Record<string | symbol, (parts: readonly unknown[]) => unknown>>;

/** Returns a class whose prototype is made with its first object, because making all prototypes takes 0.2 ms at start. */
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

/** Makes the prototype that is put before the prototype of a class. */
function latePrototype(original: object, reads: Reads): object {
  const prototype = Object.create(original) as object;
  for (const key of Reflect.ownKeys(original)) {
    if (key === 'constructor' || key === Symbol.toStringTag) continue;
    // `reads` inherits `toString` and others from `Object.prototype`, so only its own properties count.
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

/** Changes a regular expression that other values refer to already. `compile` is the only way to do so. */
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

/** Makes the `fill` of a Map or a Set, which leaves a large object empty. */
function fillLater(late: LateClass): Tag['fill'] {
  return (made: object, parts: unknown[], unchecked) => {
    const isComplete = late === SET || parts.length % 2 === 0;
    if (isComplete && parts.length > SMALL) putOff(made, late, parts, unchecked);
    else late.make(made as never, parts as never);
  };
}

/** The maximum number of digits of a bigint. V8 takes 60 ms for it, and more for each digit of a longer bigint. */
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
    // The stack that was sent replaces the stack of this decoder. Collecting a stack takes longer than all the rest.
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

/** The tags with late contents, which are made with the first value that is not plain. */
let lateTags: ReadonlyMap<string, Tag> | undefined;

/** Returns an empty record of the decoder's findings, for a value that is about to be decoded. */
export function uncheckedValue(): Unchecked {
  lateTags ??= new Map(Array.from(TAGS, ([name, tag]) => [name, { ...tag, ...OWN_TAGS[name] }]));
  return { tags: lateTags, late: [], sparse: new Set(), isShared: false };
}
