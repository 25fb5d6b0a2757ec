/**
 * Capabilities: objects that a method returns and whose methods can be called, even before the objects arrive. Neither
 * end keeps a reference, so nothing has to be released. A bundle contains this file only if you import it.
 */
import type { ClientOf } from '../../../wire/brands.ts';
import { RpcError } from '../../../wire/errors.ts';
import { type Callee, isString } from '../../../wire/messages.ts';
import { readPath } from '../../../wire/values/paths.ts';
import { unreadableReference } from '../../../wire/values/rich-decoder.ts';
import {
  CALL,
  CAPABILITY,
  type Reference,
  type ReferenceOf,
} from '../../../wire/values/rich-encoder.ts';
import {
  type Call,
  DISPOSAL,
  INTERNALS,
  type Method,
  type ResultPart,
  promiseOf,
  resultPartOf,
} from '../../../client/call.ts';
import type { RpcCapability } from '../../../client/client-types.ts';
import type { CallOptions } from '../../../client/options.ts';
import {
  type CalleeOf,
  remoteMethod,
  type ClientInternals,
  internalsOf,
} from '../../../client/proxy.ts';
import type { Session } from '../../../client/session.ts';

/**
 * Allows capabilities as results and arguments of a client's calls.
 *
 * @param session - passed by `createRpcClient`
 * @example
 * const bank = createRpcClient<Bank>('BANK', 'main', { capabilities });
 * const session = bank.login(token); // Not awaited: both calls share a frame.
 * await session.transfer('bob', 5);
 */
export function capabilities(session: Session): void {
  const { referenceOf, resolve = unreadableReference } = session;
  session.resolve = (reference, call) => {
    const [name, ...parts] = reference;
    if (name !== CAPABILITY) return resolve(reference, call);
    if (!isAddress(parts)) throw new RpcError('BAD_MESSAGE', 'Malformed capability');
    return capabilityOf(session, {}, () => reference);
  };
  session.referenceOf = (value, call) => {
    const target = targets.get(value as object);
    // A capability of another object is a secret, and is not sent to this object.
    return target?.session.transport.address === session.transport.address
      ? target.referenceTo(nothing)
      : referenceOf?.(value, call);
  };
  session.symbolOf = (symbol, part) =>
    symbol === INTERNALS ? insideFor(session, {}, targetOf(part)) : undefined;
  session.callable = (promise, part) => {
    const name = part.at(-1) as string;
    if (PROBED_METHODS.test(name)) return promise;
    const method = methodOn(targetOf(part.slice(0, -1) as [Call, ...string[]]), name);
    // A part of a result has the properties of its promise, and can be called.
    return new Proxy(remoteMethod(session, method, {}), {
      get: (_, key) => Reflect.get(promise, key),
      set: (_, key, value) => Reflect.set(promise, key, value),
    });
  };
}

/**
 * Methods that consoles, test runners, jQuery and RxJS look for to recognize a value. To call a method with such a name,
 * await the capability first.
 */
const PROBED_METHODS = /^(asymmetricMatch|lift|promise|schedule)$/;

/** Returns a reference to a capability. */
type TargetOf = (referenceOf: ReferenceOf) => Reference;

/** The session and the reference of each capability that has arrived. */
const targets = new WeakMap<object, { session: Session; referenceTo: TargetOf }>();

/** Refers to a capability that is the result of a call, or a part of the result. */
function targetOf([call, ...path]: ResultPart): TargetOf {
  return (referenceOf) => {
    const { outcome } = call;
    if (!outcome) return referenceOf(promiseOf([call, ...path])) as Reference;
    if ('thrown' in outcome) throw outcome.thrown;
    return referenceOf(readPath(outcome.result, path)) ?? refuse();
  };
}

function methodOn(target: TargetOf, name: string): Method {
  // The function has the name of the method, for error messages.
  const { [name]: method } = {
    [name]: (referenceOf: ReferenceOf): Callee => {
      const [, ...parts] = target(referenceOf) as [string, string, string];
      return [name, ...parts];
    },
  };
  return method as Method;
}

function insideFor(session: Session, options: CallOptions, target: TargetOf): ClientInternals {
  const calleeOf: CalleeOf = (name, retry) => {
    let isThere = true;
    const callee = (methodOn(target, name) as Exclude<Method, string>)((value) => {
      const part = resultPartOf(value);
      if (!part) return session.referenceOf?.(value);
      const [call, ...path] = part;
      isThere = !!call.frame;
      if (!isThere && retry) call.promise.then(retry, retry);
      return [CALL, call.id, ...path];
    });
    return isThere ? callee : undefined;
  };
  return [session, options, (_, others) => capabilityOf(session, others, target), calleeOf];
}

function capabilityOf(session: Session, options: CallOptions, referenceTo: TargetOf): object {
  const methods: Record<string | symbol, unknown> = {
    [INTERNALS]: insideFor(session, options, referenceTo),
  };
  const capability = new Proxy(nothing, {
    get: (_, name) =>
      (methods[name] ??= DISPOSAL.test(String(name))
        ? nothing
        : typeof name === 'symbol' || /^(then|toJSON)$/.test(name)
          ? undefined
          : remoteMethod(session, methodOn(referenceTo, name), options)),
  });
  targets.set(capability, { session, referenceTo });
  return capability;
}

/** Returns whether the parts of a capability are a class, a number as text, and anything after them. */
function isAddress([className, number]: readonly unknown[]): boolean {
  // A class that is a number would be the id of a call.
  return isString(className) && isString(number);
}

function nothing(): undefined {
  return undefined;
}

function refuse(): never {
  throw new RpcError('METHOD_NOT_FOUND', 'The result is not a capability');
}

/**
 * Returns the token of a capability, which is text. Anyone who has the token can use the capability from anywhere, until
 * the capability is revoked. Protect the token like a password.
 *
 * @param capability - the result of an awaited call, or a part of it
 * @returns the token
 * @throws TypeError for a value that is not a capability
 * @example
 * localStorage.session = tokenOf(await bank.login(token));
 */
export function tokenOf(capability: object): string {
  const [, ...parts] = targets.get(capability)?.referenceTo(nothing) ?? [];
  if (parts.length === 0) throw new TypeError('Not a capability: await the call that returns it');
  return JSON.stringify(parts);
}

/**
 * Returns the capability of a token. Only a call of a method checks whether the token is still valid.
 *
 * @param client - the client of the object that returned the capability, created with the option `capabilities`
 * @param token - from `tokenOf`
 * @returns the capability, which has remote methods
 * @throws TypeError for text that is not a token
 * @example
 * const session = capabilityAt<Session>(bank, localStorage.session);
 */
export function capabilityAt<Target>(
  client: ClientOf<unknown>,
  token: string,
): RpcCapability<Target> {
  const [session] = internalsOf(client);
  let parts: unknown;
  try {
    parts = JSON.parse(token);
  } catch {
    // The error is thrown below, as for JSON that is not a token.
  }
  if (!Array.isArray(parts) || !isAddress(parts)) throw new TypeError('Not a token');
  return capabilityOf(session, {}, () => [CAPABILITY, ...parts]) as RpcCapability<Target>;
}
