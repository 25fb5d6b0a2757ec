/**
 * Results of methods with `plain: true` in the contract. They are sent without looking through them first, which
 * takes longer than writing them as JSON. Imports refusal and wire/.
 */
import { propertyPath } from '../wire/paths.ts';
import { isPlain } from '../wire/plain.ts';
import { refusal } from './refusal.ts';

/**
 * @param method - name of the method, for the error
 * @param isChecked - whether to look through the result first
 * @returns JSON text; `undefined` for a result that JSON lacks, or that it cannot write
 * @throws RpcError `UNSERIALIZABLE` with the path to a part that is not plain, if the result is checked
 */
export function plainText(result: unknown, method: string, isChecked: boolean): string | undefined {
  if (isChecked && result !== undefined && !isPlain(result)) {
    const path = pathToRich(result, []);
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
 * @param above - the objects that contain the value
 * @returns the path to the first part that is not plain; empty if that is the value itself
 */
function pathToRich(value: unknown, above: readonly unknown[]): string {
  if (above.includes(value)) return '';
  for (const [key, part] of Object.entries(Object(value) as object)) {
    if (!isPlain(part)) return propertyPath(key) + pathToRich(part, [...above, value]);
  }
  return '';
}
