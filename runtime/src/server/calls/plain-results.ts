/**
 * Results of methods with `plain: true` in the contract. They are sent without looking through them first, which
 * can take longer than writing them as JSON: see `wire/plain.ts`. Imports refusal and wire/.
 */
import { propertyPath } from '../../wire/paths.ts';
import { isExact } from '../../wire/plain.ts';
import { refusal } from './refusal.ts';

/**
 * @param method - name of the method, for the error
 * @param isChecked - whether to look through the result first
 * @returns JSON text; `undefined` for a result that JSON lacks, or that it cannot write
 * @throws RpcError `UNSERIALIZABLE` with the path to a part that is not plain, if the result is checked
 */
export function plainText(result: unknown, method: string, isChecked: boolean): string | undefined {
  const path = isChecked && result !== undefined ? pathToRich(result, new Set()) : undefined;
  if (path !== undefined) {
    const problem = `The result of ${method} is not plain at ${path || 'top'}`;
    const instead = "return what JSON represents, or remove plain from the method's contract";
    throw refusal('UNSERIALIZABLE', `${problem}: ${instead}`, { path });
  }
  try {
    return JSON.stringify(result);
  } catch {
    // A bigint or a cycle. The general codec can send both.
    return undefined;
  }
}

/**
 * Like `isPlain`, but of any size.
 *
 * @param met - the objects before the value
 * @returns the path to the first part that is not plain; `undefined` if there is none
 */
function pathToRich(value: unknown, met: Set<object>): string | undefined {
  if (typeof value !== 'object' || value === null) return isExact(value) ? undefined : '';
  const prototype = Array.isArray(value) ? Array.prototype : Object.prototype;
  if (met.has(value) || Object.getPrototypeOf(value) !== prototype) return '';
  met.add(value);
  // A hole is a key of an array here, and reads as `undefined`.
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    const part = (value as Record<string | number, unknown>)[key];
    const path = key === '__proto__' ? '' : pathToRich(part, met);
    if (path !== undefined) return propertyPath(String(key)) + path;
  }
  return undefined;
}
