/** JSON pointers, by which TypeBox says where an error is. */

/** The part of a value that an error is about. */
export function partAt(value: unknown, pointer: string): unknown {
  return pointerKeys(pointer).reduce(
    (parent, key) => (parent as Record<string, unknown> | undefined)?.[key],
    value,
  );
}

/** The keys in the path of an error. */
export function pointerKeys(pointer: string): string[] {
  const [, ...keys] = pointer.split('/');
  return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}
