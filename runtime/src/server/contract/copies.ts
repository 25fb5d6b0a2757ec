/**
 * Two copies of the package in one program, which a monorepo can have. What one of them keeps about an object, the other
 * does not have, so the functions for objects throw where it would be missing.
 */

/** On an object or its prototype, and on a compiled contract: the copy that serves it. */
export const COPY = Symbol.for('lumenize-rpc.copy');

/** This copy. */
export const THIS_COPY = {};

const ADVICE = 'install one copy for both: npm ls lumenize-rpc';

/** Marks an object, or all with a prototype, as served by this copy. */
export function claim(target: object): void {
  if (servedBy(target) !== THIS_COPY) Object.defineProperty(target, COPY, { value: THIS_COPY });
}

/** @throws TypeError for an object that another copy serves */
export function checkCopy(instance: object): void {
  const copy = servedBy(instance);
  if (copy !== undefined && copy !== THIS_COPY) {
    throw new TypeError(`Another copy of lumenize-rpc serves this object: ${ADVICE}`);
  }
}

/** @throws TypeError for a contract that this copy has not compiled */
export function checkCompiled(contract: object): void {
  if (servedBy(contract) === THIS_COPY) return;
  throw new TypeError(
    `The contract is not from compileContract, or from that of another copy of lumenize-rpc: ${ADVICE}`,
  );
}

function servedBy(target: object): object | undefined {
  return (target as { [COPY]?: object })[COPY];
}
