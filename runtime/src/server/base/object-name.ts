/** How an object is named in reports and on the console. */
import { perObject } from './per-object.ts';

export interface ObjectName {
  /** The name of the object's class. */
  readonly class: string;
  /** The object's name, or its id; empty for an object without a `ctx`. */
  readonly object: string;
}

export const objectNameOf = /* @__PURE__ */ perObject((instance: object): ObjectName => {
  const { id } = (instance as { ctx?: Partial<DurableObjectState> }).ctx ?? {};
  return { class: instance.constructor.name, object: String(id?.name ?? id ?? '') };
});
