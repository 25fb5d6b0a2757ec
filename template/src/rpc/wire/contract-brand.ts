/**
 * How a wrapped class tells clients, in types only, what its contract lists; and how a client says of
 * which class it is.
 */

declare const contractMethods: unique symbol;
declare const liveMethods: unique symbol;
declare const pagedMethods: unique symbol;
declare const clientTarget: unique symbol;
declare const feedEvent: unique symbol;
declare const capability: unique symbol;

/** Carried by the instance type of every class that `lumenizeRpcDO` returns. Nothing at run time. */
export interface HasContract<
  Methods extends PropertyKey,
  Live extends PropertyKey = never,
  Paged extends PropertyKey = never,
> {
  readonly [contractMethods]?: Methods;
  readonly [liveMethods]?: Live;
  readonly [pagedMethods]?: Paged;
}

/** The methods that a contract marks as `live`; all of what is known without its contract. */
export type LiveMethodsOf<Target> = typeof liveMethods extends keyof Target
  ? Extract<Target[typeof liveMethods], keyof Target>
  : keyof Target;

/** The methods to which a contract gives a `cursor`; none of what is known without its contract. */
export type PagedMethodsOf<Target> = typeof pagedMethods extends keyof Target
  ? Extract<Target[typeof pagedMethods], keyof Target>
  : never;

/** Carried by the instance type of every class that `capability` returns. Nothing at run time. */
export interface IsCapability {
  readonly [capability]: true;
}

/** Carried by the type of a client. Nothing at run time. */
export interface ClientOf<Target> {
  readonly [clientTarget]?: Target;
}

/** Carried by the type of a feed. Nothing at run time. */
export interface HasEvents<Event> {
  readonly [feedEvent]: Event;
}

/** Whether what a method returns is a feed. */
export type IsFeed<Result> = [Result] extends [never]
  ? false
  : unknown extends Result
    ? false
    : Result extends HasEvents<unknown>
      ? true
      : false;

/** What can be iterated, and crosses as a whole all the same. */
type Whole =
  | string
  | readonly unknown[]
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>
  | ArrayBufferView
  | URLSearchParams
  | Headers;

/** What a stream gives one by one, or a promise of a stream; `never` for what is none. */
export type StreamItem<Result> = unknown extends Result
  ? never
  : Awaited<Result> extends infer Stream
    ? Stream extends Whole
      ? never
      : Stream extends ReadableStream<infer Item> | AsyncIterable<infer Item> | Iterable<infer Item>
        ? Item
        : never
    : never;

/** Whether what a method returns is only to be subscribed to, being a feed or a stream. */
export type IsSubscribed<Result> =
  IsFeed<Result> extends true ? true : [StreamItem<Result>] extends [never] ? false : true;
