/** The types of the classes that `lumenizeRpcDO` and `capability` return, and of their instances. */
import type { HasContract } from '../../wire/brands.ts';

type AnyClass = abstract new (...args: never[]) => object;

/**
 * The class that `lumenizeRpcDO` or `capability` returns. It has the constructor and the statics of the class that was
 * passed, and its instances carry the kinds of the methods to the types of their clients. You write this type only where
 * the compiler cannot infer it, for example with `isolatedDeclarations`.
 *
 * @example
 * type Kinds = { increment: 'call'; getValue: 'live' };
 * export const Counter: RpcClass<typeof CounterImpl, Kinds> = lumenizeRpcDO(CounterImpl, contract);
 */
export type RpcClass<Class extends AnyClass, Kinds, Brand = unknown> = {
  new (...args: ConstructorParameters<Class>): InstanceType<Class> & HasContract<Kinds> & Brand;
} & { [Static in keyof Class]: Class[Static] };

/**
 * The type of the instances of a class that `lumenizeRpcDO` or `capability` has returned. It is `InstanceType`, but with
 * it the compiler and editors show the name of your type: `RpcClient<Counter>`.
 *
 * @example
 * export type Counter = RpcObject<typeof Counter>;
 */
export type RpcObject<Class extends AnyClass> = InstanceType<Class> & {};
