/**
 * Validates the streams among the arguments of a method: each item when the method reads it.
 */
import type { Validator } from 'typebox/schema';
import type { RpcError } from '../../wire/errors.ts';
import {
  firstError,
  invalidArgument,
  labelOf,
  invalidKind,
} from '../../server/schemas/argument-errors.ts';
import { withFilledHoles } from '../../server/schemas/array-holes.ts';
import { explanations } from '../../server/diagnostics/explanations.ts';
import { compileSchema } from '../../server/schemas/compile-schema.ts';
import type { StreamOf } from '../../server/base/marks.ts';

/** The validator of a stream argument, used like the validator of a schema. It also accepts arrays. */
export class StreamValidator {
  readonly #method: string;
  readonly #index: number;
  readonly #validator: Validator;

  constructor(method: string, index: number, { '~streamOf': schema }: StreamOf) {
    explanations?.checkSchema(schema, `${method}: argument [${index}]: items`);
    this.#method = method;
    this.#index = index;
    this.#validator = compileSchema(schema);
  }

  Check(value: unknown): boolean {
    if (typeof value !== 'object' || value === null) return false;
    return Symbol.asyncIterator in value || Symbol.iterator in value;
  }

  error(method: string, value: unknown, path: string): RpcError {
    return invalidKind(method, path, 'a stream', value);
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
      withFilledHoles(item, () => this.#check(item, count));
      count++;
      yield item;
    }
  }

  #check(item: unknown, count: number): void {
    if (this.#validator.Check(item)) return;
    const path = `[${this.#index}][${count}]`;
    throw firstError(this.#method, this.#validator, item, path, labelOf('item', this.#validator));
  }
}

/** The stream arguments of one method, by index. */
export type StreamValidators = ReadonlyMap<number, StreamValidator>;

/** @param validators - of the arguments of a method */
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
        `argument ${path} is a stream that is also another argument`,
      );
    }
    read.add(arg);
    return place.read(arg as AsyncIterable<unknown>);
  });
}
