/** Checks in development that the rows of a live value have the keys that its entry names. */
import { propertyPath } from '../../wire/values/paths.ts';
import { rejection } from '../base/rejection.ts';

/**
 * Checks that each row has a key, and that no two rows have equal keys.
 *
 * @param key - the property that identifies a row
 * @throws RpcError `UNSERIALIZABLE` for a list with a row that has no key, or the key of another row. Values that are no
 *   lists are not checked, since a method can return `null` for a list that does not exist.
 */
export function checkRowKeys(method: string, value: unknown, key: string): void {
  if (Array.isArray(value)) return checkList(method, value, key, '');
  if (value instanceof Map) {
    for (const [name, list] of value) {
      const step = typeof name === 'string' ? JSON.stringify(name) : '...';
      checkList(method, list, key, `.get(${step})`);
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, list] of Object.entries(value))
      checkList(method, list, key, propertyPath(name));
  }
}

function checkList(method: string, list: unknown, key: string, path: string): void {
  if (!Array.isArray(list)) return;
  const places = new Map<unknown, number>();
  for (const [index, row] of list.entries()) {
    const own: unknown = (row as Record<string, unknown> | null | undefined)?.[key];
    const rowPath = `${path}[${index}]`;
    const fail = (problem: string): never => {
      throw rejection('UNSERIALIZABLE', `${method}: the row ${rowPath} ${problem}`, {
        path: rowPath,
      });
    };
    if (!['string', 'number', 'bigint'].includes(typeof own)) {
      fail(
        `has no ${key} that is a string, a number or a bigint, and ${key} is the key of the rows`,
      );
    }
    const other = places.get(own);
    if (other !== undefined) {
      fail(`has the same ${key} as the row ${path}[${other}]: each row needs its own key`);
    }
    places.set(own, index);
  }
}
