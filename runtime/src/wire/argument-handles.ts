/**
 * Arguments that are marked because they are not sent as values: functions and streams. The mark contains the code that
 * sends them, so that a bundle has this code only if it is used.
 */
import type { Reference } from './values/rich-encoder.ts';

/**
 * The key of the method of a marked argument that returns its reference. It is the same in every copy of the package.
 */
export const TO_REFERENCE = Symbol.for('lumenize-rpc.marked');

/** A function that the object can call, from `callback(fn)`. */
export interface Callback<Function> {
  readonly '~function': Function;
}

/** A stream whose items the object reads, from `stream(iterable)`. */
export interface Stream<Item> {
  readonly '~item': Item;
}

/**
 * A marked argument. It is an instance of a class, so that the codec asks for its reference.
 *
 * @param take - returns the reference, for the text of a call
 */
export class ArgumentHandle<Call> {
  declare readonly [TO_REFERENCE]: (call: Call) => Reference;

  constructor(take: (call: Call) => Reference) {
    this[TO_REFERENCE] = take;
  }
}
