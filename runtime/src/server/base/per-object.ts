/** What a module keeps for each object. */

/**
 * Makes a function that returns the one value of an object. The value is made when it is first asked for, and lives as
 * long as the object. Mark a call as `@__PURE__`, so that a bundler can leave it out.
 *
 * @param make - its second parameter is what the first caller has passed
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
