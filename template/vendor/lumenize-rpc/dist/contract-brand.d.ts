/**
 * Types that carry the contract of a wrapped class to its clients, and types that carry the class of a
 * client. They exist only at compile time. Their names are strings, not symbols, so that the types of two copies of
 * the package fit together.
 */
/** Part of the instance type of every class that `lumenizeRpcDO` returns. It has no value at run time. */
export interface HasContract<Methods extends PropertyKey, Live extends PropertyKey = never, Paged extends PropertyKey = never> {
  readonly '~methods'?: Methods;
  readonly '~live'?: Live;
  readonly '~paged'?: Paged;
}
/** The methods that a contract marks as `live`. For a type without a contract, all methods. */
export type LiveMethodsOf<Target> = '~live' extends keyof Target ? Extract<Target['~live'], keyof Target> : keyof Target;
/** The methods to which a contract gives a `cursor`. For a type without a contract, no methods. */
export type PagedMethodsOf<Target> = '~paged' extends keyof Target ? Extract<Target['~paged'], keyof Target> : never;
/** Part of the instance type of every class that `capability` returns. It has no value at run time. */
export interface IsCapability {
  readonly '~capability': true;
}
/** Part of the type of a client. It has no value at run time. */
export interface ClientOf<Target> {
  readonly '~target'?: Target;
}
/** Part of the type of a feed. It has no value at run time. */
export interface HasEvents<Event> {
  readonly '~event': Event;
}
/** Whether the result of a method is a feed. */
export type IsFeed<Result> = [Result] extends [never] ? false : unknown extends Result ? false : Result extends HasEvents<unknown> ? true : false;
/** Iterable types that are sent as one value, not as a stream. */
type Whole = string | readonly unknown[] | ReadonlyMap<unknown, unknown> | ReadonlySet<unknown> | ArrayBufferView | URLSearchParams | Headers;
/** The items of a stream, or of a promise of a stream; `never` for any other result. */
export type StreamItem<Result> = unknown extends Result ? never : Awaited<Result> extends (infer Stream) ? Stream extends Whole ? never : Stream extends ReadableStream<infer Item> | AsyncIterable<infer Item> | Iterable<infer Item> ? Item : never : never;
/** Whether the result of a method is a feed or a stream, which can only be subscribed to. */
export type IsSubscribed<Result> = IsFeed<Result> extends true ? true : [StreamItem<Result>] extends [never] ? false : true;
export {};