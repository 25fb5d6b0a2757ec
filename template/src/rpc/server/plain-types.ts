/** The types of values that JSON represents. Imports nothing. */

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
