/** How an object is named in reports and on the console. */

export interface ObjectName {
  /** The name of the object's class. */
  readonly class: string;
  /** The object's name, or its id; empty for an object without a `ctx`. */
  readonly object: string;
}

const names = /* @__PURE__ */ new WeakMap<object, ObjectName>();

/** The name of an object, which is found once: to ask the runtime for it takes longer than the rest of a report. */
export function objectNameOf(instance: object): ObjectName {
  let found = names.get(instance);
  if (!found) {
    const { id } = (instance as { ctx?: { id?: { name?: string } } }).ctx ?? {};
    found = { class: instance.constructor.name, object: String(id?.name ?? id ?? '') };
    names.set(instance, found);
  }
  return found;
}
