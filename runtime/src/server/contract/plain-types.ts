/** Types of results: values that JSON represents, and promises. */

/** The type, with `never` for what JSON lacks. */
export type Plain<Type> = Type extends string | number | boolean | null | undefined
  ? Type
  : Type extends RichObject | bigint | symbol | ((...args: never[]) => unknown)
    ? never
    : Type extends object
      ? { [Name in keyof Type]: Plain<Type[Name]> }
      : Type;

/** Objects of the runtime that JSON represents as something else. */
type RichObject =
  | Date
  | Error
  | RegExp
  | URL
  | URLSearchParams
  | Headers
  | ArrayBuffer
  | ArrayBufferView
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>;

/** Whether a result is a promise in some cases. The compiler cannot know it of `any` and `unknown`. */
export type MayBePromise<Result> = unknown extends Result
  ? false
  : [Extract<Result, PromiseLike<unknown>>] extends [never]
    ? false
    : true;
