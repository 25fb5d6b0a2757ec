/** Values that a module keeps for each object. */

/**
 * Makes a function that returns the value of an object. The value is made at the first call, and lives as long as the
 * object. Mark a call of `perObject` as `@__PURE__`, so that a bundler can leave it out.
 *
 * @param make - makes the value; its second parameter is the second argument of the first caller
 */
export function perObject<Key extends object, Value, About = void>(
  make: (key: Key, about: About) => Value,
): (key: Key, about: About) => Value {
  const values = new WeakMap<Key, Value>();
  return (key, about) => {
    let value = values.get(key);
    if (value === undefined) values.set(key, (value = make(key, about)));
    return value;
  };
}
