/** The name of an object in reports and on the console. */

export interface ObjectName {
  /** The name of the object's class. */
  readonly class: string;
  /** The object's name, or its id; empty for an object without a `ctx`. */
  readonly object: string;
}

const names = /* @__PURE__ */ new WeakMap<object, ObjectName>();

/**
 * Returns the name of an object. The name is looked up once, because asking the runtime takes longer than the rest of a
 * report.
 */
export function objectNameOf(instance: object): ObjectName {
  let found = names.get(instance);
  if (!found) {
    const { id } = (instance as { ctx?: { id?: { name?: string } } }).ctx ?? {};
    found = { class: instance.constructor.name, object: String(id?.name ?? id ?? '') };
    names.set(instance, found);
  }
  return found;
}
