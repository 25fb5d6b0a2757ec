/**
 * Encodes results of methods with `plain: true` in the contract. They are sent without a check, which can take longer
 * than writing them as JSON: see `wire/values/plain.ts`.
 */
import { explanations } from '../../diagnostics/explanations.ts';

/**
 * @param method - the name of the method, for the error
 * @param isChecked - whether to look through the result first
 * @returns JSON text; `undefined` for a result that JSON cannot represent
 * @throws RpcError `UNSERIALIZABLE` with the path to a part that is not plain, if the result is checked
 */
export function plainText(result: unknown, method: string, isChecked: boolean): string | undefined {
  if (isChecked) explanations?.checkPlain(result, method);
  try {
    return JSON.stringify(result);
  } catch {
    // The result has a bigint or a cycle, which the general codec can send.
    return undefined;
  }
}
