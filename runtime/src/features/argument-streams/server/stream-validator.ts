/**
 * Validates the streams among the arguments of a method. Each item is validated when the method reads it.
 */
import {
  invalidArgument,
  makeValidator,
  type StreamOf,
  validated,
  type Validator,
  validatorOfKind,
  validateComplete,
} from '../../../server/feature.ts';

/** The validator of a stream argument. It also accepts arrays. */
export class StreamValidator implements Validator {
  readonly #method: string;
  readonly #index: number;
  readonly #items: Validator;
  readonly #kind = validatorOfKind('a stream', isIterable);

  constructor(method: string, index: number, { '~streamOf': schema }: StreamOf) {
    this.#method = method;
    this.#index = index;
    this.#items = makeValidator(schema, `${method}: argument [${index}]: items`);
  }

  validate(value: unknown): ReturnType<Validator['validate']> {
    return this.#kind.validate(value);
  }

  /** Returns the stream that the method receives, which validates each item. */
  read(source: AsyncIterable<unknown> | Iterable<unknown>): AsyncIterable<unknown> {
    return { [Symbol.asyncIterator]: () => this.#checked(source) };
  }

  async *#checked(
    source: AsyncIterable<unknown> | Iterable<unknown>,
  ): AsyncGenerator<unknown, void> {
    let count = 0;
    for await (const item of source) {
      const path = `[${this.#index}][${count++}]`;
      yield validateComplete(item, () => validated(this.#method, this.#items, item, path, 'item'));
    }
  }
}

function isIterable(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Symbol.asyncIterator in value || Symbol.iterator in value;
}

/** The stream arguments of one method, by index. */
export type StreamValidators = ReadonlyMap<number, StreamValidator>;

/** @param validators - the validators of the arguments of a method */
export function streamValidatorsOf(validators: readonly unknown[]): StreamValidators {
  return new Map(
    validators.flatMap((one, index) => (one instanceof StreamValidator ? [[index, one]] : [])),
  );
}

/**
 * Returns arguments whose streams validate their items.
 *
 * @param args - already validated
 * @throws RpcError `INVALID_ARGUMENTS` for a stream that occurs twice
 */
export function withCheckedItems(
  method: string,
  args: readonly unknown[],
  places: StreamValidators,
): unknown[] {
  const read = new Set<unknown>();
  return args.map((arg, index) => {
    const place = places.get(index);
    if (!place) return arg;
    if (read.has(arg)) {
      const path = `[${index}]`;
      throw invalidArgument(
        method,
        path,
        `argument ${path} is a stream that another argument has, too: pass each stream once`,
      );
    }
    read.add(arg);
    return place.read(arg as AsyncIterable<unknown>);
  });
}
